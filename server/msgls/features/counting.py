"""Numbers of things, in words."""

from __future__ import annotations

from msgls.text.phrases import Phrase


def tokens(count: int) -> Phrase:
    """So many tokens, about, in words."""
    return Phrase("about {tokens}", tokens=counted(count, "token"))


def counted(count: int, name: str) -> Phrase:
    """So many of something, in words."""
    return Phrase("{count:,} " + name + ("" if count == 1 else "s"), count=count)

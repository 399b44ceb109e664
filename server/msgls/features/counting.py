"""Numbers of things, in words."""

from __future__ import annotations

from msgls.text.phrases import Phrase
from msgls.text.tokens import is_exact


def tokens(count: int) -> Phrase:
    """So many tokens, in words; about so many, unless somebody really counted."""
    if is_exact():
        return counted(count, "token")
    return Phrase("about {tokens}", tokens=counted(count, "token"))


def short_tokens(count: int) -> Phrase:
    """The same where there is little room."""
    if is_exact():
        return counted(count, "token")
    return Phrase("≈ {tokens}", tokens=counted(count, "token"))


def counted(count: int, name: str) -> Phrase:
    """So many of something, in words."""
    return Phrase("{count:,} " + name + ("" if count == 1 else "s"), count=count)

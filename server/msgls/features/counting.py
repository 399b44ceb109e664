"""Numbers of things, in words."""

from __future__ import annotations

from collections.abc import Sequence

from msgls.text.phrases import Phrase


def tokens(count: int) -> Phrase:
    """So many tokens, about, in words."""
    return Phrase("about {tokens}", tokens=counted(count, "token"))


def counted(count: int, name: str) -> Phrase:
    """So many of something, in words."""
    return Phrase("{count:,} " + name + ("" if count == 1 else "s"), count=count)


def joined(between: str, phrases: Sequence[str]) -> Phrase:
    """Several phrases in a row."""
    named = {f"_{number}": phrase for number, phrase in enumerate(phrases)}
    return Phrase(between.join([f"{{{name}}}" for name in named]), **named)

"""Numbers of things, in words."""

from __future__ import annotations


def tokens(count: int) -> str:
    """So many tokens, about, in words."""
    return f"about {counted(count, 'token')}"


def counted(count: int, name: str) -> str:
    """So many of something, in words."""
    return f"{count:,} {name}" + ("" if count == 1 else "s")

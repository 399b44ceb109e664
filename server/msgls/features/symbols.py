"""Names that a person looks for: which ones a few letters may mean."""

from __future__ import annotations


def matches(query: str, name: str) -> bool:
    """Whether the letters of ``query`` stand in ``name``, in that order, whatever their case."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())

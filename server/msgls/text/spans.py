"""Spans and edits: half-open ranges of code points, and what replaces them.

Owns the two values that every other layer uses. A ``Span`` never says what it is
relative to; the name of the variable does (a cell's spans are relative to the cell, a
document's are absolute).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple


class Span(NamedTuple):
    """The half-open range ``[start, end)`` of code points in some text."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """How many code points it holds; ``len`` of it, a tuple, is 2."""
        return self.end - self.start

    def shift(self, offset: int) -> Span:
        """The same range, ``offset`` code points further on."""
        return Span(self.start + offset, self.end + offset)

    def of(self, text: str) -> str:
        """The piece of ``text`` that this span covers."""
        return text[self.start : self.end]

    def contains(self, offset: int) -> bool:
        """Whether ``offset`` lies inside or at either end, as a cursor does."""
        return self.start <= offset <= self.end

    def covers(self, other: Span) -> bool:
        """Whether ``other`` lies wholly inside."""
        return self.start <= other.start and other.end <= self.end


class Edit(NamedTuple):
    """Replace ``span`` by ``text``."""

    span: Span
    text: str


class OverlappingEdits(ValueError):
    """Two edits of one batch change the same characters."""


def sorted_edits(edits: Iterable[Edit]) -> list[Edit]:
    """The edits in document order; inserts at one place keep the order given.

    Raises ``OverlappingEdits`` where two of them touch the same characters:
    there is no order in which both could be meant.
    """
    ordered = sorted(edits, key=lambda edit: (edit.span.start, edit.span.end))
    for before, after in pairwise(ordered):
        if after.span.start < before.span.end:
            raise OverlappingEdits(f"{before} and {after} overlap")
    return ordered


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with all ``edits`` applied at once, each relative to ``text``."""
    pieces: list[str] = []
    done = 0
    for (start, end), replacement in sorted_edits(edits):
        pieces += text[done:start], replacement
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def difference(before: str, after: str) -> Edit:
    """The edit that turns ``before`` into ``after``: all between their common ends."""
    start = _common(before, after, lambda text, count: text[:count])
    most = min(len(before), len(after)) - start
    end = _common(before, after, lambda text, count: text[len(text) - count :], most)
    return Edit(Span(start, len(before) - end), after[start : len(after) - end])


def _common(a: str, b: str, piece: Callable[[str, int], str], most: int | None = None) -> int:
    """How long the longest common piece is, by halving: comparing is fast, loops are not."""
    low, high = 0, min(len(a), len(b)) if most is None else most
    while low < high:
        middle = (low + high + 1) // 2
        if piece(a, middle) == piece(b, middle):
            low = middle
        else:
            high = middle - 1
    return low

"""Which cell of one text is which cell of another.

Owns the matching that comparing and merging share. Cells are told apart by their id; those
that have none, or another one now, by what they say. All of it costs about as much as
reading the texts: what could cost more is bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

# Texts that share less than half of their words are different messages.
_ALIKE = 0.5
# How far apart two cells may be that are compared word by word, and how much of them.
_WINDOW = 16
_LONGEST_COMPARED = 20_000
_WORD = re.compile(r"\w+|[^\w\s]")


class Matchable(NamedTuple):
    """A cell, as far as it takes to find it again."""

    id: str | None
    kind: str
    """Only cells of one kind are the same cell."""
    content: str


_KeyOf = Callable[[Matchable], Hashable]

Pairs = dict[int, int]
"""Numbers of cells in the first text, and which they are in the second."""


def match(before: Sequence[Matchable], after: Sequence[Matchable]) -> Pairs:
    """The cells that are in both, whatever happened to them."""
    pairs: Pairs = {}
    by_id = _only_ones([cell.id for cell in after])
    for number, other in _only_ones([cell.id for cell in before]).items():
        if number is not None and number in by_id:
            pairs[other] = by_id[number]
    _match_equal(before, after, pairs, lambda cell: (cell.id, cell.kind, cell.content))
    _match_equal(
        before, after, pairs, lambda cell: (cell.kind, cell.content) if cell.content else None
    )
    _match_alike(before, after, pairs)
    return pairs


def in_order(pairs: Pairs) -> set[int]:
    """The numbers of the first text whose cells are in the same order in both.

    As many as can be: all others were moved.
    """
    ends: list[int] = []
    last: list[int] = []
    previous: dict[int, int | None] = {}
    for one in sorted(pairs):
        other = pairs[one]
        at = bisect_left(ends, other)
        previous[one] = last[at - 1] if at else None
        if at == len(ends):
            ends.append(other)
            last.append(one)
        else:
            ends[at], last[at] = other, one
    kept: set[int] = set()
    at_last = last[-1] if last else None
    while at_last is not None:
        kept.add(at_last)
        at_last = previous[at_last]
    return kept


def _only_ones(ids: Sequence[str | None]) -> dict[str | None, int]:
    """Where each id is that only one cell has."""
    counts = Counter(ids)
    return {
        cell_id: number
        for number, cell_id in enumerate(ids)
        if cell_id is not None and counts[cell_id] == 1
    }


def _match_equal(
    before: Sequence[Matchable],
    after: Sequence[Matchable],
    pairs: Pairs,
    key_of: _KeyOf,
) -> None:
    """Pair cells that are equal in some respect, the first with the first."""
    taken = set(pairs.values())
    waiting: dict[Hashable, deque[int]] = {}
    for number, cell in enumerate(after):
        key = key_of(cell)
        if number not in taken and key is not None:
            waiting.setdefault(key, deque()).append(number)
    for number, cell in enumerate(before):
        found = waiting.get(key_of(cell)) if number not in pairs else None
        if found:
            pairs[number] = found.popleft()


def _match_alike(before: Sequence[Matchable], after: Sequence[Matchable], pairs: Pairs) -> None:
    """Pair cells with similar text, of which at least one has no id."""
    taken = set(pairs.values())
    left = [number for number in range(len(before)) if number not in pairs]
    right = [number for number in range(len(after)) if number not in taken]
    if not left or not right:
        return
    words = {number: _words(after[number].content) for number in right}
    for place, number in enumerate(left):
        cell = before[number]
        own = _words(cell.content)
        # By where they are among those that are left: an edited cell is where it was.
        low = max(place - _WINDOW, 0)
        candidates = [
            (_likeness(own, words[other]), -abs(place - at), other)
            for at, other in enumerate(right[low : place + _WINDOW + 1], low)
            if other not in taken
            and after[other].kind == cell.kind
            and None in (cell.id, after[other].id)
        ]
        best = max(candidates, default=None)
        if best is not None and best[0] >= _ALIKE:
            pairs[number] = best[2]
            taken.add(best[2])


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text[:_LONGEST_COMPARED]))


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0

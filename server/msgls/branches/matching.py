"""Matches the cells of two versions of a text.

Owns the matching that diffing and merging share. Cells are matched by id; those without an
id, or with a new one, by content. All of it takes about as long as reading the texts: steps
that could take longer are bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

# Texts are similar if they share at least half of their words.
_SIMILAR = 0.5
# Cells are compared word by word only up to this distance, and this many characters of each.
_WINDOW = 16
_LONGEST_COMPARED = 20_000
_WORD = re.compile(r"\w+|[^\w\s]")


class Matchable(NamedTuple):
    """What is needed of a cell to match it."""

    id: str | None
    kind: str
    """Only cells of the same kind are matched by content."""
    content: str


_KeyOf = Callable[[Matchable], Hashable]

Pairs = dict[int, int]
"""The number of each matched cell in the second text, by its number in the first."""


def match(before: Sequence[Matchable], after: Sequence[Matchable]) -> Pairs:
    """The pairs of cells that are in both texts."""
    pairs: Pairs = {}
    by_id = _unique_ids([cell.id for cell in after])
    for number, other in _unique_ids([cell.id for cell in before]).items():
        if number is not None and number in by_id:
            pairs[other] = by_id[number]
    _match_equal(before, after, pairs, lambda cell: (cell.id, cell.kind, cell.content))
    _match_equal(
        before, after, pairs, lambda cell: (cell.kind, cell.content) if cell.content else None
    )
    _match_similar(before, after, pairs)
    return pairs


def in_order(pairs: Pairs) -> set[int]:
    """The numbers in the first text of a longest set of cells that are in the same order in both.

    All other cells were moved.
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


def _unique_ids(ids: Sequence[str | None]) -> dict[str | None, int]:
    """The number of the cell of each id that only one cell has."""
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
    """Pair cells with equal keys, in order."""
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


def _match_similar(before: Sequence[Matchable], after: Sequence[Matchable], pairs: Pairs) -> None:
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
        # Only near ones among the unmatched cells: an edited cell has mostly not moved.
        low = max(place - _WINDOW, 0)
        candidates = [
            (_similarity(own, words[other]), -abs(place - at), other)
            for at, other in enumerate(right[low : place + _WINDOW + 1], low)
            if other not in taken
            and after[other].kind == cell.kind
            and None in (cell.id, after[other].id)
        ]
        best = max(candidates, default=None)
        if best is not None and best[0] >= _SIMILAR:
            pairs[number] = best[2]
            taken.add(best[2])


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text[:_LONGEST_COMPARED]))


def _similarity(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0

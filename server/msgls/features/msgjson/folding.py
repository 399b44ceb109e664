"""Folding in messages and deltas: streams, messages, and the objects and lists in them.

Owns that folds nest: of two streams that cross, because their runs are interleaved, the
one that begins first is folded. The folds of a cell are remembered with it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.folding import Fold, FoldKind
from msgls.features.msgjson.outline import named_in
from msgls.features.msgjson.reading import json_cell, place_of, quiet_run
from msgls.formats.base import Placed
from msgls.formats.msgjson.cells import JsonCell
from msgls.text.patterns import lazy_pattern

_TOKEN = lazy_pattern(r'"(?:[^"\\\r\n]|\\[^\r\n])*"?|[\[\]{}]')
_PAIRS = {"}": "{", "]": "["}

_Lines = tuple[int, int]


def folding(document: Document) -> list[Fold]:
    """Everything that can be folded, outer things first."""
    folds: dict[_Lines, Fold] = {}
    opened: dict[str, int] = {}
    last: dict[str, int] = {}
    streams: list[_Lines] = []
    for placed in document.cells():
        cell = json_cell(placed)
        if cell is None:
            continue
        run = quiet_run(cell)
        if run is not None:
            last[run] = placed.start_line
            continue
        for named in named_in(cell):
            if named.shape == "start":
                _close(streams, opened, last, named.run)
                opened[named.run] = _line(placed, place_of(cell, named.segment, named.path).start)
            if named.run in opened and named.shape not in ("message", "part"):
                last[named.run] = _line(placed, place_of(cell, named.segment, named.path).end)
            if named.shape == "end":
                _close(streams, opened, last, named.run)
        for start, end in _brackets(cell):
            lines = placed.start_line + start, placed.start_line + end
            folds.setdefault(lines, Fold(*lines))
    for run in list(opened):
        _close(streams, opened, last, run)
    for lines in streams:
        folds[lines] = Fold(*lines, FoldKind.REGION)
    return _nested(folds.values())


def _close(streams: list[_Lines], opened: dict[str, int], last: dict[str, int], run: str) -> None:
    start = opened.pop(run, None)
    if start is not None and last.get(run, start) > start:
        streams.append((start, last[run]))


def _nested(folds: Iterable[Fold]) -> list[Fold]:
    """The folds in order, without those that cross one before them."""
    kept: list[Fold] = []
    around: list[int] = []
    for fold in sorted(folds, key=lambda fold: (fold.start_line, -fold.end_line)):
        while around and around[-1] < fold.start_line:
            around.pop()
        if not around or fold.end_line <= around[-1]:
            kept.append(fold)
            around.append(fold.end_line)
    return kept


def _line(placed: Placed, offset: int) -> int:
    return placed.start_line + bisect_right(placed.cell.line_starts, offset) - 1


_BRACKETS: WeakKeyDictionary[JsonCell, tuple[_Lines, ...]] = WeakKeyDictionary()


def _brackets(cell: JsonCell) -> tuple[_Lines, ...]:
    """The lines of objects and lists from the cell's first, without those of closing brackets."""
    if len(cell.line_starts) < 3 or not cell.segments:
        return ()
    known = _BRACKETS.get(cell)
    if known is None:
        known = _BRACKETS[cell] = tuple(_pairs(cell))
    return known


def _pairs(cell: JsonCell) -> list[_Lines]:
    found: list[_Lines] = []
    for segment in cell.segments:
        stack: list[tuple[str, int]] = []
        for match in _TOKEN.finditer(cell.text, *segment.span):
            mark = match.group()
            line = bisect_right(cell.line_starts, match.start()) - 1
            if mark in "{[":
                stack.append((mark, line))
            elif mark in _PAIRS and stack and stack[-1][0] == _PAIRS[mark]:
                start = stack.pop()[1]
                if line - 1 > start:
                    found.append((start, line - 1))
    return found

"""Folding: which lines can be put away, and what is shown in their place.

Folds are nodes that say so, the parts of a document that cells or headings start, and what a
format knows beyond: runs of tool cells, streams. Folds nest: of two that cross, the one that
begins first is kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.syntax.nodes import FoldKind


class Fold(NamedTuple):
    """Lines that can be folded into the first one."""

    start_line: int
    end_line: int
    kind: FoldKind | None = None
    text: str | None = None
    """What is shown in place of the folded lines."""


def folding(snapshot: Snapshot) -> list[Fold]:
    """Everything that can be folded, outer things first."""
    document = snapshot.document
    cells = list(document.cells())
    found = [*_parts(cells), *language_of(document).folds(document, cells)]
    for placed in cells:
        found += _in_cell(placed)
    folds: dict[tuple[int, int], Fold] = {}
    for fold in found:
        if fold.end_line > fold.start_line:
            folds.setdefault((fold.start_line, fold.end_line), fold)
    return _nested(folds.values())


def line_of(placed: Placed, offset: int) -> int:
    """The line of an offset in a cell."""
    return placed.start_line + bisect_right(placed.cell.line_starts, offset) - 1


def last_line(placed: Placed, end: int | None = None) -> int:
    """The last line of a cell, or of what ends at ``end``, that is not blank."""
    said = len(placed.cell.text[:end].rstrip(" \t\r\n"))
    return line_of(placed, max(said - 1, 0))


def _in_cell(placed: Placed) -> Iterator[Fold]:
    for node in placed.cell.nodes:
        if node.fold is not None:
            kind = None if node.fold is FoldKind.BLOCK else node.fold
            start, end = line_of(placed, node.span.start), last_line(placed, node.span.end)
            yield Fold(start, end, kind, node.label or None)


def _parts(cells: Sequence[Placed]) -> Iterator[Fold]:
    """Each part of the document folds with the deeper ones after it."""
    waiting: list[tuple[int, int]] = []
    last = 0
    for placed in cells:
        for depth, start in placed.cell.sections:
            if placed.cell.text[:start].strip(" \t\r\n"):
                last = last_line(placed, start)
            while waiting and waiting[-1][0] >= depth:
                yield Fold(waiting.pop()[1], last, FoldKind.REGION)
            waiting.append((depth, line_of(placed, start)))
        last = last_line(placed)
    while waiting:
        yield Fold(waiting.pop()[1], last, FoldKind.REGION)


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

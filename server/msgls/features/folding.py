"""Folding: which lines can be folded, and what is shown in their place.

Folds come from nodes, from the sections of a document that cells or headings start, and from the
format: runs of tool cells, streams. Folds nest: of two that cross, the one that begins first is
kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.syntax.nodes import FoldKind
from msgls.text.work import MANY, Pausing, Work, gathered

# How many characters are stripped at once.
_WINDOW = 1_024
_BITS = 32


class Fold(NamedTuple):
    """Lines that can be folded into the first one."""

    start_line: int
    end_line: int
    kind: FoldKind | None = None
    text: str | None = None
    """What is shown in place of the folded lines."""


@Pausing
def folding(snapshot: Snapshot) -> Work[list[Fold]]:
    """All folds, outer ones first."""
    document = snapshot.document
    found = yield from _parts(document)
    found += yield from language_of(document).folds(document)
    for placed in document.cells():
        yield from placed.cell.reading("nodes")
        found += yield from gathered(_in_cell(placed), MANY)
        yield
    return (yield from _nested(found))


def line_of(placed: Placed, offset: int) -> int:
    """The line of an offset in a cell."""
    return placed.start_line + bisect_right(placed.cell.line_starts, offset) - 1


def last_line(placed: Placed, end: int | None = None) -> int:
    """The last line of a cell before ``end`` that is not blank."""
    return line_of(placed, max(_said_end(placed.cell.text, end) - 1, 0))


def _said_end(text: str, end: int | None = None) -> int:
    """The end of the text before ``end``, without blanks; 0 if there is only blank text."""
    end = len(text) if end is None else end
    while end > 0:
        # Not all at once: the text before may be megabytes long.
        start = max(end - _WINDOW, 0)
        said = len(text[start:end].rstrip(" \t\r\n"))
        if said:
            return start + said
        end = start
    return 0


def _in_cell(placed: Placed) -> Iterator[Fold]:
    for node in placed.cell.nodes:
        if node.fold is not None:
            kind = None if node.fold is FoldKind.BLOCK else node.fold
            start, end = line_of(placed, node.span.start), last_line(placed, node.span.end)
            yield Fold(start, end, kind, node.label or None)


def _parts(document: Document) -> Work[list[Fold]]:
    """The folds of the sections of a document, each with the deeper ones after it."""
    found: list[Fold] = []
    waiting: list[tuple[int, int]] = []
    """The sections that have not ended: the depth and the index in ``found`` of each."""
    last = 0

    def close(depth: int) -> None:
        while waiting and waiting[-1][0] >= depth:
            number = waiting.pop()[1]
            found[number] = found[number]._replace(end_line=last)

    for placed in document.cells():
        for depth, start in placed.cell.sections:
            said = _said_end(placed.cell.text, start)
            last = line_of(placed, said - 1) if said else last
            close(depth)
            waiting.append((depth, len(found)))
            first = line_of(placed, start)
            found.append(Fold(first, first, FoldKind.REGION))
        last = last_line(placed)
        yield
    close(0)
    return found


def _nested(folds: list[Fold]) -> Work[list[Fold]]:
    """The folds in order, each once, without those of one line and those that cross another."""
    # Start, end and index packed into one integer: very many of these are sorted fast.
    places: list[int] = []
    for number, (start_line, end_line, _, _) in enumerate(folds):
        if end_line > start_line:
            places.append((start_line << 2 * _BITS) - (end_line << _BITS) + number)
        yield
    places.sort()
    kept: list[Fold] = []
    around: list[int] = []
    before: int | None = None
    for place in places:
        if place >> _BITS != before:
            before = place >> _BITS
            fold = folds[place & ((1 << _BITS) - 1)]
            while around and around[-1] < fold.start_line:
                around.pop()
            if not around or fold.end_line <= around[-1]:
                kept.append(fold)
                around.append(fold.end_line)
        yield
    return kept

"""Folding in a message: the header, the sections of the body, fences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.chatbuilder.places import header_of
from msgls.features.folding import Fold, FoldKind
from msgls.formats.base import Placed
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.text.phrases import Phrase


def folding(document: Document) -> list[Fold]:
    """Everything that can be folded, outer things first."""
    cells, header = list(document.cells()), header_of(document)
    folds = [] if header is None or not cells else list(_header(cells[0], header))
    folds += _sections(cells)
    for placed in cells:
        folds += _fences(placed)
    unique = {(fold.start_line, fold.end_line): fold for fold in reversed(folds)}
    return sorted(unique.values(), key=lambda fold: (fold.start_line, -fold.end_line))


def _line_in(placed: Placed, offset: int) -> int:
    return placed.start_line + bisect_right(placed.cell.line_starts, offset) - 1


def _last_line(placed: Placed) -> int:
    """The last line of a cell that is not blank."""
    return _line_in(placed, max(len(placed.cell.text.rstrip(" \t\r\n")) - 1, 0))


def _header(placed: Placed, header: MessageHeader) -> Iterator[Fold]:
    if not header.lines:
        return
    first, last = (_line_in(placed, header.lines[n].span.start) for n in (0, -1))
    if last > first:
        role = header.known_role
        text = Phrase("header · {role}", role=role) if role else Phrase("header")
        yield Fold(first, last, FoldKind.IMPORTS, text)


def _sections(cells: list[Placed]) -> Iterator[Fold]:
    """Each heading folds with all up to the next one of its level or a higher one."""
    waiting: list[tuple[int, int]] = []
    last = 0
    for placed in cells:
        for heading in placed.cell.headings:
            line = _line_in(placed, heading.span.start)
            before = _last_before(placed, heading.span.start, last)
            while waiting and waiting[-1][0] >= heading.level:
                yield from _region(waiting.pop()[1], before)
            waiting.append((heading.level, line))
        last = _last_line(placed)
    while waiting:
        yield from _region(waiting.pop()[1], last)


def _last_before(placed: Placed, offset: int, last: int) -> int:
    """The last line before ``offset`` that is not blank: in the cell, or before it."""
    said = len(placed.cell.text[:offset].rstrip(" \t\r\n"))
    return _line_in(placed, said - 1) if said else last


def _region(start: int, end: int) -> Iterator[Fold]:
    if end > start:
        yield Fold(start, end, FoldKind.REGION)


def _fences(placed: Placed) -> Iterator[Fold]:
    for fence in placed.cell.fences:
        start, end = _line_in(placed, fence.span.start), _line_in(placed, fence.span.end)
        if fence.close is None:
            end = max(end - 1, start)
        if end > start:
            yield Fold(start, end)

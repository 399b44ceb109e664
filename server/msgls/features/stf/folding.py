"""Folding in a Simple Text Format file: messages, blocks and comments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.folding import Fold, FoldKind
from msgls.features.stf.meaning import cell_of
from msgls.features.stf.outline import block_end
from msgls.formats.base import Placed
from msgls.formats.stf.calls import commands_of
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.lexer import after_break
from msgls.model.cells import CellKind
from msgls.text.spans import Span


def folding(document: Document) -> list[Fold]:
    """Everything that can be folded, outer things first."""
    folds: dict[tuple[int, int], Fold] = {}
    for placed in document.cells():
        cell = cell_of(placed)
        for fold in () if cell is None else _cell_folds(placed, cell):
            folds.setdefault((fold.start_line, fold.end_line), fold)
    return sorted(folds.values(), key=lambda fold: (fold.start_line, -fold.end_line))


def _cell_folds(placed: Placed, cell: StfCell) -> Iterator[Fold]:
    if cell.kind is CellKind.MESSAGE:
        yield from _fold(placed, 0, _visible_end(cell), FoldKind.REGION)
    for command in commands_of(cell):
        if command.spec is not None and command.spec.has_block:
            end = len(cell.text[: block_end(cell, command)].rstrip(" \t\r\n"))
            yield from _fold(placed, command.span.start, end)
    for span in _comments(cell):
        end = len(cell.text[: span.end].rstrip(" \t\r\n"))
        yield from _fold(placed, span.start, end, FoldKind.COMMENT)


def _fold(placed: Placed, start: int, end: int, kind: FoldKind | None = None) -> Iterator[Fold]:
    first, last = _line(placed, start), _line(placed, end)
    if last > first:
        yield Fold(first, last, kind)


def _line(placed: Placed, offset: int) -> int:
    return placed.start_line + bisect_right(placed.cell.line_starts, offset) - 1


def _visible_end(cell: StfCell) -> int:
    return len(cell.text.rstrip(" \t\r\n"))


def _comments(cell: StfCell) -> Iterator[Span]:
    """Block comments, and comments of a line that follow each other as one."""
    run: Span | None = None
    for comment in cell.comments:
        if comment.is_block:
            yield comment.span
            continue
        if run is not None and after_break(cell.text, run.end) == comment.span.start:
            run = Span(run.start, comment.span.end)
            continue
        if run is not None:
            yield run
        run = comment.span
    if run is not None:
        yield run

"""Where somebody types in a Simple Text Format file: the line, and what it is part of.

A line that is being typed seldom parses, so its text is read as it stands; the cell around it
says whether it lies in a comment, in a block, or is the line that a command waits for.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.stf.meaning import cell_of
from msgls.formats.base import Placed
from msgls.formats.stf import SimpleTextFile
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import DIALECTS, Mode
from msgls.formats.stf.lexer import Command
from msgls.text.spans import Edit, Span


class LineKind(Enum):
    """What a line is part of."""

    PLAIN = "plain"
    COMMENT = "comment"
    BLOCK = "block"
    AWAITED = "awaited"
    """The data line of a ``call`` or an ``embed``."""


class Cursor(NamedTuple):
    """A place, and the line around it."""

    document: Document
    offset: int
    before: str
    after: str
    placed: Placed | None
    cell: StfCell | None
    number: int
    """Which cell it is; of an empty document, 0."""
    kind: LineKind
    command: Command | None
    """Whose block or line it is."""
    prefixes: tuple[str, ...]
    """The prefixes that start a command here: both, where no line has told the dialect."""

    @property
    def line_start(self) -> int:
        """Where the line starts in its cell."""
        base = 0 if self.placed is None else self.placed.start_offset
        return self.offset - len(self.before) - base

    def edit(self, typed: str, rest: str, text: str) -> Edit:
        """Put ``text`` for what was typed and for the ``rest`` that it stands in front of."""
        return Edit(Span(self.offset - len(typed), self.offset + len(rest)), text)


def cursor_at(document: Document, offset: int) -> Cursor:
    """The cursor at an offset, wherever that lies."""
    offset = min(max(offset, 0), len(document.store))
    line, column = document.position_of(offset)
    text = document.store.line_text(line)
    # Between the two characters of a line break: the end of the line is meant.
    offset = min(offset, document.store.line_span(line).end)
    number = document.number_at_offset(offset)
    placed = None if number is None else document.cell_number(number)
    cell = cell_of(placed)
    before, after = text[:column], text[column:]
    if offset - column == 0 and before.startswith("\ufeff"):
        before = before[1:]
    start = offset - len(before) - (0 if placed is None else placed.start_offset)
    kind, command = (LineKind.PLAIN, None) if cell is None else _kind(cell, start)
    prefixes = _prefixes(document, cell, start)
    return Cursor(
        document, offset, before, after, placed, cell, number or 0, kind, command, prefixes
    )


def _prefixes(document: Document, cell: StfCell | None, start: int) -> tuple[str, ...]:
    if isinstance(document.format, SimpleTextFile) and document.format.dialect:
        return (document.format.dialect,)
    if cell is None or cell.dialect not in DIALECTS:
        last = document.cell_number(document.cell_count - 1) if document.cell_count else None
        told = cell_of(last)
        return (told.dialect,) if told is not None and told.dialect in DIALECTS else DIALECTS
    # The line that tells the dialect may still tell another one.
    marks = cell.marks
    is_first = bool(marks) and cell.tells_dialect(Span(start, start)) and len(marks) == 1
    return DIALECTS if is_first and not document.cell_count > 1 else (cell.dialect,)


def _kind(cell: StfCell, start: int) -> tuple[LineKind, Command | None]:
    for comment in cell.comments:
        is_over = comment.is_closed and start > comment.span.end
        if comment.is_block and comment.span.start < start and not is_over:
            return LineKind.COMMENT, None
    last: Command | None = None
    for command in cell.commands:
        if command.span.start >= start:
            break
        if command.spec is not None and not command.in_block:
            last = command
    if last is None or last.spec is None:
        return LineKind.PLAIN, None
    if last.spec.has_block and (last.end is None or start <= last.end.start):
        return LineKind.BLOCK, last
    waits = last.data is None or last.data.start == start
    if last.spec.mode is Mode.LINE and waits:
        return LineKind.AWAITED, last
    return LineKind.PLAIN, None

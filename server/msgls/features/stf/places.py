"""Places in a Simple Text Format file: what is under the cursor.

Reads one cell. Spans of a ``Place`` are absolute.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features import cursor
from msgls.features.stf.meaning import cell_of, dialect_of
from msgls.formats.base import Placed
from msgls.formats.stf import SimpleTextFile
from msgls.formats.stf.arguments import Argument
from msgls.formats.stf.calls import id_at
from msgls.formats.stf.cells import IdPlace, StfCell
from msgls.formats.stf.commands import DIALECTS, Mode
from msgls.formats.stf.lexer import Command
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_CODES = lazy_pattern(r"[@;][ \t]*(?:#|//)+[ \t]*msgls:[ \t]*ignore[ \t]+([A-Za-z0-9 \t,-]+)")
_CODE = lazy_pattern(r"[A-Za-z0-9-]+")


class PlaceKind(Enum):
    """The kind of a place."""

    COMMAND = "command"
    END = "end"
    KEY = "key"
    VALUE = "value"
    ID = "id"
    """An id, in an argument or in a raw block."""
    TOOL = "tool"
    """The name of the tool that is called."""
    PATH = "path"
    """The path or URL of an embedded file."""
    RULE = "rule"
    ESCAPE = "escape"
    """A doubled prefix."""


class Place(NamedTuple):
    """What is under the cursor."""

    kind: PlaceKind
    placed: Placed
    cell: StfCell
    span: Span
    text: str
    command: Command | None = None
    argument: Argument | None = None
    id: IdPlace | None = None


def place_at(document: Document, offset: int) -> Place | None:
    """The item at ``offset``, if it has a hover."""
    placed = document.cell_at_offset(offset)
    if placed is None:
        return None
    found = _Finder(placed, cell_of(placed), offset - placed.start_offset).find()
    return None if found is None else found._replace(span=found.span.shift(placed.start_offset))


class _Finder:
    """Looks for one place; spans are relative to the cell here."""

    def __init__(self, placed: Placed, cell: StfCell, at: int) -> None:
        self.placed = placed
        self.cell = cell
        self.at = at
        commands = cell.commands
        number = bisect_right(commands, at, key=lambda command: command.span.start) - 1
        self.command = commands[number] if number >= 0 else None

    def _place(self, kind: PlaceKind, span: Span, text: str | None = None) -> Place:
        said = span.of(self.cell.text) if text is None else text
        return Place(kind, self.placed, self.cell, span, said, self.command)

    def find(self) -> Place | None:
        command = self.command
        if command is not None and command.is_read:
            found = self._on_line(command) if command.span.contains(self.at) else None
            found = found or self._in_data(command)
            if found is not None:
                return found
        identifier = id_at(self.cell, self.at)
        if identifier is not None:
            return self._id(identifier)
        return self._end() or self._rule() or self._escape()

    def _id(self, identifier: IdPlace) -> Place:
        place = self._place(PlaceKind.ID, identifier.span, identifier.text)
        return place._replace(id=identifier)

    def _on_line(self, command: Command) -> Place | None:
        if self.at <= command.word_span.end:
            head = Span(command.span.start, command.word_span.end)
            return self._place(PlaceKind.COMMAND, head, command.word)
        identifier = id_at(self.cell, self.at)
        base = command.rest.start
        for argument in self.cell.arguments(command).items:
            key, value = argument.key_span.shift(base), argument.value_span.shift(base)
            if key.contains(self.at):
                place = self._place(PlaceKind.KEY, key, argument.key)
                return place._replace(argument=argument)
            if value.contains(self.at):
                if identifier is not None and identifier.written == value:
                    return self._id(identifier)._replace(argument=argument)
                place = self._place(PlaceKind.VALUE, value, argument.value)
                return place._replace(argument=argument)
        return None

    def _in_data(self, command: Command) -> Place | None:
        line = self.cell.data_line(command)
        if line is None or not line.contains(self.at) or command.spec is None:
            return None
        if command.spec.name == "embed":
            return self._place(PlaceKind.PATH, line)
        call = self.cell.call_line(command)
        if call is not None and call.name and call.name_span.contains(self.at):
            return self._place(PlaceKind.TOOL, call.name_span)
        return None

    def _end(self) -> Place | None:
        """The line that ends a block."""
        for command in self.cell.commands:
            if command.end is not None and command.end.contains(self.at):
                return self._place(PlaceKind.END, command.end)._replace(command=command)
        return None

    def _rule(self) -> Place | None:
        """A rule that a comment suppresses."""
        for suppression in self.cell.suppressions:
            if not suppression.span.contains(self.at):
                continue
            match = _CODES.match(self.cell.text, *suppression.span)
            if match is None:
                return None
            for code in _CODE.finditer(self.cell.text, *match.span(1)):
                if code.start() <= self.at <= code.end():
                    return self._place(PlaceKind.RULE, Span(*code.span()))
        return None

    def _escape(self) -> Place | None:
        start = line_bounds(self.cell.text, self.at)[0]
        doubled = Span(start, start + 2)
        if not doubled.contains(self.at) or doubled.of(self.cell.text) != self.cell.dialect * 2:
            return None
        comments = self.cell.comments
        if any(comment.is_block and comment.span.contains(start) for comment in comments):
            return None
        return self._place(PlaceKind.ESCAPE, doubled)


# -- Where the cursor is in a Simple Text Format file: the line, and what it is part of.
# A line that is being typed seldom parses, so its text is read as it is; the cell around it tells
# whether the line is in a comment, in a block, or is the data line of a command.


class LineKind(Enum):
    """What a line is part of."""

    PLAIN = "plain"
    COMMENT = "comment"
    BLOCK = "block"
    AWAITED = "awaited"
    """The data line of a ``call`` or an ``embed``."""


class Cursor(cursor.Cursor):
    """A place in a Simple Text Format file, and the line around it."""

    def __init__(self, document: Document, offset: int) -> None:
        super().__init__(document, offset)
        if self.line_start == 0:
            self.before = self.before.removeprefix("\ufeff")
        self.cell = None if self.placed is None else cell_of(self.placed)
        start = self.line_in_cell
        self.kind, self.command = (
            (LineKind.PLAIN, None) if self.cell is None else _kind(self.cell, start)
        )
        """What the line is part of, and the command that it belongs to."""
        self.prefixes = _prefixes(document, self.cell, start)
        """The prefixes that start a command here: both, if no line shows the dialect."""

    @property
    def number(self) -> int:
        """The number of the cell that it is in; 0 in an empty document."""
        return self.document.number_at_offset(self.offset) or 0


def _prefixes(document: Document, cell: StfCell | None, start: int) -> tuple[str, ...]:
    if isinstance(document.format, SimpleTextFile) and document.format.dialect:
        return (document.format.dialect,)
    if cell is None or cell.dialect not in DIALECTS:
        dialect = dialect_of(document)
        return DIALECTS if dialect is None else (dialect,)
    # The line that shows the dialect may still change it.
    marks = cell.marks
    is_first = bool(marks) and cell.shows_dialect(Span(start, start)) and len(marks) == 1
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
        if command.is_read:
            last = command
    if last is None or last.spec is None:
        return LineKind.PLAIN, None
    if last.spec.has_block and (last.end is None or start <= last.end.start):
        return LineKind.BLOCK, last
    waits = last.data is None or last.data.start == start
    if last.spec.mode is Mode.LINE and waits:
        return LineKind.AWAITED, last
    return LineKind.PLAIN, None

"""Conversion from one dialect of the Simple Text Format to the other, as a refactoring.

Owns which lines change how. A message that has no equivalent in the other dialect becomes a raw
one, if that means the same; otherwise the conversion is refused, and the line is named. The result
is parsed again, and must contain the same messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.document.document import Document
from msgls.features.commands import CellChange, RefusedError, moved
from msgls.features.stf.meaning import cell_of, dialect_of
from msgls.formats.base import Placed
from msgls.formats.stf import SimpleTextFile
from msgls.formats.stf.calls import commands_of
from msgls.formats.stf.cells import StfCell, lines_of
from msgls.formats.stf.commands import (
    AT,
    COMMANDS,
    ONE_DIALECT,
    SEMICOLON,
    other_dialect,
)
from msgls.formats.stf.lexer import Command
from msgls.syntax.cells import CellKind
from msgls.text.lines import after_break
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span, apply_edits

NO_DIALECT = Phrase("the dialect of this file is unknown: it has no commands")
_MOST_LOOKED_AT = 20


def convert(document: Document, offset: int) -> CellChange:
    """The edits that write a file in the other dialect."""
    format = document.format
    if isinstance(format, SimpleTextFile) and format.dialect is not None:
        raise RefusedError("the setting for the dialect is `{dialect}`", dialect=format.dialect)
    dialect = dialect_of(document)
    if dialect is None:
        raise RefusedError(NO_DIALECT)
    edits = list(_Conversion(document, other_dialect(dialect)).edits())
    text = document.text
    _check_same(document, document.with_text(apply_edits(text, edits)))
    # One edit: with one for each message, the file would be in two dialects after each of them.
    span = Span(edits[0].span.start, edits[-1].span.end)
    inside = [Edit(edit.span.shift(-span.start), edit.text) for edit in edits]
    whole = Edit(span, apply_edits(span.of(text), inside))
    return CellChange((whole,), _moved(edits, document, offset))


def obstacle(document: Document) -> Phrase | None:
    """Why a file cannot be converted to the other dialect, if that is known.

    Only messages with commands that the other dialect lacks are checked, and not all of very many:
    the conversion may still be refused.
    """
    conversion = _Conversion(document, other_dialect(dialect_of(document) or AT))
    for word in sorted(ONE_DIALECT):
        for entry in document.entries("one-dialect", word)[:_MOST_LOOKED_AT]:
            placed = document.cell(entry.label)
            cell = cell_of(placed)
            if cell.dialect == conversion.old:
                try:
                    conversion.check(placed, cell)
                except RefusedError as refusal:
                    return refusal.phrase
    return None


def _moved(edits: Sequence[Edit], document: Document, offset: int) -> int:
    """The start of the message that the cursor is in, in the text after the edits."""
    placed = document.cell_at_offset(offset)
    start = 0 if placed is None else placed.start_offset
    return moved(start, edits)


class _Conversion:
    def __init__(self, document: Document, prefix: str) -> None:
        self.document = document
        self.prefix = prefix
        """The prefix of the new dialect."""
        self.old = other_dialect(prefix)
        self.newline = document.newline
        self.messages: Sequence[Any] | None = None

    def edits(self) -> Iterator[Edit]:
        """One edit for each cell that changes."""
        number = -1
        for placed in self.document.cells():
            cell = cell_of(placed)
            number += cell.kind is CellKind.MESSAGE
            text = self._cell(placed, cell, number)
            if text != cell.text:
                yield Edit(placed.span, text)

    def check(self, placed: Placed, cell: StfCell) -> None:
        """Raise ``RefusedError`` if a cell cannot be converted, whatever is around it."""
        missing = self._missing(placed, cell)
        if not missing or self.prefix == AT:
            self._after_flush(placed, cell, missing)
            return
        # A message that inherits its role is not complete alone, and so is not checked.
        alone = self.document.with_text(cell.text)
        for message in read_document(alone).messages:
            self._as_raw(placed, missing, message)

    def _missing(self, placed: Placed, cell: StfCell) -> list[Command]:
        """The commands of a cell that the new dialect lacks. Raises if one has no replacement."""
        known = COMMANDS[self.prefix]
        missing = [
            command
            for command in commands_of(cell)
            if command.spec is not None and command.spec.name not in known
        ]
        for command in missing:
            stands_in = command.word == ("flush" if self.prefix == AT else "call")
            if not stands_in or (self.prefix == SEMICOLON and cell.kind is not CellKind.MESSAGE):
                raise self._refusal(placed, command)
        return missing

    def _cell(self, placed: Placed, cell: StfCell, number: int) -> str:
        missing = self._missing(placed, cell)
        if missing and self.prefix == SEMICOLON:
            return self._raw(placed, cell, missing, number)
        cut = self._after_flush(placed, cell, missing)
        return "".join([self._line(cell, line) for line in lines_of(cell.text, Span(0, cut))])

    def _refusal(self, placed: Placed, command: Command) -> RefusedError:
        line = self.document.position_of(placed.start_offset + command.span.start).line + 1
        return RefusedError(
            "line {line}: `{word}` is not available in the dialect `{prefix}`",
            line=line,
            word=command.word,
            prefix=self.prefix,
        )

    def _after_flush(self, placed: Placed, cell: StfCell, flushes: Sequence[Command]) -> int:
        """The end of the lines that stay: a ``flush`` and the blank lines after it are removed."""
        if not flushes:
            return cell.length
        first = flushes[0]
        rest = cell.text[after_break(cell.text, first.span.end) :]
        if rest.strip(" \t\r\n"):
            raise self._refusal(placed, first)
        return first.span.start

    def _line(self, cell: StfCell, line: Span) -> str:
        """A line in the new dialect, with its prefix replaced or escaped."""
        text = line.of(cell.text)
        mark = ""
        if cell.at_start and line.start == 0 and text.startswith("\ufeff"):
            mark, text = "\ufeff", text[1:]
        if text.startswith(self.old * 2):
            return mark + text[1:]
        if text.startswith(self.old):
            return mark + self.prefix + text[1:]
        return mark + (self.prefix if text.startswith(self.prefix) else "") + text

    def _raw(self, placed: Placed, cell: StfCell, missing: Sequence[Command], number: int) -> str:
        """A message with calls as a raw one; its comments follow it."""
        if self.messages is None:
            self.messages = read_document(self.document).messages
        written = self._as_raw(placed, missing, self.messages[number])
        text = written.replace("\n", self.newline)
        for comment in cell.comments:
            for line in lines_of(cell.text, Span(comment.span.start, comment.span.end)):
                text += self._line(cell, line)
            text += "" if text.endswith(("\n", "\r")) else self.newline
        return ("\ufeff" if cell.at_start and cell.text.startswith("\ufeff") else "") + text

    def _as_raw(self, placed: Placed, missing: Sequence[Command], message: Any) -> str:
        from msgls.conversation.conversation import Conversation

        alone = Conversation((_alone(message),), ((),))
        written, losses = write_as(SimpleTextFile(self.prefix), alone)
        if losses:
            raise self._refusal(placed, missing[0])
        return written


def _alone(message: Any) -> Any:
    """A message as the only one of a file, without metadata of the file."""
    from msgls.conversation.conversation import derive_run_id
    from msgls.conversation.messages import Message

    wire = message.to_wire()
    kept = {"role": wire["role"], "parts": wire["parts"]}
    meta = {key: value for key, value in wire.get("meta", {}).items() if key != "file"}
    if meta:
        kept["meta"] = meta
    run_id = derive_run_id([kept])
    return Message.from_wire({"runId": run_id, "timestamp": wire["timestamp"], **kept})


def _check_same(before: Document, after: Document) -> None:
    """Refuse unless the messages are the same; only the dialect in the metadata may differ."""
    if _messages_in(before) != _messages_in(after):
        raise RefusedError("the file would change its meaning in the other dialect")


def _messages_in(document: Document) -> list[Any]:
    said = []
    for message in read_document(document).messages:
        wire = message.to_wire()
        wire.pop("runId", None)
        meta = dict(wire.pop("meta", {}))
        file = {key: value for key, value in meta.pop("file", {}).items() if key != "dialect"}
        said.append((wire, meta, file))
    return said

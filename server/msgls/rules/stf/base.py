"""What the rules of the Simple Text Format share: the kind of cell, and lines as edits.

Owns no rule. Spans are relative to the cell unless a name says otherwise.
"""

import json
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgls.document.document import Document
from msgls.formats.stf.arguments import Arguments, quote
from msgls.formats.stf.cells import IdPlace, StfCell
from msgls.formats.stf.commands import AT, DIALECTS
from msgls.formats.stf.lexer import Command
from msgls.rules.base import CellRule, Problem, Subject
from msgls.text.lines import after_break, newline_of
from msgls.text.spans import Edit, Span


class StfRule(CellRule):
    """Looks at one message, or at what is before the first one."""

    def check(self, subject: Subject) -> Iterable[Problem]:
        """What is wrong with that cell."""
        cell = subject.cell
        return self.find(cell, subject) if isinstance(cell, StfCell) else ()

    @abstractmethod
    def find(self, cell: StfCell, subject: Subject) -> Iterable[Problem]:
        """What is wrong with that message."""


def stf_cell(document: Document, label: int) -> tuple[StfCell, int]:
    """The cell with that label, and where it starts."""
    placed = document.cell(label)
    assert isinstance(placed.cell, StfCell), "the problem was found in such a cell"
    return placed.cell, placed.start_offset


# One rule after the other asks for them.
@lru_cache(maxsize=4)
def with_arguments(cell: StfCell) -> Sequence[tuple[Command, Arguments]]:
    """The commands that are known and stand where they may, with their arguments."""
    return tuple(
        [(command, cell.arguments(command)) for command in cell.commands if command.is_read]
    )


def head(command: Command) -> Span:
    """A command with its prefix, without what follows."""
    start = command.span.start
    return Span(start, command.word_span.end if command.word else start + 1)


def prefix_of(cell: StfCell) -> str:
    """The prefix to write commands with, in a cell that has some."""
    return cell.dialect if cell.dialect in DIALECTS else AT


def prefix_in(document: Document) -> str:
    """The prefix to write commands with, wherever in a document."""
    last = document.cell_number(document.cell_count - 1).cell
    return prefix_of(last) if isinstance(last, StfCell) else AT


def removed_line(cell: StfCell, start_offset: int, line: Span) -> Edit:
    """Take a line away, with its line break; absolute."""
    return Edit(Span(line.start, after_break(cell.text, line.end)).shift(start_offset), "")


def written_id(place: IdPlace, text: str) -> str:
    """An id as it is written where another one is."""
    if not place.in_json:
        return quote(text)
    return json.dumps(text, ensure_ascii=False)


def made_text(cell: StfCell, start_offset: int, line: Span) -> Edit:
    """Double the prefix of a line, so that the line is text; absolute."""
    return Edit(Span(line.start, line.start).shift(start_offset), prefix_of(cell))


def inserted_line(cell: StfCell, start_offset: int, offset: int, line: str) -> Edit:
    """Put a line where another one starts, or at the end; absolute."""
    newline = newline_of(cell.text)
    at = Span(offset, offset).shift(start_offset)
    if offset and cell.text[offset - 1] not in "\r\n" and cell.text[:offset] != "\ufeff":
        return Edit(at, newline + line)
    return Edit(at, line + newline)

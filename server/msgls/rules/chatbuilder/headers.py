"""What rules on the header of a message share: how it is found, and where lines go.

Owns the base class of such rules, and the edits that put lines into a header.
"""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable

from msgls.document.document import Document
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.formats.chatbuilder.fields import ROLE
from msgls.formats.chatbuilder.header import Field, MessageHeader
from msgls.rules.base import CellRule, Problem, Subject
from msgls.syntax.cells import Cell
from msgls.text.spans import Edit, Span


class HeaderRule(CellRule):
    """Looks at the header of a file."""

    def check(self, subject: Subject) -> Iterable[Problem]:
        """What is wrong with the header, if this cell has it."""
        header = header_in(subject.cell)
        return () if header is None else self.check_header(subject, header)

    @abstractmethod
    def check_header(self, subject: Subject, header: MessageHeader) -> Iterable[Problem]:
        """What is wrong with that header."""


def header_in(cell: Cell) -> MessageHeader | None:
    """The header, if a cell holds one."""
    return cell.message_header if isinstance(cell, ChatBuilderCell) else None


def header_of(document: Document) -> MessageHeader:
    """The header of a file that has one."""
    first = document.first_cell()
    header = None if first is None else header_in(first.cell)
    if header is None:
        raise LookupError("the document has no header")
    return header


def field_at(header: MessageHeader, span: Span) -> Field:
    """The field that a problem is on."""
    fields = header.fields
    number = bisect_right(fields, span.start, key=lambda field: field.line.start) - 1
    if number < 0 or not fields[number].line.covers(span):
        raise LookupError("the problem is not on a field")
    return fields[number]


def insert_role(document: Document, header: MessageHeader, role: str) -> Edit:
    """The line with the role, below the others and set apart from them."""
    newline = document.newline
    line = f"; {ROLE}: {role}"
    if not header.lines:
        # In place of empty lines above: two of them would be the end of a header of nothing.
        return Edit(header.gap, line + newline * 3)
    lone = "" if header.lines[-1].is_lone else newline + ";"
    return Edit(Span(header.end, header.end), lone + newline + line)

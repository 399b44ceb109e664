"""What a selection in a message file grows to beyond the cell: the turn, and the section."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.msgmd.section import section_of
from msgls.syntax.cells import CellKind
from msgls.text.spans import Span


def groups(document: Document, number: int) -> Iterator[Span]:
    """The turn around a cell, and the section that holds the record."""
    yield _turn(document, number)
    section = section_of(document)
    if section is not None and section.headings:
        yield Span(section.headings[0].span.start, section.record.end)


def _turn(document: Document, number: int) -> Span:
    """A message with all outputs up to the next message."""
    first = number
    while first > 0 and document.cell_number(first).cell.kind is CellKind.OUTPUT:
        first -= 1
    last = number
    while last + 1 < document.cell_count:
        if document.cell_number(last + 1).cell.kind is not CellKind.OUTPUT:
            break
        last += 1
    return Span(document.cell_number(first).span.start, document.cell_number(last).span.end)

"""Growing selections in a message file: word, attribute, line, block, cell, turn, section."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.selection import growing, paragraph
from msgls.formats.base import Placed
from msgls.formats.msgmd.section import section_of
from msgls.model.cells import CellKind
from msgls.text.lines import line_bounds
from msgls.text.spans import Span

_WORD = re.compile(r"\w+")


def selection_spans(document: Document, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute."""
    number = document.number_at_offset(offset)
    if number is None:
        return [Span(0, 0)]
    placed = document.cell_number(number)
    base = placed.start_offset
    spans = [span.shift(base) for span in _inside(placed, offset - base)]
    spans += [placed.span, _turn(document, number), *_section(document)]
    spans.append(Span(0, len(document.store)))
    return growing(spans, offset)


def _inside(placed: Placed, at: int) -> Iterator[Span]:
    cell = placed.cell
    start, end = line_bounds(cell.text, min(at, len(cell.text)))
    for match in _WORD.finditer(cell.text, start, end):
        yield Span(*match.span())
    header = cell.header
    if header is not None and header.span.contains(at):
        yield header.title
        if header.id is not None:
            yield from header.id.segment_spans
            yield header.id.span
    for definition in cell.definitions:
        if definition.span.contains(at):
            yield from definition.id.segment_spans
            yield definition.id.span
            for attribute in definition.attributes:
                yield attribute.value_span
                yield attribute.span
    yield Span(start, end)
    block = next((f.content for f in cell.fences if f.content.contains(at)), cell.body)
    yield paragraph(cell.text, block, at)
    for fence in cell.fences:
        yield fence.content
        yield fence.span
    content = cell.body.start if cell.home is None else cell.home.span.end
    yield Span(min(content, len(cell.text)), len(cell.text))


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


def _section(document: Document) -> Iterator[Span]:
    section = section_of(document)
    if section is not None and section.headings:
        yield Span(section.headings[0].span.start, section.record.end)

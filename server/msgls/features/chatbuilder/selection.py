"""Growing selections in a message: word, value, field, header; line, block, section, body."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.chatbuilder.places import header_of
from msgls.features.selection import growing, paragraph
from msgls.formats.base import Placed
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_WORD = lazy_pattern(r"\w+")


def selection_spans(document: Document, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute."""
    placed, header = document.cell_at_offset(offset), header_of(document)
    if placed is None or header is None:
        return [Span(0, 0)]
    base = placed.start_offset
    text, at = placed.cell.text, min(offset - base, len(placed.cell.text))
    line = Span(*line_bounds(text, at))
    spans = [Span(*match.span()) for match in _WORD.finditer(text, *line)]
    spans.append(line)
    spans += _in_header(header) if offset <= header.end else _in_body(placed, at)
    absolute = [span.shift(base) for span in spans]
    whole = Span(0, len(document.store))
    if offset >= header.body_start:
        absolute += [_section(document, offset), Span(header.body_start, whole.end)]
    return growing([*absolute, whole], offset)


def _in_header(header: MessageHeader) -> Iterator[Span]:
    for field in header.fields:
        yield field.key_span
        yield field.value_span
        yield Span(field.key_span.start, field.value_span.end)
    if header.lines:
        yield Span(header.lines[0].span.start, header.end)


def _in_body(placed: Placed, at: int) -> Iterator[Span]:
    cell = placed.cell
    block = next((f.content for f in cell.fences if f.content.contains(at)), cell.body)
    if block.contains(at):
        yield paragraph(cell.text, block, at)
    for fence in cell.fences:
        yield fence.content
        yield fence.span
    yield cell.body


def _section(document: Document, offset: int) -> Span:
    """The section around ``offset``, with the deeper ones in it."""
    number = document.number_at_offset(offset) or 0
    first = document.cell_number(number)
    end = first.span.end
    if not first.cell.headings or first.cell.headings[0].span.start:
        return Span(first.start_offset + first.cell.body.start, end)
    level = first.cell.headings[0].level
    for following in range(number + 1, document.cell_count):
        placed = document.cell_number(following)
        if placed.cell.headings and placed.cell.headings[0].level <= level:
            break
        end = placed.span.end
    return Span(first.start_offset, end)

"""Growing selections in a Simple Text Format file.

From a word over arguments, lines, paragraphs and blocks to the message, the turn and the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.selection import growing
from msgls.features.stf.meaning import FURTHEST, cell_of, role_of
from msgls.features.stf.outline import block_end
from msgls.formats.stf.calls import calls_in, commands_of
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.lexer import Command
from msgls.text.lines import line_bounds
from msgls.text.spans import Span

_WORD = re.compile(r"\w+")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")


def selection_spans(document: Document, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute."""
    number = document.number_at_offset(offset)
    placed = None if number is None else document.cell_number(number)
    cell = cell_of(placed)
    if number is None or placed is None or cell is None:
        return [Span(0, 0)]
    base = placed.start_offset
    spans = [span.shift(base) for span in _inside(cell, offset - base)]
    spans += [placed.span, _turn(document, number), Span(0, len(document.store))]
    return growing(spans, offset)


def _inside(cell: StfCell, at: int) -> Iterator[Span]:
    start, end = line_bounds(cell.text, min(at, len(cell.text)))
    for match in _WORD.finditer(cell.text, start, end):
        yield Span(*match.span())
    yield Span(start, end)
    for command in commands_of(cell):
        yield from _of_command(cell, command)
    for call in calls_in(cell):
        yield call.span
    for comment in cell.comments:
        yield comment.span
    for data in cell.walk.data:
        if data.span.contains(at):
            yield _paragraph(cell.text, data.span, at)
            yield data.span
    yield cell.body


def _of_command(cell: StfCell, command: Command) -> Iterator[Span]:
    yield command.span
    base = command.rest.start
    for argument in cell.arguments(command).items:
        value = argument.value_span.shift(base)
        if value.of(cell.text)[:1] in ("'", '"') and value.end - value.start > 1:
            yield Span(value.start + 1, value.end - 1)
        yield value
        yield argument.span.shift(base)
    if command.data is not None:
        yield Span(command.span.start, command.data.end)
    if command.block:
        yield Span(command.block[0].start, command.block[-1].end)
        yield Span(command.span.start, block_end(cell, command))


def _paragraph(text: str, block: Span, at: int) -> Span:
    """The lines of ``block`` around ``at`` that no blank line parts."""
    start = block.start
    for match in _BLANK_LINE.finditer(text, block.start, at):
        start = match.end()
    after = _BLANK_LINE.search(text, max(at, block.start), block.end)
    return Span(min(start, at), block.end if after is None else after.start())


def _turn(document: Document, number: int) -> Span:
    """A message of a person with all that answers it."""
    first = last = number
    while first > max(0, number - FURTHEST) and _answers(document, first):
        first -= 1
    while last + 1 < min(document.cell_count, number + FURTHEST) and _answers(document, last + 1):
        last += 1
    return Span(document.cell_number(first).span.start, document.cell_number(last).span.end)


def _answers(document: Document, number: int) -> bool:
    return role_of(document, document.cell_number(number)) in ("assistant", "tool")

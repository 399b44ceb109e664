"""The content of a cell, with a way back to where it is.

Owns the joining of what counts as content (the body without definitions that count for a cell, and
without the backslashes of escaped lines) and the mapping of spans in it to spans in the cell.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from msgls.formats.base import Placed, View
from msgls.formats.msgmd.content import (
    SUPPRESSION_MARK,
    escape_offsets,
    read_call,
    trim_blank_lines,
)
from msgls.formats.msgmd.meaning import is_honoured, own_home
from msgls.syntax.cells import Cell
from msgls.text.lines import after_break
from msgls.text.spans import Span


class MappedText(NamedTuple):
    """A text that is joined from pieces of a cell."""

    text: str
    pieces: tuple[Span, ...]
    """Where the pieces stand in the cell; they may reach beyond ``text`` on both sides."""
    skipped: int
    """How much of the joined pieces is before ``text``."""

    def in_cell(self, span: Span) -> Span:
        """Where a span of the text is in the cell."""
        if not self.pieces:
            return span
        ends = list(accumulate(piece.length for piece in self.pieces))
        start = self._offset(ends, span.start + self.skipped)
        if span.end <= span.start:
            return Span(start, start)
        return Span(start, self._offset(ends, span.end - 1 + self.skipped) + 1)

    def _offset(self, ends: list[int], offset: int) -> int:
        number = min(bisect_right(ends, offset), len(ends) - 1)
        return self.pieces[number].end - (ends[number] - offset)

    def part(self, text: str, start: int) -> MappedText:
        """``text``, which is at ``start`` in this one."""
        return MappedText(text, self.pieces, self.skipped + start)


def mapped_content(view: View, placed: Placed) -> MappedText:
    """The content of a cell: what is between its header and the next."""
    cell = placed.cell
    pieces: list[Span] = []
    start = cell.body.start
    cuts = _cuts(view, placed)
    if len(cuts) > 1:
        cuts.sort()
    for cut in cuts:
        if cut.end > start:
            pieces.append(Span(start, max(cut.start, start)))
            start = cut.end
    pieces.append(Span(start, max(cell.body.end, start)))
    cell_text = cell.text
    joined = "".join([cell_text[start:end] for start, end in pieces])
    text = trim_blank_lines(joined)
    # What is cut off is blank, so the first place that holds the rest is the right one.
    return MappedText(text, tuple(pieces), joined.index(text))


def mapped_call(view: View, placed: Placed) -> MappedText:
    """The XML of a tool call, bare or inside the one fence that holds it."""
    content = mapped_content(view, placed)
    body = read_call(content.text)
    if not body.fence:
        return content
    opening = min(i for i in (content.text.find("\n"), content.text.find("\r")) if i >= 0)
    return content.part(body.xml, content.text.index(body.xml, opening))


def _cuts(view: View, placed: Placed) -> list[Span]:
    cell = placed.cell
    own = own_home(cell)
    cuts = [
        _whole_line(cell, definition.span)
        for definition in cell.definitions
        if definition is own or is_honoured(view, placed, definition)
    ]
    if SUPPRESSION_MARK in cell.text:
        cuts += [_whole_line(cell, suppression.span) for suppression in cell.suppressions]
    cuts += [Span(at, at + 1) for at in escape_offsets(cell)]
    return cuts


def _whole_line(cell: Cell, line: Span) -> Span:
    return Span(line.start, after_break(cell.text, line.end))

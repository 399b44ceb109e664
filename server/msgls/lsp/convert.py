"""Conversion of spans to ranges and back, and of texts to a form that the client can show.

The only place where positions are encoded.

Everything outside of ``lsp/`` counts code points from the start of a document;
clients count lines and the units of the encoding that was negotiated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from lsprotocol import types as lsp

from msgls.document.document import Document
from msgls.features import markup
from msgls.formats.base import Placed
from msgls.text.lines import Encoding, Position, column_to_units
from msgls.text.spans import Edit, Span
from msgls.text.store import Store


def position_at(text: Document | Store[Any], offset: int, encoding: Encoding) -> dict[str, int]:
    """An offset as a position on the wire."""
    line, character = text.position_of(offset, encoding)
    return {"line": line, "character": character}


def range_of(text: Document | Store[Any], span: Span, encoding: Encoding) -> dict[str, Any]:
    """A span as a range on the wire."""
    return {
        "start": position_at(text, span.start, encoding),
        "end": position_at(text, span.end, encoding),
    }


def offset_at(document: Document, position: lsp.Position, encoding: Encoding) -> int:
    """A position as an offset, clamped."""
    return document.offset_of(Position(position.line, position.character), encoding)


def span_of(document: Document, range_: lsp.Range, encoding: Encoding) -> Span:
    """A range as a span; the ends of a backward range are swapped."""
    start = offset_at(document, range_.start, encoding)
    end = offset_at(document, range_.end, encoding)
    return Span(min(start, end), max(start, end))


def text_edits(
    document: Document, edits: Iterable[Edit], encoding: Encoding
) -> list[dict[str, Any]]:
    """Edits as text edits on the wire."""
    return [text_edit(document, edit, encoding) for edit in edits]


def text_edit(document: Document, edit: Edit, encoding: Encoding) -> dict[str, Any]:
    """An edit as a text edit on the wire."""
    return {"range": range_of(document, edit.span, encoding), "newText": edit.text}


class Lines(Protocol):
    """A text whose lines are known: a cell, or a piece of one."""

    @property
    def text(self) -> str:
        """Its characters."""

    @property
    def line_starts(self) -> Sequence[int]:
        """Where its lines start."""


class TextRanges:
    """Converts many spans of one run of lines, without a walk through the document for each."""

    __slots__ = ("_column", "_encoding", "_offset", "_start_line", "_starts", "_text")

    def __init__(self, text: Lines, start_line: int, encoding: Encoding) -> None:
        self._text = text.text
        self._starts = text.line_starts
        self._start_line = start_line
        self._encoding = encoding
        self._offset, self._column = -1, 0
        """The place that was asked for last, and its column."""

    @classmethod
    def of(cls, placed: Placed, encoding: Encoding) -> TextRanges:
        """Those in a cell."""
        return cls(placed.cell, placed.start_line, encoding)

    def position(self, offset: int) -> dict[str, int]:
        """An offset in it as a position."""
        number = bisect_right(self._starts, offset) - 1
        start, before = self._starts[number], 0
        if start <= self._offset <= offset:
            # From the place before: a line may be megabytes long, and have very many.
            start, before = self._offset, self._column
        column = before + column_to_units(self._text[start:offset], offset - start, self._encoding)
        self._offset, self._column = offset, column
        return {"line": self._start_line + number, "character": column}

    def range(self, span: Span) -> dict[str, Any]:
        """A span in it as a range."""
        return {"start": self.position(span.start), "end": self.position(span.end)}

    @property
    def end(self) -> dict[str, int]:
        """The end of the last line that is not blank."""
        return self.position(len(self._text.rstrip(" \t\r\n")))


def content(
    parts: tuple[markup.Part, ...], formats: Iterable[Any] | None, language: str
) -> dict[str, str]:
    """A text in the form that the client prefers; plain if it names none that we know."""
    wanted = [getattr(format, "value", format) for format in formats or ()]
    kind = next((name for name in wanted if name in ("markdown", "plaintext")), "plaintext")
    write = markup.markdown if kind == "markdown" else markup.plain
    return {"kind": kind, "value": write(parts, language)}

"""From pieces to a cell: the first one with the header, and one for each section below.

Owns the shape of ``ChatBuilderCell``. What stands below the header up to the first
heading belongs to the first cell; each heading outside of fences starts another. All
parts are read when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgls.formats.chatbuilder.fields import UUID
from msgls.formats.chatbuilder.header import SEPARATED, MessageHeader, parse_header
from msgls.formats.chatbuilder.lines import START, ReadPiece
from msgls.formats.msgmd.cells import parse_cell as parse_markdown
from msgls.syntax.cells import (
    Cell,
    CellKind,
    Facts,
    Fence,
    Heading,
    NoParts,
    Suppression,
    lazy,
)
from msgls.syntax.names import Name
from msgls.syntax.nodes import Link, Node
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

FIELD_RELATION = "field"
"""The index says the values of every field by its key; and of a UUID, that it is there."""
OWN_KEY = "msgls"
"""The field of ours, which silences rules."""

_IGNORED = lazy_pattern(r"ignore[ \t]+([A-Za-z0-9, \t-]+)")

Parts = Sequence[tuple[ReadPiece, str]]


class ChatBuilderCell(Cell):
    """The header with what follows it, or a section of the body."""

    _source: _Source

    @property
    def message_header(self) -> MessageHeader | None:
        """The header; a section has none."""
        return self._source.message_header

    @lazy
    def nodes(self) -> tuple[Node, ...]:
        """Every node of it."""
        from msgls.formats.chatbuilder.nodes import nodes_in

        return nodes_in(self)

    @lazy
    def links(self) -> tuple[Link, ...]:
        """Relative links and images in the body."""
        from msgls.formats.msgmd.nodes import prose_links

        return prose_links(self)

    @property
    def sections(self) -> list[tuple[int, int]]:
        """What stands below each heading."""
        return [(heading.level, heading.span.start) for heading in self.headings]

    @lazy
    def names(self) -> tuple[Name, ...]:
        """The UUIDs of the header."""
        from msgls.formats.chatbuilder.nodes import names_in

        return () if self.message_header is None else names_in(self.message_header)

    @lazy
    def unescaped(self) -> tuple[Span, ...]:
        """The runs of three or more backticks that start a line of the body, bare."""
        return tuple(self._source.unescaped())


def parse_cell(parts: Parts) -> ChatBuilderCell:
    """The cell that ``parts`` make: each a piece and the state that it is entered in."""
    source = _Source(parts)
    texts = tuple([piece.text for piece, _ in parts])
    header = source.message_header
    if header is None:
        return ChatBuilderCell(CellKind.MESSAGE, texts, None, {}, source)
    return ChatBuilderCell(CellKind.PREAMBLE, texts, None, _facts(header), source)


def _facts(header: MessageHeader) -> Facts:
    values: dict[tuple[str, str], list[object]] = {}
    for field in header.fields:
        values.setdefault((FIELD_RELATION, field.key), []).append(field.value)
        if field.key == UUID and field.value:
            values[UUID, field.value.lower()] = [None]
    return {key: tuple(said) for key, said in values.items()}


class _Source(NoParts):
    """Reads one cell, part by part."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(sum([len(piece.text) for piece, _ in parts]))
        self.parts = parts
        self.message_header: MessageHeader | None = None
        self._markdown: Cell | None = None
        if parts[0][1] == START:
            self.message_header = self._read_header()

    def _read_header(self) -> MessageHeader:
        text, state = "", START
        for piece, entry in self.parts:
            found = piece.scan(entry)
            state = found.state
            if found.body_start >= 0:
                text += piece.text[: found.body_start]
                break
            text += piece.text
        return parse_header(text, state == SEPARATED)

    def body(self) -> Span:
        start = 0 if self.message_header is None else self.message_header.body_start
        return Span(start, self._length)

    def _body_pieces(self) -> Iterator[tuple[int, ReadPiece, str, int]]:
        """Each piece that has a part of the body: its offset, itself, its state, where it starts.

        In the first cell the header may end in any of them; in the others all is body.
        """
        base = 0
        for piece, entry in self.parts:
            start = piece.scan(entry).body_start
            if start >= 0:
                yield base, piece, entry, start
            base += len(piece.text)

    def unescaped(self) -> Iterator[Span]:
        """The bare runs of backticks."""
        for base, piece, _, start in self._body_pieces():
            for run_start, run_end in piece.unescaped(start):
                yield Span(base + run_start, base + run_end)

    def _body_cell(self) -> Cell | None:
        """The body, as the message file reads Markdown."""
        if self._markdown is None:
            pieces = [
                (piece.body(start), piece.body_entry(entry))
                for _, piece, entry, start in self._body_pieces()
            ]
            if pieces:
                self._markdown = parse_markdown(pieces, with_headings=False)
        return self._markdown

    def fences(self) -> tuple[Fence, ...]:  # type: ignore[override]  # there, nobody has any
        markdown, base = self._body_cell(), self.body().start
        return () if markdown is None else tuple([_moved(f, base) for f in markdown.fences])

    def headings(self) -> tuple[Heading, ...]:  # type: ignore[override]  # as fences
        markdown, base = self._body_cell(), self.body().start
        if markdown is None:
            return ()
        return tuple(
            [
                heading._replace(
                    span=heading.span.shift(base), text_span=heading.text_span.shift(base)
                )
                for heading in markdown.headings
            ]
        )

    def suppressions(self) -> tuple[Suppression, ...]:
        """``; msgls: ignore CBM005`` in the header: it holds for the file."""
        found = []
        for field in () if self.message_header is None else self.message_header.fields:
            match = _IGNORED.fullmatch(field.value) if field.key == OWN_KEY else None
            codes = () if match is None else tuple(match.group(1).replace(",", " ").split())
            if codes:
                found.append(Suppression(codes, field.line))
        return tuple(found)


def _moved(fence: Fence, base: int) -> Fence:
    return fence._replace(
        span=fence.span.shift(base),
        fence=fence.fence.shift(base),
        info=fence.info.shift(base),
        content=fence.content.shift(base),
        close=None if fence.close is None else fence.close.shift(base),
    )

"""From pieces to a cell: the first one with the header, and one for each section below.

Owns the shape of ``ChatBuilderCell``. What is below the header up to the first heading belongs
to the first cell; each heading outside of fences starts another. All parts are read on demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgls.formats.chatbuilder.escapes import masked, unescaped_runs
from msgls.formats.chatbuilder.fields import CREATED, ROLE, ROLES, UUID, is_uuid, is_valid
from msgls.formats.chatbuilder.header import (
    SEPARATED,
    START,
    Field,
    Line,
    MessageHeader,
    Scan,
    parse_header,
    scan,
)
from msgls.formats.msgmd.cells import parse_cell as parse_markdown
from msgls.formats.msgmd.lexer import NORMAL, Lexed, lex
from msgls.formats.msgmd.nodes import markdown_nodes, prose_links
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
from msgls.syntax.names import Name, NameKind, Use, name_facts
from msgls.syntax.nodes import FoldKind, Link, Node, NodeKind
from msgls.text.lines import LINE_START, cut_at, has_lone_carriage_return
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

# -- Pieces of a file: how it is cut, and how a piece reads from each state.
# Owns the states that a piece can be entered in: those of the header, and in the body
# those that the message file's lexer has for Markdown, because fences are the same there.
# A file is cut before every line that looks like a heading. Outside of fences such a line
# starts a cell, so that typing in a long body reads one section again, and nothing else.

__all__ = ["START", "ReadPiece", "read", "split"]

_HEADING = r"\#{1,6}(?=[ \t\r\n]|\Z)"
_HEADING_START = lazy_pattern(_HEADING)
_HEADING_LINE = lazy_pattern("^" + _HEADING, 8)  # re.MULTILINE
_HEADING_LINE_AFTER_ANY = lazy_pattern(LINE_START + _HEADING)
# A heading ends the header, and a fence that a list item opens; it is content in any other.
_HEADER_STATES = "^;"
_LIST_FENCE = " "


class ReadPiece:
    """A piece, and how it reads from each state."""

    __slots__ = ("_bodies", "_runs", "_scans", "is_heading", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_heading = _HEADING_START.match(text) is not None
        self._scans: dict[str, Scan] = {}
        self._bodies: dict[int, Lexed] = {}
        self._runs: tuple[tuple[int, int], ...] | None = None

    def starts_cell(self, entry: str) -> bool:
        """Whether a cell begins here: the first of the file, or a section of the body."""
        if entry == START:
            return True
        return self.is_heading and (not entry or entry[0] in (";", _LIST_FENCE))

    def exit(self, entry: str) -> str:
        """The state that the next piece is entered in."""
        found = self.scan(entry)
        if found.body_start < 0:
            return found.state
        return self.body(found.body_start).exit(self.body_entry(entry))

    def scan(self, entry: str) -> Scan:
        """Where the body begins in this piece: at its start, if an earlier one began it."""
        if not entry or entry[0] not in _HEADER_STATES:
            return Scan(0, entry)
        found = self._scans.get(entry)
        if found is None:
            found = self._scans[entry] = scan(self.text, entry)
        return found

    def body_entry(self, entry: str) -> str:
        """The state that the part of the body in this piece is entered in."""
        return NORMAL if entry and entry[0] in _HEADER_STATES else entry

    def body(self, start: int) -> Lexed:
        """The significant lines of what is from ``start`` on."""
        found = self._bodies.get(start)
        if found is None:
            found = self._bodies[start] = lex(masked(self.text[start:]))
        return found

    def unescaped(self, start: int) -> Sequence[tuple[int, int]]:
        """The runs of backticks without a backslash, from ``start`` on."""
        if self._runs is None:
            self._runs = tuple(unescaped_runs(self.text))
        # The body starts with a line: what is before it lies before it as a whole.
        return [run for run in self._runs if run[0] >= start] if start else self._runs


def split(text: str) -> list[str]:
    """Cut ``text`` before every line that looks like a heading, and where it is too long."""
    pattern = _HEADING_LINE_AFTER_ANY if has_lone_carriage_return(text) else _HEADING_LINE
    return cut_at(text, [match.start() for match in pattern.finditer(text)] if "#" in text else ())


def read(text: str) -> ReadPiece:
    """Read a piece by itself."""
    return ReadPiece(text)


FIELD_RELATION = "field"
"""The index says the values of every field by its key."""
OWN_KEY = "msgls"
"""msgls' own field, which suppresses rules."""

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
        return nodes_in(self)

    @lazy
    def links(self) -> tuple[Link, ...]:
        """Relative links and images in the body."""
        return tuple(prose_links(self))

    @property
    def sections(self) -> list[tuple[int, int]]:
        """What is below each heading."""
        return [(heading.level, heading.span.start) for heading in self.headings]

    @lazy
    def names(self) -> tuple[Name, ...]:
        """The UUIDs of the header."""
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
    return {key: tuple(said) for key, said in values.items()} | name_facts(names_in(header))


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

    def fences(self) -> tuple[Fence, ...]:
        markdown, base = self._body_cell(), self.body().start
        return () if markdown is None else tuple([_moved(f, base) for f in markdown.fences])

    def headings(self) -> tuple[Heading, ...]:
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


# -- The nodes of a message, its header and its body as Markdown, and its names: UUIDs.
# A line without its ``;`` and an unknown role have no token: the grammar marks them.

_NUMBERS = ("Version", CREATED)


def nodes_in(cell: ChatBuilderCell) -> tuple[Node, ...]:
    """Every node of a cell; the sections of the body are its cells."""
    header = [] if cell.message_header is None else list(_header(cell.message_header))
    body = [node for node in markdown_nodes(cell, cell.body) if node.kind is not NodeKind.SECTION]
    return (*header, *body)


def _header(header: MessageHeader) -> Iterator[Node]:
    if header.lines:
        role = header.known_role
        label = Phrase("header · {role}", role=role) if role else Phrase("header")
        span = Span(header.lines[0].span.start, header.end)
        yield Node(NodeKind.HEADER, span, (), FoldKind.IMPORTS, label)
    for line in header.lines:
        yield from _line(line)


def _line(line: Line) -> Iterator[Node]:
    field = line.field
    if field is None or field.key == OWN_KEY:
        is_comment = not line.bare and (field is not None or line.comment)
        yield Node(NodeKind.COMMENT, line.span, ("comment",) if is_comment else ())
    if field is None:
        return
    is_coloured = not line.bare and field.key != OWN_KEY
    yield Node(NodeKind.FIELD, Span(field.key_span.start, field.value_span.end))
    key = ("keyword", "declaration") if field.key == ROLE else ("property",)
    yield Node(NodeKind.KEY, field.key_span, key if is_coloured else ())
    token = _value_token(field) if is_coloured and field.value else ()
    yield Node(NodeKind.VALUE, field.value_span, token)


def _value_token(field: Field) -> tuple[str, ...]:
    if field.key == ROLE:
        if field.value not in ROLES:
            return ()
        return ("keyword", "modification") if field.value == ROLES[1] else ("keyword",)
    if is_uuid(field.value):
        return ("enumMember",)
    is_number = field.key in _NUMBERS and is_valid(field.key, field.value)
    return ("number",) if is_number else ("string",)


def names_in(header: MessageHeader) -> tuple[Name, ...]:
    """Every UUID of a header, in order."""
    return tuple(
        [
            Name(
                NameKind.UUID,
                field.value.lower(),
                field.value_span,
                Use.DECLARES if field.key == UUID else Use.USES,
                field.value_span,
            )
            for field in header.fields
            if is_uuid(field.value)
        ]
    )

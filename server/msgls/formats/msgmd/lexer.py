r"""Lines of a message file: where cells may begin, and what fences hide.

Owns everything that can be said of a piece of text by itself: ``split`` cuts at
every line that looks like a marker, ``lex`` finds the lines that mean something
whatever is around them, and ``Lexed.walk`` says, for each *state* the piece
may be entered in, which of those lines count and in which state it is left.

The state is the string that the next line is read in: nothing for ordinary
text, the closing fence (``"```"``) inside a fenced block, with the list item's
indentation before it where the fence belongs to one, ``START`` before the first
character of a file and ``FRONTMATTER`` inside it. A fence opened at the top of
a large file therefore asks every piece for one more walk over a handful of
lines, and reads no text again.

A byte-order mark counts as nothing before the first line of a file, and as an
ordinary character before any other: there, a marker after it is a near miss.

Must not know of ids, definitions or cells: ``cells.py`` makes those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, TypeVar, cast

from msgls.formats.prose import code_spans, is_escaped
from msgls.text.lines import cut_at, has_lone_carriage_return, line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

NORMAL = ""
START = "^"
FRONTMATTER = "-"
# What states start with that a marker ends: those two, and fences in list items. Every
# list item is indented, and no marker is.
_ENDED_BY_MARKER = "^- "

_BOM = "\ufeff"

MARKS = r"\#{1,5}[ \t]+%%%?"
"""What the header of a cell begins with."""
_MARKER = MARKS + r"(?=[ \t\r\n]|\[\^|\Z)"

# Characters that look like a space but are not: a no-break space, U+3000 and the others of their
# kind.
UNICODE_BLANKS = r"\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
# A marker with a character for another: `＃` and `％` of a Chinese keyboard, such a space.
_LIKE_MARKER = rf"[ ]{{0,3}}[\#\uff03]+[ \t{UNICODE_BLANKS}]*[%\uff05]{{2}}"

_LIST_ITEM = r"[ ]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ ]{1,4})+"

_SIGNIFICANT = rf"""
(?=[ \t]*[`~\-*+0-9\[\\\#\uff03=<>|\ufeff])\ufeff?(?:
  (?P<fence>[ ]*(?:`{{3,}}|~{{3,}})[^\r\n]*)
| (?P<list_fence>{_LIST_ITEM}(?:`{{3,}}|~{{3,}})[^\r\n]*)
| (?P<bracket>[ ]{{0,3}}\\?\[\^[^\[\]\r\n]*\]?:[^\r\n]*)
| (?P<marker>{_MARKER}[^\r\n]*)
| (?P<like_marker>{_LIKE_MARKER}[^\r\n]*)
| (?P<hash>[ ]{{0,3}}\#+(?:(?=[ \t\r\n])|\Z)[^\r\n]*)
| (?P<conflict>(?:<{{7}}|>{{7}}|\|{{7}}|={{7}})(?:[ ][^\r\n]*)?(?=[\r\n]|\Z))
| (?P<underline>[ ]{{0,3}}(?:=+|-+)[ \t]*(?=[\r\n]|\Z))
| (?P<pragma>[ \t]*<!--[ \t]*msgls:[^\r\n]*)
)"""


class _Lines:
    r"""A pattern that is looked for at line starts only.

    Nearly every line start is after a ``\n``. A pattern that begins with that letter is
    searched by it; one that begins with ``^`` is tried at every character.
    """

    def __init__(self, pattern: str) -> None:
        self._first = re.compile(pattern, re.VERBOSE)
        self._others = re.compile(r"\n" + pattern, re.VERBOSE)
        # Imported late: hardly any file has such line ends.
        self._all = lazy_pattern(r"(?:\A|(?<=\n)|(?<=\r)(?!\n))" + pattern, re.VERBOSE)

    def find(self, text: str, start: int = 0) -> list[tuple[re.Match[str], int]]:
        """Every match from ``start`` on, the end of a line or 0, and where its line starts."""
        if has_lone_carriage_return(text):
            return [(match, match.start()) for match in self._all.finditer(text, start)]
        found = [(match, match.start() + 1) for match in self._others.finditer(text, start)]
        first = None if start else self._first.match(text)
        return found if first is None else [(first, 0), *found]


_MARKER_LINE = _Lines(r"\ufeff?" + _MARKER)
_SIGNIFICANT_LINE = _Lines(_SIGNIFICANT)
# How nearly every cell begins: a title without brackets and code, an id of plain segments,
# and right below, the definition of that id.
_PLAIN_HEAD = re.compile(
    r"\#{1,5}[ \t]+(%%%?)(?=[ \t\[])[^\r\n`\[\]\\]*"
    r"\[\^([\w-]+(?:\.[\w-]+)*)\][ \t]*()\r?\n(?:[ \t]*\r?\n)*"
    r"()\[\^\2\]:[ ]\[([\w.-]+)\](?=[ \r\n]|\Z)([^\r\n]*)"
)
QUOTED_HEADER = lazy_pattern(
    r"(?:\A|(?<=[\r\n]))"
    + MARKS
    + r"(?=[ \t]|\[\^)[^\r\n]*\[\^(?P<id>[^\[\]\s]+)\][ \t]*(?=[\r\n])"
)
"""A whole line that would be the header of a cell, with an id; only in a fence it is not."""
_BLANK_OR_END = re.compile(r"[ \t]*\Z")
_LIST_PREFIX = lazy_pattern(_LIST_ITEM)
_REFERENCE = re.compile(r"\[\^([^\s\[\]^]+)\]")
_FENCE_RUN = lazy_pattern(r"[ ]*(`{3,}|~{3,})")
_FRONTMATTER_OPEN = lazy_pattern(r"\ufeff?---[ \t]*(?=[\r\n]|\Z)")

_new_tuple = tuple.__new__
T = TypeVar("T")


class LineKind(IntEnum):
    """The kind of a significant line, by itself."""

    FENCE = 0
    BRACKET = 1
    MARKER = 2
    HASH = 3
    CONFLICT = 4
    UNDERLINE = 5
    PRAGMA = 6


# By name: a member of an enumeration is looked up ten times as slowly.
_MARKER_KIND, _BRACKET_KIND = LineKind.MARKER, LineKind.BRACKET
_UNDERLINE_KIND, _FENCE_KIND = LineKind.UNDERLINE, LineKind.FENCE


class Line(NamedTuple):
    """A significant line; offsets are relative to the piece."""

    kind: LineKind
    start: int
    end: int
    """The end of the line, its line break left out."""
    fence: str = ""
    """The run of backticks or tildes."""
    fence_start: int = 0
    indent: str = ""
    """The indentation of the list item that the fence opens in."""
    opens: bool = False
    """Whether the line opens a fence where none is open."""
    closes: bool = False
    """Whether the line could close a fence."""


class FenceRun(NamedTuple):
    """The part of a fenced block that lies in one piece."""

    opening: Line | None
    """Its opening line, or nothing where an earlier piece opened it."""
    content_start: int
    content_end: int
    closing: Line | None
    """Its closing line, or nothing where none in this piece closes it."""
    continues: bool
    """Whether the next piece still lies inside it."""


class Walk(NamedTuple):
    """A piece as read from one state."""

    exit: str
    fences: tuple[FenceRun, ...]
    lines: tuple[Line, ...]
    """The significant lines outside fences and frontmatter, without the header."""
    hidden: tuple[Line, ...]
    """Marker lines inside a fence that this piece does not close."""
    frontmatter_end: int
    """Where the frontmatter's closing line ends, or -1."""


class PlainHead(NamedTuple):
    """The first lines of a cell that begins as nearly every cell does, read with one pattern."""

    percents: int
    id: str
    id_end: int
    """Where the id ends."""
    header_end: int
    start: int
    """Where the definition starts."""
    type: str
    attributes: str
    """The text after the type, as written."""
    end: int

    @classmethod
    def of(cls, text: str) -> PlainHead | None:
        """The head of a piece, if it has one."""
        match = _PLAIN_HEAD.match(text)
        if match is None:
            return None
        percents, cell_id, _, _, kind, attributes = match.groups()
        of, start = match.end, match.start
        head = (len(percents), cell_id, of(2), start(3), start(4), kind, attributes, of())
        return _new_tuple(cls, head)


class Lexed:
    """The significant lines of a piece, and how it reads from each state."""

    __slots__ = (
        "_id_brackets",
        "_kept",
        "_normal",
        "_others",
        "has_fence",
        "is_marker",
        "lines",
        "percents",
        "plain",
        "references",
        "solo",
        "text",
    )

    def __init__(
        self,
        text: str,
        lines: tuple[Line, ...],
        has_fence: bool,
        brackets: int,
        plain: PlainHead | None,
    ) -> None:
        self.text = text
        self.plain = plain
        self.lines = lines
        self.has_fence = has_fence
        self.is_marker = True
        """Whether the first line is a marker, also after a byte-order mark."""
        self.percents = 0
        self._id_brackets: tuple[int, int] | None = None
        if plain is not None:
            self.percents = plain.percents
        elif lines and lines[0].kind is _MARKER_KIND and not lines[0].start:
            self.percents = 3 if text.startswith("%%%", text.find("%%")) else 2
            self._id_brackets = _last_brackets(text, lines[0].end)
            # After a byte-order mark it is a header only at the very start of a file.
            brackets += self._id_brackets is not None and text[0] != _BOM
        else:
            self.is_marker = False
        self.references: tuple[Span, ...] = ()
        """``[^id]`` in the prose; definitions and the header's id may be among them."""
        if text.count("[^") > brackets:
            self.references = tuple(_references(text))
        self._normal: Walk | None = None
        self._others: dict[str, Walk] | None = None
        self.solo: object = None
        """A place for what is known of the cell that this piece is by itself."""
        self._kept: dict[tuple[object, str], object] | None = None

    @property
    def id_brackets(self) -> tuple[int, int] | None:
        """``[^…]`` at the end of the header, which holds the id."""
        if self.plain is None:
            return self._id_brackets
        end = self.plain.id_end
        return end - len(self.plain.id) - 2, end + 1

    def starts_cell(self, entry: str) -> bool:
        """Whether a cell begins here when the piece is entered in state ``entry``."""
        if self.plain is None and (not self.is_marker or self.text[0] == _BOM):
            return entry == START
        return not entry or entry[0] in _ENDED_BY_MARKER

    def has_header(self, entry: str) -> bool:
        """Whether its first line is a cell's header in state ``entry``."""
        return self.is_marker and self.starts_cell(entry)

    def exit(self, entry: str) -> str:
        """The state that the piece is left in."""
        return self.walk(entry).exit

    def walk(self, entry: str) -> Walk:
        """How the piece reads from ``entry``, remembered."""
        if not entry:
            if self._normal is None:
                self._normal = _walk(self, entry)
            return self._normal
        if self._others is None:
            self._others = {}
        walk = self._others.get(entry)
        if walk is None:
            walk = self._others[entry] = _walk(self, entry)
        return walk

    def kept(self, read: Callable[[Lexed, str], T], entry: str) -> T:
        """What ``read`` says of this piece in that state, which is kept with the piece."""
        if self._kept is None:
            self._kept = {}
        key = read, entry
        if key not in self._kept:
            self._kept[key] = read(self, entry)
        return cast("T", self._kept[key])


def split(text: str) -> list[str]:
    """Cut ``text`` before every line that looks like a marker, and where it is too long."""
    return cut_at(text, [start for _, start in _MARKER_LINE.find(text)])


def lex(text: str) -> Lexed:
    """Find the significant lines of a piece."""
    has_bom = _BOM in text
    head: tuple[Line, ...] = ()
    lines: list[Line] = []
    has_fence = False
    brackets = after_head = 0
    plain = PlainHead.of(text)
    if plain is not None:
        _, _, _, header_end, start, _, _, after_head = plain
        head = _head_lines(header_end, start, after_head)
        brackets = 2
    for match, start in _SIGNIFICANT_LINE.find(text, after_head):
        group, end = match.lastgroup, match.end()
        if has_bom and text[start] == _BOM and group != "marker":
            if start:
                continue
            start = 1
        if group == "fence" or group == "list_fence":
            line = _fence_line(text, start, end, group == "list_fence")
            if line is None:
                continue
            has_fence = has_fence or line.opens
        else:
            # Spelled out: the constructor of a named tuple costs three times as much.
            line = _new_tuple(Line, (_KINDS[group or ""], start, end, *_NO_FENCE))
            if group == "bracket" and not has_bom:
                # Only a definition's own id is surely no reference: `[^x:] y` holds one.
                brackets += text.startswith(":", text.find("]", start, end) + 1)
        lines.append(line)
    return Lexed(text, (*head, *lines) if lines else head, has_fence, brackets, plain)


_NO_FENCE = ("", 0, "", False, False)


# Many cells with a plain head have lines of equal lengths: these share their objects.
@lru_cache(maxsize=4_096)
def _head_lines(header_end: int, start: int, end: int) -> tuple[Line, ...]:
    """The header and the definition of a plain head."""
    header = Line(_MARKER_KIND, 0, header_end)
    return header, Line(_BRACKET_KIND, start, end)


@lru_cache(maxsize=4_096)
def _plain_walk(definition: Line) -> Walk:
    """How a piece reads that has nothing but a plain head, from ordinary text."""
    return Walk(NORMAL, (), (definition,), (), -1)


_KINDS = {
    "bracket": LineKind.BRACKET,
    "marker": LineKind.MARKER,
    "like_marker": LineKind.HASH,
    "hash": LineKind.HASH,
    "conflict": LineKind.CONFLICT,
    "underline": LineKind.UNDERLINE,
    "pragma": LineKind.PRAGMA,
}


def _last_brackets(text: str, end: int) -> tuple[int, int] | None:
    """The ``[^…]`` that ends the header line, if it starts outside code spans."""
    while text[end - 1] in " \t":
        end -= 1
    if text[end - 1] != "]":
        return None
    opening = text.rfind("[^", 0, end)
    if opening < 0 or is_escaped(text, opening):
        return None
    if text.find("]", opening, end) != end - 1 and not _is_bracketed_id(text, opening, end):
        return None
    if text.find("`", 0, opening) >= 0:
        for start, stop in code_spans(text, 0, end):
            if start < opening < stop:
                return None
    return opening, end


def _is_bracketed_id(text: str, opening: int, end: int) -> bool:
    """Whether a ``]`` inside ``[^…]`` is a slip: ``[^a[b]]``, ``[^a]b]``.

    Not so where the brackets make sense in a title: ``see [^1] in [list]``, ``[see[^1]]``.
    """
    inner = text[opening + 2 : end - 1]
    if any(mark in inner for mark in (" ", "\t", "][", "](", "`")):
        return False
    if "[" in inner:
        return inner.count("[") == inner.count("]") and inner.find("[") < inner.find("]")
    return not inner.endswith("]") and "[" not in text[:opening]


def is_header_id(text: str) -> bool:
    """Whether a header with ``[^text]`` has that very id."""
    written = f"[^{text}]"
    return _last_brackets(written, len(written)) == (0, len(written))


def _references(text: str) -> Iterator[Span]:
    """Footnote references outside code spans and indented code, by their ids' spans."""
    start, end = 0, -1
    spans: Iterator[tuple[int, int]] = iter(())
    code: tuple[int, int] | None = None
    for match in _REFERENCE.finditer(text):
        at = match.start()
        if at > end:
            start, end = line_bounds(text, at, floor=end + 1)
            indented = text.startswith(("    ", "\t"), start)
            spans = iter([(start, end)]) if indented else code_spans(text, start, end)
            code = next(spans, None)
        while code is not None and code[1] <= at:
            code = next(spans, None)
        if (code is None or at < code[0]) and not is_escaped(text, at):
            yield Span(*match.span(1))


def _fence_line(text: str, start: int, end: int, in_list: bool) -> Line | None:
    body = start
    if in_list:
        prefix = _LIST_PREFIX.match(text, start, end)
        body = prefix.end() if prefix else start
    run = _FENCE_RUN.match(text, body, end)
    if run is None:
        return None
    fence = run.group(1)
    # CommonMark: an info string after backticks holds no backtick, else it is a code span.
    if fence[0] == "`" and text.find("`", run.end(), end) >= 0:
        return None
    width = run.start(1) - start
    indent = " " * width if in_list else ""
    # Further in it is indented code, or closes the fence of a list item.
    opens = in_list or width <= 3
    closes = not in_list and _BLANK_OR_END.match(text, run.end(), end) is not None
    line = (_FENCE_KIND, start, end, fence, run.start(1), indent, opens, closes)
    return _new_tuple(Line, line)


@lru_cache(maxsize=64)
def _item_end(width: int) -> re.Pattern[str]:
    """The first line that is not blank and indented by less than ``width``: the item ends."""
    line_start = r"(?:\A|(?<=\n)|(?<=\r)(?!\n))"
    return re.compile(rf"{line_start}(?![ ]{{{width}}})(?![ \t]*(?:[\r\n]|\Z))")


class _Walker:
    """One walk over the significant lines of a piece."""

    def __init__(self, lexed: Lexed, entry: str) -> None:
        self.text = lexed.text
        self.fences: list[FenceRun] = []
        self.lines: list[Line] = []
        self.hidden: list[Line] = []
        self.frontmatter_end = -1
        self.in_frontmatter = False
        # The fence that the walk stands in: its state, its line if that is here, where its
        # content starts, and where its list item ends (beyond the piece if it does not).
        self.state = NORMAL
        self.opening: Line | None = None
        self.content_start = 0
        self.item_end = 0
        if entry in (NORMAL, START) or lexed.has_header(entry):
            return
        if entry == FRONTMATTER:
            self.in_frontmatter = True
        else:
            self._open(entry, None)

    def _open(self, state: str, line: Line | None) -> None:
        self.state = state
        self.opening = line
        self.content_start = 0 if line is None else after_break(self.text, line.end)
        self.item_end = len(self.text) + 1
        width = _item_width(state)
        if width:
            found = _item_end(width).search(self.text, self.content_start)
            if found is not None:
                self.item_end = found.start()

    def _close(self, content_end: int, closing: Line | None, continues: bool = False) -> None:
        content_end = max(content_end, self.content_start)
        self.fences.append(
            FenceRun(self.opening, self.content_start, content_end, closing, continues)
        )
        if not continues:
            self.state = NORMAL
            self.hidden.clear()

    def feed(self, line: Line) -> None:
        """Read the next significant line."""
        if self.state and line.start >= self.item_end:
            self._close(self.item_end, None)
        if self.in_frontmatter:
            # Three dashes and no more, which python-frontmatter takes too: `----` is a line across.
            dashes = self.text[line.start : line.end].rstrip(" \t")
            if line.kind is _UNDERLINE_KIND and dashes == "---":
                self.in_frontmatter = False
                self.frontmatter_end = line.end
        elif self.state:
            self._feed_fenced(line)
        elif line.opens:
            self._open(line.indent + line.fence, line)
        else:
            self.lines.append(line)

    def _feed_fenced(self, line: Line) -> None:
        if line.kind is _MARKER_KIND:
            self.hidden.append(line)
        elif line.closes:
            width = _item_width(self.state)
            indent = line.fence_start - line.start
            if line.fence.startswith(self.state[width:]) and width <= indent <= width + 3:
                self._close(line.start, line)

    def finish(self) -> Walk:
        """What the walk found, at the end of the piece."""
        if self.state and self.item_end <= len(self.text):
            self._close(self.item_end, None)
        if self.state:
            self._close(len(self.text), None, continues=True)
        return Walk(
            FRONTMATTER if self.in_frontmatter else self.state,
            tuple(self.fences),
            tuple(self.lines),
            tuple(self.hidden),
            self.frontmatter_end,
        )


def _item_width(state: str) -> int:
    return len(state) - len(state.lstrip(" "))


def _walk(lexed: Lexed, entry: str) -> Walk:
    if lexed.plain is not None and entry == NORMAL and not lexed.has_fence:
        if len(lexed.lines) == 2:
            return _plain_walk(lexed.lines[1])
        # What nearly all are; spelled out, for a named tuple's constructor costs as much again.
        return _new_tuple(Walk, (NORMAL, (), lexed.lines[1:], (), -1))
    skipped = int(lexed.has_header(entry) or _is_after_stray_bom(lexed, entry))
    if entry == NORMAL and not lexed.has_fence:
        return Walk(NORMAL, (), lexed.lines[skipped:], (), -1)
    walker = _Walker(lexed, entry)
    if entry == START and _FRONTMATTER_OPEN.match(lexed.text):
        walker.in_frontmatter = True
        skipped = 1
    for line in lexed.lines[skipped:]:
        walker.feed(line)
    return walker.finish()


def _is_after_stray_bom(lexed: Lexed, entry: str) -> bool:
    """Whether the first line means nothing, because a byte-order mark is before it here."""
    if entry == START or not lexed.text.startswith(_BOM):
        return False
    return bool(lexed.lines) and lexed.lines[0].start == 1


def after_break(text: str, offset: int) -> int:
    """The start of the line after the one that ends at ``offset``."""
    if text.startswith("\r\n", offset):
        return offset + 2
    return min(offset + 1, len(text))

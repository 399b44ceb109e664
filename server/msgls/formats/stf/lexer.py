r"""Lines of a Simple Text Format file: commands, comments and data.

Owns everything that can be said of a piece of text by itself: ``split`` cuts
before every line that looks like a command that starts a message, ``lex`` finds
the lines with a prefix, and ``Lexed.walk`` says, for each *state* the piece may
be entered in, what those lines are and in which state it is left.

The state is a string: the dialect (``?`` while no line has told it), the role
that a message without one would have, where the text is (before any
message, in one, after a ``flush``), the block or the line that is awaited, and how
deep the comments are nested. ``^``, with the dialect after it where that is
given, is the state before the first character of a file.

A message never begins inside a comment, and the command that starts one ends any
block. So comments and blocks lie in one cell, and an edit concerns no other one,
unless it opens or closes a comment, or shows another dialect or role.

A byte-order mark counts as nothing before the first line of a file, and as an
ordinary character before any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from msgls.formats.stf.arguments import role_in
from msgls.formats.stf.commands import COMMANDS, END, MESSAGE_WORDS, Mode, Spec
from msgls.text.lines import LINE_START, after_break, cut_at, has_lone_carriage_return
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

START = "^"
UNKNOWN_DIALECT = "?"
NO_ROLE = "-"
RAW_ROLE = "r"
OTHER_ROLE = "x"
ROLE_LETTERS = {"user": "u", "assistant": "a", "system": "s", "developer": "d", "tool": "t"}

_BOM = "\ufeff"


def _both_ways(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    r"""``pattern`` at line starts: after ``\n`` (fast), and after a lone ``\r`` too."""
    return (
        lazy_pattern("^" + pattern, re.MULTILINE),
        lazy_pattern(LINE_START + pattern),
    )


_MESSAGE_LINE = _both_ways(rf"\ufeff?[@;][ \t]*(?:{'|'.join(MESSAGE_WORDS)})(?=[ \t\r\n{{]|\Z)")
_PREFIXED_LINE = _both_ways(r"[@;][^\r\n]*")
_WORD = re.compile(r"[ \t]*([^ \t{\r\n]*)")
_END_WORD = re.compile(r"end(?![A-Za-z0-9])")


class MarkKind(IntEnum):
    """The kind of a line with a prefix, if the prefix is that of the dialect."""

    ESCAPED = 0
    """The prefix is doubled: data."""
    COMMENT = 1
    OPEN = 2
    CLOSE = 3
    END = 4
    COMMAND = 5


class Mark(NamedTuple):
    """A line that starts with a prefix."""

    kind: MarkKind
    prefix: str
    start: int
    end: int
    """The end of the line, its line break left out."""
    word_start: int
    """Where the first characters after the prefix and spaces are."""
    word: str
    """The command, as it is written."""

    def shift(self, offset: int) -> Mark:
        """The same line, further on."""
        if not offset:
            return self
        start, end, word_start = self.start + offset, self.end + offset, self.word_start + offset
        return Mark(self.kind, self.prefix, start, end, word_start, self.word)

    @property
    def spec(self) -> Spec | None:
        """The command in its own dialect, if there is one."""
        return COMMANDS[self.prefix].get(self.word) if self.kind is MarkKind.COMMAND else None


class State(NamedTuple):
    """A state, taken apart."""

    dialect: str
    role: str
    where: str
    """``P`` before any message, ``M`` in one, ``F`` after a ``flush``."""
    inner: str
    """The letter of the command whose block or line it is in; ``.`` for none."""
    depth: int
    """How many comments are open."""

    def encode(self) -> str:
        """The string that pieces are entered in and left in."""
        depth = str(self.depth) if self.depth else ""
        return self.dialect + self.role + self.where + self.inner + depth


def decode_state(state: str) -> State:
    """The state that ``encode`` wrote, or the one before the first character of a file."""
    if state.startswith(START) or not state:
        return State(state[1:] or UNKNOWN_DIALECT, NO_ROLE, "P", ".", 0)
    return State(state[0], state[1], state[2], state[3], int(state[4:] or 0))


class Command(NamedTuple):
    """A command line with what belongs to it; spans are relative to what was walked."""

    spec: Spec | None
    """Nothing where there is no such command."""
    word: str
    span: Span
    """From the prefix to the end of the line."""
    word_span: Span
    in_message: bool
    """Whether a message was open before it."""
    in_block: bool = False
    """Whether it is in the block of another command, where none may be."""
    block: tuple[Span, ...] = ()
    """The data lines of its block, their line breaks included."""
    end: Span | None = None
    """The line that ends its block."""
    data: Span | None = None
    """The data line that it takes, without its line break."""

    @property
    def is_read(self) -> bool:
        """Whether there is such a command, and it is where it may be."""
        return self.spec is not None and not self.in_block

    @property
    def name(self) -> str:
        """The name of the command, by whatever word it is called; nothing if it is unknown."""
        return "" if self.spec is None else self.spec.name

    @property
    def mode(self) -> Mode | None:
        """How it uses the lines that follow it."""
        return None if self.spec is None else self.spec.mode

    @property
    def rest(self) -> Span:
        """The text after the word on its line."""
        return Span(self.word_span.end, self.span.end)


class Data(NamedTuple):
    """Data lines in a row, line breaks included."""

    span: Span
    in_message: bool


class Comment(NamedTuple):
    """A comment of one line, or a block of them with all that it holds."""

    span: Span
    opening: Span
    """Its first line."""
    is_block: bool
    is_closed: bool


class Walk(NamedTuple):
    """A text as read from one state."""

    dialect: str
    exit: str
    commands: tuple[Command, ...]
    data: tuple[Data, ...]
    comments: tuple[Comment, ...]
    """Outermost ones only."""
    open_comments: tuple[Span, ...]
    """The lines that open comments which nothing closes, the outermost first."""
    stray_comment_ends: tuple[Span, ...]
    stray_ends: tuple[Span, ...]
    others: tuple[Mark, ...]
    """Data lines of messages that have the prefix of the other dialect."""


class Lexed:
    """The lines of a piece that have a prefix, and how it reads from each state."""

    __slots__ = ("_bom_mark", "_walks", "has_carriage_return", "marks", "text")

    def __init__(self, text: str, marks: tuple[Mark, ...]) -> None:
        self.text = text
        self.marks = marks
        self.has_carriage_return = "\r" in text
        self._bom_mark: Mark | None = None
        if text[:1] == _BOM and text[1:2] in ("@", ";"):
            match = _PREFIXED_LINE[0].match(text[1:])
            self._bom_mark = None if match is None else _mark(text, 1, 1 + match.end())
        self._walks: dict[str, Walk] = {}

    def marks_from(self, entry: str) -> tuple[Mark, ...]:
        """The lines with a prefix, when the piece is entered in a state."""
        if self._bom_mark is not None and entry.startswith(START):
            return self._bom_mark, *self.marks
        return self.marks

    def starts_cell(self, entry: str) -> bool:
        """Whether a cell begins here when the piece is entered in state ``entry``."""
        if entry.startswith(START):
            return True
        first = self.marks[0] if self.marks else None
        if first is None or first.start or first.spec is None or not first.spec.starts_message:
            return False
        # Without a state the question is whether it may start one in some state.
        return not entry or (len(entry) == 4 and entry[0] in (first.prefix, UNKNOWN_DIALECT))

    def exit(self, entry: str) -> str:
        """The state that the piece is left in."""
        return self.walk(entry).exit

    def walk(self, entry: str) -> Walk:
        """How the piece reads from ``entry``, remembered."""
        walk = self._walks.get(entry)
        if walk is None:
            walk = self._walks[entry] = walk_marks(self.text, self.marks_from(entry), entry)
        return walk


def split(text: str) -> list[str]:
    """Cut ``text`` before every line that may start a message, and where it is too long."""
    pattern = _MESSAGE_LINE[has_lone_carriage_return(text)]
    return cut_at(text, [match.start() for match in pattern.finditer(text)])


def lex(text: str) -> Lexed:
    """Find the lines of a piece that have a prefix."""
    pattern = _PREFIXED_LINE[has_lone_carriage_return(text)]
    return Lexed(text, tuple([_mark(text, *match.span()) for match in pattern.finditer(text)]))


def _mark(text: str, start: int, end: int) -> Mark:
    prefix = text[start]
    if text.startswith(prefix, start + 1):
        return Mark(MarkKind.ESCAPED, prefix, start, end, start + 1, "")
    match = _WORD.match(text, start + 1, end)
    word_start, word = (end, "") if match is None else (match.start(1), match.group(1))
    kind = MarkKind.COMMAND
    if word.startswith(("#", "//")):
        kind = MarkKind.COMMENT
    elif word.startswith("/*"):
        kind = MarkKind.OPEN
    elif word.startswith("*/"):
        kind = MarkKind.CLOSE
    elif _END_WORD.match(word):
        kind, word = MarkKind.END, END
    return Mark(kind, prefix, start, end, word_start, word)


def walk_marks(text: str, marks: Sequence[Mark], entry: str) -> Walk:
    """How a text whose lines with a prefix are ``marks`` reads from a state."""
    return _Walker(text, entry).run(marks)


class _Walker:
    """One walk over the lines with a prefix."""

    def __init__(self, text: str, entry: str) -> None:
        self.text = text
        self.dialect, self.role, self.where, self.inner, self.depth = decode_state(entry)
        # Where the lines start that no command or comment has taken yet.
        self.cursor = 1 if entry.startswith(START) and text.startswith(_BOM) else 0
        self.commands: list[Command] = []
        self.data: list[Data] = []
        self.comments: list[Comment] = []
        self.openings: list[Span] = []
        self.stray_comment_ends: list[Span] = []
        self.stray_ends: list[Span] = []
        self.others: list[Mark] = []
        # The command whose block or line it is in, by its number; an earlier piece may hold it.
        self.owner = -1
        self.block: list[Span] = []

    def run(self, marks: Sequence[Mark]) -> Walk:
        if self.dialect == UNKNOWN_DIALECT and marks:
            self.dialect = marks[0].prefix
        for mark in marks:
            if mark.prefix != self.dialect:
                if not self.depth and self.inner == "." and mark.spec is not None:
                    self.others.append(mark)
            elif mark.kind is not MarkKind.ESCAPED:
                self._take_data(mark.start)
                self._take(mark)
                self.cursor = after_break(self.text, mark.end)
        self._take_data(len(self.text))
        if self.depth and self.openings:
            self._add_comment(self.openings[0], len(self.text), is_closed=False)
        self._end_block(None)
        state = State(self.dialect, self.role, self.where, self.inner, self.depth).encode()
        return Walk(
            self.dialect,
            state,
            tuple(self.commands),
            tuple(self.data),
            tuple(self.comments),
            tuple(self.openings),
            tuple(self.stray_comment_ends),
            tuple(self.stray_ends),
            tuple(self.others),
        )

    def _take(self, mark: Mark) -> None:
        line = Span(mark.start, mark.end)
        if mark.kind is MarkKind.OPEN:
            self.depth += 1
            self.openings.append(line)
        elif mark.kind is MarkKind.CLOSE:
            self._close_comment(line)
        elif self.depth:
            return
        elif mark.kind is MarkKind.COMMENT:
            self.comments.append(Comment(line, line, is_block=False, is_closed=True))
        elif mark.kind is MarkKind.END:
            self._take_end(line)
        else:
            self._take_command(mark, line)

    def _close_comment(self, line: Span) -> None:
        if not self.depth:
            self.stray_comment_ends.append(line)
            return
        self.depth -= 1
        opening = self.openings.pop() if self.openings else None
        if not self.depth and opening is not None:
            self._add_comment(opening, line.end, is_closed=True)

    def _add_comment(self, opening: Span, end: int, is_closed: bool) -> None:
        self.comments.append(Comment(Span(opening.start, end), opening, True, is_closed))

    def _take_end(self, line: Span) -> None:
        if self.inner in _BLOCKS:
            self._end_block(line)
            self.inner = "."
        else:
            self.stray_ends.append(line)

    def _end_block(self, line: Span | None) -> None:
        """Give the block to its command; its end is here, or nowhere in this text."""
        if self.owner >= 0 and self.inner in _BLOCKS:
            owner = self.commands[self.owner]
            self.commands[self.owner] = owner._replace(block=tuple(self.block), end=line)
        self.owner = -1
        self.block = []

    def _take_command(self, mark: Mark, line: Span) -> None:
        spec = COMMANDS[self.dialect].get(mark.word)
        starts = spec is not None and spec.starts_message
        in_block = self.inner in _BLOCKS and not starts
        word_span = Span(mark.word_start, mark.word_start + len(mark.word))
        command = Command(spec, mark.word, line, word_span, self.where == "M", in_block)
        if in_block:
            self.commands.append(command)
            return
        if spec is None:
            # The command is unknown: one that awaits a line still does.
            self.commands.append(command)
            return
        self._end_block(None)
        self.inner = "."
        self.commands.append(command)
        if spec.mode in _TAKES_LINES:
            self.inner = _LETTERS[spec.name]
            self.owner = len(self.commands) - 1
        if starts:
            self.where = "M"
            self._follow_role(spec, self.text[word_span.end : line.end])
        elif spec.mode is Mode.PLAIN and self.where == "M":
            self.where = "F"

    def _follow_role(self, spec: Spec, rest: str) -> None:
        if spec.mode is Mode.RAW:
            self.role = RAW_ROLE
            return
        role = spec.role or role_in(rest)
        if role is not None:
            self.role = ROLE_LETTERS.get(role, OTHER_ROLE)

    def _take_data(self, end: int) -> None:
        start = self.cursor
        if start >= end or self.depth:
            return
        self.cursor = end
        if self.inner in _BLOCKS:
            self.block.append(Span(start, end))
            return
        if self.inner != ".":
            line_end = _line_end(self.text, start, end)
            if self.owner >= 0:
                line = Span(start, line_end)
                self.commands[self.owner] = self.commands[self.owner]._replace(data=line)
            self.inner, self.owner = ".", -1
            start = after_break(self.text, line_end)
        if start < end:
            self.data.append(Data(Span(start, end), self.where == "M"))


_TAKES_LINES = (Mode.RAW, Mode.BLOCK, Mode.LINE)
_LETTERS = {"raw": "r", "meta": "m", "extra": "x", "call": "c", "embed": "e"}
_BLOCKS = ("r", "m", "x")


def _line_end(text: str, start: int, end: int) -> int:
    """Where the line ends that starts at ``start``, at ``end`` at the latest."""
    newline = text.find("\n", start, end)
    newline = end if newline < 0 else newline
    carriage = text.find("\r", start, newline)
    return newline if carriage < 0 else carriage

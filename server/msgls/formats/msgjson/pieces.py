"""Pieces of JSON text: how they are cut, and the state that each leaves the next one in.

Owns two ways. *Lines*: every line that is not blank is a piece and a cell, and the state
is that of the streams. *Arrays*: a piece begins where an element may begin, and the state
is how deep in brackets it is. Both follow from each line alone, as pieces must.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from sys import getsizeof
from types import MappingProxyType
from typing import NamedTuple

from msgls.formats.base import Block
from msgls.formats.jsontree import JsonError
from msgls.formats.msgjson.cells import (
    BLANKS,
    Elements,
    Framing,
    JsonCell,
    LineCell,
    Mark,
    Segment,
    facts_of,
)
from msgls.formats.msgjson.records import Record, Shape, Step, read_record
from msgls.formats.msgjson.shapes import TERMINAL_KINDS
from msgls.formats.msgjson.streams import Streams, short_name
from msgls.formats.strictjson import scan_value, strict_loads
from msgls.syntax.cells import Facts
from msgls.text import lines
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

# A line with the blank ones after it.
_LINES = lazy_pattern(r"[^\r\n]*(?:(?:\r\n?|\n)[ \t\ufeff]*(?=[\r\n]|\Z))*(?:\r\n?|\n)?")
_BLANK_START = lazy_pattern(r"[ \t\ufeff]*(?:[\r\n]|\Z)")
_BLANK_LINE = lazy_pattern(r"\n(?:[ \t\ufeff]*\n|[ \t\ufeff]+\Z)")


def read_value(text: str, default: Shape, in_session: bool) -> Record | None:
    """The contents of a text that is one JSON value; ``None`` if it is not one."""
    try:
        value = strict_loads(text)
    except (ValueError, RecursionError):
        return None
    return read_record(value, default, in_session)


# -- lines ----------------------------------------------------------------------------------

# So many characters are one block, of at least one line: few blocks cost little memory, and an edit
# reads a short block soon. A fraction of what a long cell is cut into.
_OF_PIECE = 4
# However short they are: to find one cell of a block, all of its lines are looked at.
_MOST_LINES = 64


def split_lines(text: str) -> list[str]:
    """Before every line that is not blank; blank lines go with the one before them."""
    if "\r" not in text and not _BLANK_LINE.search(text):
        found = text.split("\n")
        last = found.pop()
        found = [line + "\n" for line in found]
        return [*found, last] if last else found
    # The last match is the empty one at the end.
    return _LINES.findall(text)[:-1]


def split_blocks(text: str) -> list[str]:
    """Blocks of lines, of even size: were they full, every line typed would make one more."""
    most = lines.PIECE_LIMIT // _OF_PIECE
    even = -(-len(text) // -(-len(text) // most)) if text else most
    blocks: list[str] = []
    block: list[str] = []
    length = 0
    for line in split_lines(text):
        is_full = length >= even or len(block) == _MOST_LINES or length + len(line) > most
        if block and is_full:
            blocks.append("".join(block))
            block, length = [], 0
        block.append(line)
        length += len(line)
    return [*blocks, "".join(block)] if block else blocks


class LineBlock(Block):
    """Lines, each with the blank ones after it.

    They are read when the block is followed, and only what they add to the index is known then: of
    a million deltas, hardly any is looked at again. Who does so reads it again.
    """

    __slots__ = (
        "_content",
        "_count",
        "_entry",
        "_exit",
        "_facts",
        "_held",
        "_read",
        "_records",
        "breaks",
        "length",
    )

    def __init__(self, text: str, read: Callable[[str], Record | None]) -> None:
        self._content = packed(text)
        self.length = len(text)
        self.breaks = lines.count_breaks(text)
        self._read = read
        self._entry: str | None = None
        self._exit = ""
        self._count = 0
        self._facts: Mapping[int, Facts] | None = None
        self._records: dict[str, Record | None] | None = None
        """What each line says, where the block was edited: a key then reads one line."""
        self._held: Mapping[int, int] = _NOTHING_HELD

    @property
    def text(self) -> str:
        """Its characters."""
        return unpacked(self._content)

    @property
    def count(self) -> int:
        """How many lines there are, without the blank ones."""
        return self._count

    def texts(self) -> list[str]:
        """The text of each cell."""
        return split_lines(self.text)

    def starts_cell(self, entry: str) -> bool:
        """Every line does; blank ones only where none is before them."""
        return entry == START or _BLANK_START.match(self.text) is None

    def exit(self, entry: str) -> str:
        """The streams after the deltas of all lines."""
        if entry != self._entry:
            self._follow(entry)
        return self._exit

    def facts(self, entry: str) -> Mapping[int, Facts]:
        """What the lines add to the index after that state."""
        if entry != self._entry or self._facts is None:
            self._follow(entry)
        return self._facts or _NO_LINES

    def held(self) -> Mapping[int, int]:
        """What must be looked at more closely; known once it is followed."""
        return self._held

    def forget(self) -> None:
        """Keep no facts."""
        self._facts = None

    def learn(self, others: Sequence[Block]) -> None:
        """Take over what the lines of blocks say."""
        self._records = {}
        for other in others:
            if isinstance(other, LineBlock):
                if other._records is None and other._entry is not None:
                    other._records = {}
                    other._follow(other._entry)
                self._records.update(other._records or {})

    def copy(self) -> LineBlock:
        """The same lines, to be entered in another state."""
        return copy(self)

    def cell(self, number: int, text: str, entry: str) -> LineCell:
        """The cell of a line; of blank lines at the start of a file, a cell with nothing in it."""
        return LineCell(text, self, number, entry, self._read, self._held.get(number, 0))

    def _follow(self, entry: str) -> None:
        self._entry = entry
        self._exit = state = "" if entry == START else entry
        streams: Streams | None = None
        facts: dict[int, Facts] = {}
        held: dict[int, int] = {}
        records: dict[str, Record | None] = {}
        number = -1
        for number, line in enumerate(split_lines(self.text)):
            body = line.strip(BLANKS)
            if not body:
                continue
            record = self._record(body, records)
            if record is None:
                facts[number] = facts_of(body, (record,))
                continue
            holds = record.holds
            if holds:
                held[number] = holds
            marks: list[Mark] = []
            if record.steps:
                if streams is None:
                    streams = Streams.acquire(state)
                for step in record.steps:
                    mark = _mark(streams, step)
                    if mark is not None:
                        marks.append(mark)
                streams.trim()
            if marks or record.mentions or record.last_user is not None:
                facts[number] = facts_of(body, (record,), marks)
        if streams is not None:
            self._exit = streams.release()
        if self._records is not None:
            self._records = records
        self._count = number + 1
        self._facts = facts or _NO_LINES
        self._held = held or _NOTHING_HELD

    def _record(self, body: str, records: dict[str, Record | None]) -> Record | None:
        """What a line says; in a block that was edited, it is added to ``records``."""
        known = self._records
        if known is None:
            return self._read(body)
        records[body] = found = known[body] if body in known else self._read(body)
        return found


_NO_LINES: Mapping[int, Facts] = MappingProxyType({})
_NOTHING_HELD: Mapping[int, int] = MappingProxyType({})


def packed(text: str) -> str | bytes:
    """A text as it takes the least memory: one wide character makes all of a text wide."""
    if text.isascii():
        return text
    data = text.encode("utf-8", "surrogatepass")
    return data if len(data) < getsizeof(text) - getsizeof("") else text


def unpacked(content: str | bytes) -> str:
    """The text again."""
    return content if isinstance(content, str) else content.decode("utf-8", "surrogatepass")


def _mark(streams: Streams, step: Step) -> Mark | None:
    """Take one delta up; what its stream must know of it, if anything."""
    run, name = short_name(step.run), short_name(step.name)
    faults = streams.follow(step.kind, run, step.seq, name)
    streams.tick(step.kind, run, step.seq)
    if not faults and step.kind != "start" and step.kind not in TERMINAL_KINDS:
        return None
    return Mark(0, step, tuple(faults))


# -- arrays ---------------------------------------------------------------------------------


def split_array(text: str) -> list[str]:
    """Before every line that an element may begin with."""
    cuts = [match.start() for match in CUT.finditer(text)]
    if not cuts or cuts[0]:
        cuts.insert(0, 0)
    ends = [*cuts[1:], len(text)]
    return [text[start:end] for start, end in zip(cuts, ends, strict=True) if end > start]


class ArrayPiece:
    """Lines from one that may begin an element to the next."""

    __slots__ = ("_entry", "_exit", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._entry: str | None = None
        self._exit = ""

    def starts_cell(self, entry: str) -> bool:
        """Whether an element begins here: at the level of elements, or so it looks."""
        if entry == START:
            return True
        return CUT.match(self.text) is not None and not self.frame(entry).depth

    def frame(self, entry: str) -> Frame:
        """Where in the brackets the piece begins."""
        return entered(self.text, Frame.decode(entry))

    def exit(self, entry: str) -> str:
        """The depth in brackets at its end."""
        if entry != self._entry:
            self._entry = entry
            self._exit = walk(self.text, self.frame(entry)).frame.encode()
        return self._exit


def parse_array(parts: Sequence[tuple[ArrayPiece, str]], default: Shape) -> JsonCell:
    """The cell of the elements that begin with a piece and go on through the others."""
    texts = tuple([piece.text for piece, _ in parts])
    piece, entry = parts[0]
    text = "".join(texts)
    walked = walk(text, piece.frame(entry))
    segments = [
        Segment(span, read_value(span.of(text), default, False)) for span in walked.segments
    ]
    marks = [
        Mark(number, step, None)
        for number, segment in enumerate(segments)
        if segment.record is not None
        for step in segment.record.steps
    ]
    framing = Framing(walked.errors, walked.brackets)
    facts = facts_of(text, [segment.record for segment in segments], marks, framing)
    return JsonCell(texts, facts, Elements(tuple(segments)), framing)


# -- Where the elements of a JSON array begin and end, line by line.
# Owns the *frame*: how deep in brackets a line begins, which is the state that one piece of
# a ``*.messages.json`` leaves the next one in. A JSON string cannot hold a line break, so
# what a line does to the depth follows from the line alone; a string that is not closed
# ends with its line.
#
# An element that is never closed would swallow all that follow. So a line with ``{`` at
# the very indentation of the element before it starts a new one, however deep it seems to
# stand: in an indented file no other line has that indentation and a brace.

START = "^"
_USUAL = "1,0-"

NO_INDENT = "-"

COMMA_MISSING = "a comma is missing before this"
SECOND_VALUE = Phrase("a file holds one value; in JSONL, whose files end in `.jsonl`, a line does")
COMMA_TOO_MANY = Phrase("a trailing comma is not allowed in an array")

# Where a piece may begin: elements stand there in files that tools write.
CUT = lazy_pattern(r"(?:\A|(?<=[\r\n]))(?:(?P<blanks> {0,4})|\t)(?=\{)")

_DEEPEST_CUT = 5
_MOST_FAILURES = 8

_STRING = r'"(?:[^"\\\r\n]|\\[^\r\n])*"?'
_INSIDE = lazy_pattern(rf"{_STRING}|[\[\]{{}}]")
_OUTSIDE = lazy_pattern(rf'{_STRING}|[\[\]{{}},]|[^ \t\r\n"\[\]{{}},\ufeff]+')


class Frame(NamedTuple):
    """Where in the brackets of a file a place lies."""

    in_array: bool = False
    """Inside the array at the top; else before it, after it, or in a file without one."""
    expects: str = "v"
    """At the level of elements: ``v`` nothing came yet, ``e`` after an element, ``,``."""
    depth: int = 0
    """How many brackets are open below the level of elements."""
    indent: str = NO_INDENT
    """The indentation of the element that is open, where it begins its line."""

    def encode(self) -> str:
        """As a state; the usual one, after a comma between two elements, is empty."""
        text = f"{'1' if self.in_array else '0'}{self.expects}{self.depth}{self.indent}"
        return "" if text == _USUAL else text

    @classmethod
    def decode(cls, state: str) -> Frame:
        """The frame of a state."""
        if state == START:
            return cls()
        state = state or _USUAL
        return cls(state[0] == "1", state[1], int(state[2:-1]), state[-1])


class Walked(NamedTuple):
    """What was found on the way through some lines."""

    frame: Frame
    segments: tuple[Span, ...]
    """The elements, those that are never closed included."""
    errors: tuple[JsonError, ...]
    """The errors between elements."""
    brackets: str
    """The brackets of the array at the top: ``[`` and ``]`` in order."""


def indent_of(text: str) -> str:
    """The indentation of a piece whose first line may start an element, as frames hold it."""
    match = CUT.match(text)
    if match is None:
        return NO_INDENT
    blanks = match.group("blanks")
    return "t" if blanks is None else str(len(blanks))


def entered(text: str, frame: Frame) -> Frame:
    """The frame in which a piece begins: another one where it starts a new element."""
    if not frame.depth or frame.indent in (NO_INDENT, "0") or indent_of(text) != frame.indent:
        return frame
    return frame._replace(depth=0, expects=",", indent=NO_INDENT)


def walk(text: str, frame: Frame) -> Walked:
    """Follow the brackets of whole lines."""
    return _Walk(text, frame).run()


class _Walk:
    def __init__(self, text: str, frame: Frame) -> None:
        self.text = text
        self.in_array, self.expects, self.depth, self.indent = frame
        self.start = 0
        self.segments: list[Span] = []
        self.errors: list[JsonError] = []
        self.brackets = ""
        self.failures = 0
        """How many elements the JSON reader could not read."""

    def run(self) -> Walked:
        at = 0
        text = self.text
        while True:
            match = (_INSIDE if self.depth else _OUTSIDE).search(text, at)
            if match is None:
                break
            at = self.take(match.group(), match.start(), match.end())
        if self.depth:
            self.segments.append(Span(self.start, len(text.rstrip(" \t\r\n"))))
        frame = Frame(self.in_array, self.expects, self.depth, self.indent)
        return Walked(frame, tuple(self.segments), tuple(self.errors), self.brackets)

    def take(self, token: str, start: int, end: int) -> int:
        """Take one token up; where to go on."""
        if self.depth:
            if token in ("{", "["):
                self.depth += 1
            elif token in ("}", "]"):
                self.depth -= 1
                if not self.depth:
                    self.indent = NO_INDENT
                    self.segments.append(Span(self.start, end))
        elif token == "[" and not self.in_array and self.expects == "v":
            self.in_array = True
            self.brackets += "["
        elif token == "]" and self.in_array:
            if self.expects == ",":
                self.error(start, end, COMMA_TOO_MANY)
            self.in_array, self.expects = False, "e"
            self.brackets += "]"
        elif token == ",":
            if self.expects != "e" or not self.in_array:
                self.error(start, end, Phrase("there is nothing before this comma"))
            self.expects = ","
        elif token in ("}", "]"):
            self.error(start, end, Phrase("this bracket is never opened"))
        else:
            return self.value(token, start, end)
        return end

    def value(self, token: str, start: int, end: int) -> int:
        if self.expects == "e":
            self.error(start, end, COMMA_MISSING if self.in_array else SECOND_VALUE)
        self.expects = "e"
        if token in ("{", "["):
            # Nearly every element is whole, and the JSON reader finds its end much faster. Its
            # errors count the lines of all before them: there must not be many.
            whole = None if self.failures >= _MOST_FAILURES else scan_value(self.text, start)
            if whole is None:
                self.failures += 1
                self.depth = 1
                self.start = start
                self.indent = self.indent_at(start)
                return end
            end = whole[1]
        self.segments.append(Span(start, end))
        return end

    def indent_at(self, start: int) -> str:
        """The indentation of the element that begins at ``start``, where it begins its line."""
        line = start
        while line and start - line < _DEEPEST_CUT and self.text[line - 1] in " \t":
            line -= 1
        if line and self.text[line - 1] not in "\r\n":
            return NO_INDENT
        return indent_of(self.text[line : start + 1])

    def error(self, start: int, end: int, reason: str) -> None:
        self.errors.append(JsonError(Span(start, end), reason))

"""Where the elements of a JSON array begin and end, line by line.

Owns the *frame*: how deep in brackets a line begins, which is the state that one piece of
a ``*.messages.json`` leaves the next one in. A JSON string cannot hold a line break, so
what a line does to the depth follows from the line alone; a string that is not closed
ends with its line.

An element that is never closed would swallow all that follow. So a line with ``{`` at
the very indentation of the element before it starts a new one, however deep it seems to
stand: in an indented file no other line has that indentation and a brace.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.formats.jsontree import JsonError
from msgls.formats.strictjson import scan_value
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

START = "^"
_USUAL = "1,0-"

NO_INDENT = "-"

COMMA_MISSING = "a comma is missing before this"
SECOND_VALUE = Phrase("a file holds one value; in JSONL, whose files end in `.jsonl`, a line does")
COMMA_TOO_MANY = Phrase("a trailing comma is not allowed in an array")

# Where a piece may begin: elements stand there in files that tools write.
CUT = lazy_pattern(r"(?:\A|(?<=[\r\n]))(?:(?P<blanks> {0,4})|\t)(?=\{)")

_DEEPEST_CUT = 5

_STRING = r'"(?:[^"\\\r\n]|\\[^\r\n])*"?'
_INSIDE = lazy_pattern(rf"{_STRING}|[\[\]{{}}]")
_OUTSIDE = lazy_pattern(rf'{_STRING}|[\[\]{{}},]|[^ \t\r\n"\[\]{{}},\ufeff]+')


class Frame(NamedTuple):
    """Where in the brackets of a file a place lies."""

    in_array: bool = False
    """Inside the array at the top; else before it, behind it, or in a file without one."""
    expects: str = "v"
    """At the level of elements: ``v`` nothing came yet, ``e`` behind an element, ``,``."""
    depth: int = 0
    """How many brackets are open below the level of elements."""
    indent: str = NO_INDENT
    """The indentation of the element that is open, where it begins its line."""

    def encode(self) -> str:
        """As a state; the usual one, behind a comma between two elements, is empty."""
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
    """What is wrong between elements."""
    brackets: str
    """How the array at the top is opened and closed: ``[`` and ``]`` in order."""


def indent_of(text: str) -> str:
    """The indentation of a piece whose first line may start an element, as frames hold it."""
    match = CUT.match(text)
    if match is None:
        return NO_INDENT
    blanks = match.group("blanks")
    return "t" if blanks is None else str(len(blanks))


def entered(text: str, frame: Frame) -> Frame:
    """The frame in which a piece begins: another one where it starts an element anew."""
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
            # Nearly every element is whole, and the JSON reader finds its end much faster.
            whole = scan_value(self.text, start)
            if whole is None:
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

r"""Slow and plain readings of lines, units and measures, to hold the fast ones against.

Each goes character by character and shares nothing with ``msgls.text``.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from msgls.text.lines import Encoding

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")

BREAKS = ("\n", "\r\n", "\r")

# Wide, combining, unpaired, and what other tools take for a line break.
AWKWARD = (
    "",
    "a",
    "é",
    "e\u0301",
    "漢字",
    "😀",
    "👩\u200d👩\u200d👧",
    "\ud83d",
    "\ude00",
    "\ud83d\ude00",
    "\u2028",
    "\u2029",
    "\u0085",
    "\f",
    "\v",
    "\x1c",
    "\ufeff",
    "\0",
    "\t ",
    "plain text of some length",
)


class NaiveLine(NamedTuple):
    start: int
    content: str
    ending: str


def naive_lines(text: str) -> list[NaiveLine]:
    lines = []
    start = 0
    content = ""
    at = 0
    while at < len(text):
        character = text[at]
        ending = ""
        if character == "\r":
            ending = "\r\n" if text[at + 1 : at + 2] == "\n" else "\r"
        elif character == "\n":
            ending = "\n"
        if ending:
            lines.append(NaiveLine(start, content, ending))
            at += len(ending)
            start, content = at, ""
        else:
            content += character
            at += 1
    lines.append(NaiveLine(start, content, ""))
    return lines


def naive_width(character: str, encoding: Encoding) -> int:
    code = ord(character)
    if encoding == "utf-8":
        return 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    if encoding == "utf-16":
        return 1 + (code >= 0x10000)
    return 1


def naive_units(line: str, column: int, encoding: Encoding) -> int:
    """The units before ``column``."""
    return sum(naive_width(character, encoding) for character in line[: max(column, 0)])


def naive_column(line: str, units: int, encoding: Encoding) -> int:
    """Step by step, as long as the next character still fits."""
    column = 0
    left = units
    while column < len(line) and naive_width(line[column], encoding) <= left:
        left -= naive_width(line[column], encoding)
        column += 1
    return column


def naive_offset(text: str, line: int, units: int, encoding: Encoding) -> int:
    """The offset of a position, clamped to its line and to the text."""
    lines = naive_lines(text)
    if line < 0:
        return 0
    if line >= len(lines):
        return len(text)
    return lines[line].start + naive_column(lines[line].content, units, encoding)


def naive_position(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    """The position of an offset; inside a line break it is the end of the line."""
    offset = min(max(offset, 0), len(text))
    number, found = 0, naive_lines(text)[0]
    for number_of_line, line in enumerate(naive_lines(text)):
        if line.start <= offset:
            number, found = number_of_line, line
    column = min(offset - found.start, len(found.content))
    return number, naive_units(found.content, column, encoding)


def texts(max_size: int = 12) -> SearchStrategy[str]:
    """Texts of several lines, with line breaks of all sorts and with lone surrogates."""
    pieces = st.sampled_from((*BREAKS, *AWKWARD)) | st.text(st.characters(), max_size=4)
    return st.lists(pieces, max_size=max_size).map("".join)


def lines(max_size: int = 8) -> SearchStrategy[str]:
    """One line without its line break."""
    pieces = st.sampled_from(AWKWARD) | st.text(st.characters(), max_size=4)
    return st.lists(pieces, max_size=max_size).map("".join).map(_on_one_line)


def _on_one_line(text: str) -> str:
    return text.replace("\r", "").replace("\n", "")


def spans(length: int) -> Iterator[tuple[int, int]]:
    """Every span of a text of that length."""
    for start in range(length + 1):
        for end in range(start, length + 1):
            yield start, end

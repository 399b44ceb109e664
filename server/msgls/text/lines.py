r"""Lines and columns: where a line ends, and how wide its characters are.

A line ends at ``\n``, ``\r\n`` or ``\r`` and at nothing else. ``str.splitlines``
and ``str.strip`` are never used on document text: they take U+2028, U+0085,
form feed and others for line ends or spaces, which pasted model output holds.

Columns are code points everywhere inside; UTF-8 and UTF-16 units exist only at
the edge, and are converted here.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

Encoding = Literal["utf-8", "utf-16", "utf-32"]

# A piece holds at most this many characters where its lines allow it: the cost of a
# keystroke follows the piece, and a cell of a megabyte is many pieces.
PIECE_LIMIT = 16_384

LINE_START = r"(?:\A|(?<=\n)|(?<=\r)(?!\n))"
r"""In a pattern: the start of a line, also after a lone ``\r``, which ``^`` does not know."""
_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")

# What one code point beyond ASCII takes in units, by the encoding that LSP negotiates.
# Lone surrogates reach us through JSON escapes: `surrogatepass` keeps them as they are.
_CODEC: dict[Encoding, tuple[str, int]] = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


class Position(NamedTuple):
    """A line and a column in units of some encoding, both from 0."""

    line: int
    character: int


def has_lone_carriage_return(text: str) -> bool:
    r"""Whether some line ends in ``\r`` alone, which ``^`` of a regular expression misses."""
    return "\r" in text and _LONE_CARRIAGE_RETURN.search(text) is not None


def count_breaks(text: str) -> int:
    r"""How many lines end in ``text``; ``\r\n`` ends one."""
    breaks = text.count("\n")
    if "\r" in text:
        breaks += text.count("\r") - text.count("\r\n")
    return breaks


def line_starts(text: str) -> list[int]:
    """The offset of the first character of every line; there is always one line."""
    if "\r" in text:
        return [0, *(match.end() for match in _LINE_BREAK.finditer(text))]
    lengths = [len(line) + 1 for line in text.split("\n")]
    lengths.pop()
    return [0, *accumulate(lengths)]


def line_bounds(text: str, offset: int, floor: int = 0) -> tuple[int, int]:
    """Start and end (line break left out) of the line around ``offset``.

    ``floor`` is a line start at or before it: nothing further back is looked at.
    The window grows from ``offset`` outward, so the cost follows the line even in
    a text whose lines all end in the one break that is looked for second.
    """
    width = 128
    while True:
        low = max(offset - width, floor)
        start = max(text.rfind("\n", low, offset), text.rfind("\r", low, offset)) + 1
        if start or low == floor:
            break
        width *= 4
    width = 128
    while True:
        high = min(offset + width, len(text))
        newline, carriage = text.find("\n", offset, high), text.find("\r", offset, high)
        if newline >= 0 or carriage >= 0 or high == len(text):
            break
        width *= 4
    ends = [end for end in (newline, carriage) if end >= 0]
    return max(start, floor), min(ends, default=len(text))


def cut_at(text: str, starts: Iterable[int]) -> list[str]:
    """The text in pieces that start at those offsets, and in smaller ones where one is too long."""
    pieces: list[str] = []
    for start, end in pairwise([0, *starts, len(text)]):
        if end - start > PIECE_LIMIT:
            pieces += cut_lines(text, start, end)
        elif end > start:
            pieces.append(text[start:end])
    return pieces


def cut_lines(text: str, start: int, end: int) -> Iterator[str]:
    """Whole lines of ``text[start:end]``, at most about ``PIECE_LIMIT`` characters at a time.

    Pieces of even size: were each but the last a full one, every line typed into it would
    be over the limit again, and leave a piece of one line behind.
    """
    size = max(end - start, 1)
    even = -(-size // -(-size // PIECE_LIMIT))
    # Found once and kept while it lies ahead: a text of `\r` alone has none to its very end.
    newline = -1
    while end - start > PIECE_LIMIT:
        least = start + even - 1
        if newline < least:
            newline = text.find("\n", least, end)
            if newline < 0:
                newline = end
        carriage = text.find("\r", least, newline)
        cut = min(newline + 1, end)
        if carriage >= 0 and text[carriage + 1 : carriage + 2] != "\n":
            cut = carriage + 1
        yield text[start:cut]
        start = cut
    if start < end:
        yield text[start:end]


def after_break(text: str, line_end: int) -> int:
    """Where the next line starts, after the one that ends at ``line_end``."""
    return line_end + (2 if text.startswith("\r\n", line_end) else line_end < len(text))


def without_break(line: str) -> str:
    """``line`` without the line break that ends it, if there is one."""
    return line.removesuffix("\n").removesuffix("\r")


def units_to_column(line: str, units: int, encoding: Encoding) -> int:
    """The column in code points of ``units`` on ``line`` (given without its line break).

    Clamped to the line as the LSP specification says; a position inside a
    character (half a surrogate pair, a UTF-8 continuation byte) is its start.
    """
    if units <= 0:
        return 0
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    # A code point has at least one unit, so the position is in the first `units` of them.
    candidates = range(min(units, len(line)) + 1)
    return bisect_right(candidates, units, key=lambda c: column_to_units(line, c, encoding)) - 1


def column_to_units(line: str, column: int, encoding: Encoding) -> int:
    """The units before code point ``column`` of ``line``, clamped to the line."""
    head = line[: max(column, 0)]
    if encoding == "utf-32" or head.isascii():
        return len(head)
    codec, width = _CODEC[encoding]
    return len(head.encode(codec, "surrogatepass")) // width


def newline_of(text: str) -> str:
    r"""The line break that a text uses first; ``\n`` where it has none."""
    found = _LINE_BREAK.search(text)
    return "\n" if found is None else found.group()


def shorten(text: str, most: int = 80) -> str:
    """A text that is cut to fit into a list, with an ellipsis where it is cut."""
    return text if len(text) <= most else text[: most - 1].rstrip(" \t\r\n") + "…"

"""Pieces of a file: how it is cut, and how a piece reads from each state.

Owns the states that a piece can be entered in: those of the header, and in the body
those that the message file's lexer has for Markdown, because fences are the same there.
A file is cut before every line that looks like a heading. Outside of fences such a line
starts a cell, so that typing in a long body reads one section again, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgls.formats.chatbuilder.escapes import masked, unescaped_runs
from msgls.formats.chatbuilder.header import START, Scan, scan
from msgls.formats.msgmd.lexer import NORMAL, Lexed, lex
from msgls.text.lines import cut_lines, has_lone_carriage_return
from msgls.text.patterns import lazy_pattern

__all__ = ["START", "ReadPiece", "read", "split"]

_HEADING = r"\#{1,6}(?=[ \t\r\n]|\Z)"
_HEADING_START = lazy_pattern(_HEADING)
_HEADING_LINE = lazy_pattern("^" + _HEADING, 8)  # re.MULTILINE
_HEADING_LINE_AFTER_ANY = lazy_pattern(r"(?:\A|(?<=\n)|(?<=\r)(?!\n))" + _HEADING)
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
        """The significant lines of what stands from ``start`` on."""
        found = self._bodies.get(start)
        if found is None:
            found = self._bodies[start] = lex(masked(self.text[start:]))
        return found

    def unescaped(self, start: int) -> Sequence[tuple[int, int]]:
        """The runs of backticks without a backslash, from ``start`` on."""
        if self._runs is None:
            self._runs = tuple(unescaped_runs(self.text))
        # The body starts with a line: what stands before it lies before it as a whole.
        return [run for run in self._runs if run[0] >= start] if start else self._runs


def split(text: str) -> list[str]:
    """Cut ``text`` before every line that looks like a heading, and where it is too long."""
    pattern = _HEADING_LINE_AFTER_ANY if has_lone_carriage_return(text) else _HEADING_LINE
    cuts = [match.start() for match in pattern.finditer(text)] if "#" in text else []
    pieces: list[str] = []
    for start, end in pairwise([0, *cuts, len(text)]):
        pieces += cut_lines(text, start, end)
    return pieces


def read(text: str) -> ReadPiece:
    """Read a piece by itself."""
    return ReadPiece(text)

"""JSON that is being typed: whether a key or a value is wanted at the cursor, and what is there.

Owns the reading of text before and behind a cursor token by token. A string ends at its line
at the latest, so that a quote which is not closed yet hides nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.formats.jsontree import Path
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_TOKEN = lazy_pattern(
    r"""(?P<gap>[ \t\r\n\ufeff]+)"""
    r"""|(?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*")"""
    r"""|(?P<open>"(?:[^"\\\r\n]|\\[^\r\n])*\\?)"""
    r"""|(?P<mark>[{}\[\]:,])"""
    r"""|(?P<word>[^ \t\r\n\ufeff{}\[\]:,"]+)"""
)
# What is left of a string behind the cursor: only if it ends there, and a string is over there.
_REST_IN_QUOTES = lazy_pattern(r'(?P<word>[\w$.-]*)"(?=[ \t]*(?:[:,}\]\r\n]|\Z))')
_REST = lazy_pattern(r"[\w$.-]*")
_NEXT = lazy_pattern(r"[ \t\r\n]*(?P<mark>[^ \t\r\n]?)")
# Behind so many characters nobody looks for keys that are there already.
_FURTHEST = 20_000


class Spot(NamedTuple):
    """What is wanted at a cursor. Spans are relative to the text that was given."""

    path: Path
    """Where the object or the list is; 0 stands for any item of a list."""
    is_key: bool
    key: str | None
    """The key whose value is wanted; nothing in a list."""
    typed: str
    """What is typed of it, with its quote."""
    span: Span
    """What is there of it, before the cursor and behind it: what a completion replaces."""
    keys: frozenset[str]
    """The keys of the same object, without the one that is being typed."""
    is_followed: bool
    """Whether something comes next that needs a comma before it."""
    has_colon: bool
    """Whether a colon follows: the key has a value already."""

    @property
    def value_path(self) -> Path:
        """The path of the value that is wanted."""
        return (*self.path, 0 if self.key is None else self.key)


class _Frame:
    """An object or a list that is open at the cursor."""

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.wants = "key" if is_object else "value"
        self.key: str | None = None
        self.keys: set[str] = set()

    def take_string(self, said: str) -> None:
        if self.is_object and self.wants != "value":
            # A comma or a value before it may be missing; it is a key all the same.
            self.key, self.wants = said, "colon"
            self.keys.add(said)
        else:
            self.wants = "comma"

    def take_value(self) -> None:
        if self.wants == "value":
            self.wants = "comma"


def spot_at(text: str, offset: int, prefix: Path = ()) -> Spot | None:
    """What is wanted at ``offset``; ``prefix`` is the path of the text as a whole."""
    frames: list[_Frame] = []
    start = offset
    for match in _TOKEN.finditer(text, 0, offset):
        kind, token = match.lastgroup, match.group()
        is_typed = match.end() == offset and kind in ("open", "word")
        if is_typed:
            start = match.start()
        elif kind in ("string", "open"):
            if frames:
                frames[-1].take_string(token.strip('"'))
        elif kind == "word" and frames:
            frames[-1].take_value()
        elif kind == "mark":
            _follow(frames, token)
    return _spot(text, frames, Span(start, offset), prefix)


def _follow(frames: list[_Frame], mark: str) -> None:
    if mark in "{[":
        frames.append(_Frame(mark == "{"))
    elif mark in "}]":
        if frames:
            frames.pop()
        if frames:
            frames[-1].take_value()
    elif frames and mark == ":":
        frames[-1].wants = "value"
    elif frames and mark == ",":
        frames[-1].wants = "key" if frames[-1].is_object else "value"
        frames[-1].key = None


def _spot(text: str, frames: list[_Frame], typed: Span, prefix: Path) -> Spot | None:
    if not frames:
        return None
    frame, is_quoted = frames[-1], text.startswith('"', typed.start) and typed.end > typed.start
    # A quote where a comma should be is the start of a key; anything else there is not.
    is_key = frame.is_object and (
        frame.wants == "key" or (frame.wants in ("comma", "colon") and is_quoted)
    )
    if not is_key and frame.wants != "value":
        return None
    end = _end(text, typed.end, is_quoted)
    following = _NEXT.match(text, end)
    mark = "" if following is None else following["mark"]
    keys = frame.keys | _keys_behind(text, end) if is_key else frame.keys
    path = [0 if other.key is None else other.key for other in frames[:-1]]
    return Spot(
        (*prefix, *path),
        is_key,
        None if is_key else frame.key,
        typed.of(text),
        Span(typed.start, end),
        frozenset(keys),
        mark not in ("", ",", "}", "]", ":"),
        mark == ":",
    )


def _end(text: str, offset: int, is_quoted: bool) -> int:
    """The end of the word or string that the cursor is in."""
    match = _REST_IN_QUOTES.match(text, offset) if is_quoted else None
    match = match or _REST.match(text, offset)
    return offset if match is None else match.end()


def _keys_behind(text: str, offset: int) -> set[str]:
    """The keys that follow in the same object."""
    found: set[str] = set()
    depth, said = 0, ""
    for match in _TOKEN.finditer(text, offset, offset + _FURTHEST):
        kind, token = match.lastgroup, match.group()
        if kind == "gap":
            continue
        if token in ("{", "["):
            depth += 1
        elif token in ("}", "]"):
            depth -= 1
        elif token == ":" and said and not depth:
            found.add(said)
        if depth < 0:
            break
        said = token.strip('"') if kind == "string" else ""
    return found

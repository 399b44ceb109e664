"""A JSON5 object that is being typed: whether a key or a value is wanted at its end."""

from __future__ import annotations

from typing import NamedTuple

from msgls.text.patterns import lazy_pattern

_TOKEN = lazy_pattern(
    r"""(?P<gap>[\s\ufeff]+|//[^\n\r]*|/\*[\s\S]*?\*/)"""
    r"""|(?P<string>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')"""
    r"""|(?P<open>"(?:[^"\\\n\r]|\\[\s\S])*\\?\Z|'(?:[^'\\\n\r]|\\[\s\S])*\\?\Z)"""
    r"""|(?P<mark>[{}\[\]:,])"""
    r"""|(?P<word>[^\s\ufeff{}\[\]:,"']+)"""
    r"""|(?P<other>[\s\S])"""
)


class Spot(NamedTuple):
    """The end of an object that is being typed."""

    path: tuple[str, ...]
    """The keys that lead to the innermost object; an array has none of its own."""
    key: str | None
    """The key whose value is wanted; nothing where a key is."""
    typed: str
    """What is typed of it, without the quote."""
    quote: str
    keys: frozenset[str]
    """The keys before it in the same object."""


class _Frame:
    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.wants = "key" if is_object else "value"
        self.key: str | None = None
        self.keys: set[str] = set()


def spot_at_end(text: str) -> Spot | None:
    """What is wanted at the end of ``text``; nothing where neither a key nor a value is."""
    frames: list[_Frame] = []
    typed = quote = ""
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match.group()
        if kind == "gap":
            if token.startswith("//") and match.end() == len(text):
                return None
            continue
        if kind == "open" or (kind == "word" and match.end() == len(text)):
            quote = token[0] if kind == "open" else ""
            typed = token[1:] if quote else token
            break
        if kind in ("string", "word"):
            _take(frames, token.strip("\"'"))
        elif kind == "mark":
            _follow(frames, token)
        else:
            return None
    return _spot(frames, typed, quote)


def _take(frames: list[_Frame], said: str) -> None:
    if not frames:
        return
    frame = frames[-1]
    if frame.wants == "key":
        frame.key, frame.wants = said, "colon"
        frame.keys.add(said)
    else:
        frame.wants = "comma"


def _follow(frames: list[_Frame], mark: str) -> None:
    if mark in "{[":
        frames.append(_Frame(mark == "{"))
    elif mark in "}]":
        if frames:
            frames.pop()
        if frames:
            frames[-1].wants = "comma"
    elif frames and mark == ":":
        frames[-1].wants = "value"
    elif frames:
        frames[-1].wants = "key" if frames[-1].is_object else "value"
        frames[-1].key = None


def _spot(frames: list[_Frame], typed: str, quote: str) -> Spot | None:
    if not frames or not frames[-1].is_object or frames[-1].wants not in ("key", "value"):
        return None
    frame = frames[-1]
    path = tuple([other.key or "" for other in frames[:-1]])
    key = frame.key if frame.wants == "value" else None
    return Spot(path, key, typed, quote, frozenset(frame.keys))

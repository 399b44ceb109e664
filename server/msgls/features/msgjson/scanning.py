"""JSON that is being typed: what is wanted at a place, and what the objects around it say.

Owns the reading of a half-written value. It goes by tokens and never fails: strings that are
not closed, commas and brackets that are missing are what it is made for. What stands behind
the place counts as well, as the ``kind`` of an object may follow its payload.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.formats.strictjson import strict_loads
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_TOKEN = lazy_pattern(
    r'(?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*")|(?P<open>"[^\r\n]*)'
    r'|(?P<mark>[{}\[\]:,])|(?P<word>[^ \t\r\n\ufeff{}\[\]:,"]+)'
)
_REST_OF_WORD = lazy_pattern(r"[\w.+-]*")
_BEHIND = lazy_pattern(r"[ \t\r\n]*(?P<next>[^ \t\r\n]?)")

KEY, VALUE, COMMA, COLON = "key", "value", "comma", "colon"


class Frame:
    """An object or a list around the place."""

    __slots__ = ("is_object", "key", "texts", "wants")

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.wants = KEY if is_object else VALUE
        self.key: str | None = None
        """The key whose value is being read."""
        self.texts: dict[str, str] = {}
        """Its keys, and what their values say where those are texts."""


class Level(NamedTuple):
    """A frame as it is at the place."""

    frame: Frame
    key: str | None


class Spot(NamedTuple):
    """A place in JSON."""

    levels: tuple[Level, ...]
    """From the outermost in."""
    wants: str
    """``key`` or ``value``; ``comma`` or ``colon`` where neither can stand."""
    span: Span
    """The token at the place; empty where there is none."""
    is_quoted: bool
    text: str
    """What the token says."""
    next: str
    """The first character that follows the token and is no blank."""

    @property
    def is_token(self) -> bool:
        """Whether something is written at the place."""
        return self.span.end > self.span.start


class _Token(NamedTuple):
    kind: str
    text: str
    span: Span


def spot_at(text: str, at: int) -> Spot:
    """What is wanted at ``at``."""
    scan = _Scan(text, at)
    return scan.run()


class _Scan:
    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.frames: list[Frame] = []
        self.spot: Spot | None = None

    def run(self) -> Spot:
        for token in self.tokens():
            if self.spot is None and token.span.start >= self.at and not self.is_own(token):
                self.stop(Span(self.at, self.at), "", is_quoted=False)
            if self.spot is None and self.is_own(token):
                self.stop(token.span, self.said(token), token.kind in ("string", "open"))
            self.take(token)
            if self.spot is not None and not self.frames:
                break
        if self.spot is None:
            self.stop(Span(self.at, self.at), "", is_quoted=False)
        assert self.spot is not None
        return self.spot

    def tokens(self) -> Iterator[_Token]:
        at = 0
        while True:
            match = _TOKEN.search(self.text, at)
            if match is None:
                return
            kind = match.lastgroup or ""
            start, end = match.span()
            if kind in ("string", "open") and start < self.at <= end:
                kind, end = self.own_end(kind, end)
            yield _Token(kind, self.text[start:end], Span(start, end))
            at = end

    def own_end(self, kind: str, end: int) -> tuple[str, int]:
        """The end of the text at the place; one that runs into the next key is not closed."""
        is_closed = self.at == end or self.follows(end) in (",", ":", "}", "]", "")
        if kind == "string" and is_closed:
            return kind, end
        match = _REST_OF_WORD.match(self.text, self.at)
        return "open", self.at if match is None else match.end()

    def follows(self, end: int) -> str:
        match = _BEHIND.match(self.text, end)
        return "" if match is None else match.group("next")

    def is_own(self, token: _Token) -> bool:
        """Whether a token is what is written at the place."""
        return token.kind != "mark" and token.span.contains(self.at)

    def said(self, token: _Token) -> str:
        if token.kind == "open":
            return token.text[1:]
        if token.kind != "string":
            return token.text
        try:
            return str(strict_loads(token.text))
        except ValueError:
            return token.text[1:-1]

    def stop(self, span: Span, text: str, is_quoted: bool) -> None:
        levels = tuple([Level(frame, frame.key) for frame in self.frames])
        wants = self.frames[-1].wants if self.frames else VALUE
        self.spot = Spot(levels, wants, span, is_quoted, text, self.follows(span.end))

    def take(self, token: _Token) -> None:
        frame = self.frames[-1] if self.frames else None
        if token.kind == "mark":
            self.follow(token.text, frame)
        elif frame is None:
            return
        elif frame.wants == KEY:
            frame.key, frame.wants = self.said(token), COLON
            frame.texts.setdefault(frame.key, "")
        elif frame.wants == VALUE:
            if frame.key is not None and token.kind != "word":
                frame.texts[frame.key] = self.said(token)
            frame.wants = COMMA
        elif frame.is_object and token.kind == "string" and self.follows(token.span.end) == ":":
            # A comma is missing before the next key.
            frame.key, frame.wants = self.said(token), COLON
            frame.texts.setdefault(frame.key, "")

    def follow(self, mark: str, frame: Frame | None) -> None:
        if mark in "{[":
            self.frames.append(Frame(mark == "{"))
            if frame is not None and frame.wants == VALUE:
                frame.wants = COMMA
        elif mark in "}]":
            if self.frames:
                self.frames.pop()
        elif frame is not None and mark == ":":
            frame.wants = VALUE
        elif frame is not None:
            frame.wants = KEY if frame.is_object else VALUE
            if frame.is_object:
                frame.key = None

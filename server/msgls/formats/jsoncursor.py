"""JSON that is being typed: what belongs at a place, and what the objects around it say.

Owns the reading of a half-written value. It goes by tokens and never fails: strings that are
not closed, commas and brackets that are missing are what it is made for. What follows
the place counts as well, as the ``kind`` of an object may follow its payload.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgls.formats.jsontree import Path
from msgls.formats.strictjson import strict_loads
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

JSON_TOKEN = lazy_pattern(
    r'(?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*")|(?P<open>"[^\r\n]*)'
    r'|(?P<mark>[{}\[\]:,])|(?P<word>[^ \t\r\n\ufeff{}\[\]:,"]+)'
)
JSON5_TOKEN = lazy_pattern(
    r"""(?P<comment>//[^\n\r]*|/\*[\s\S]*?\*/)"""
    r"""|(?P<string>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')"""
    r"""|(?P<open>"(?:[^"\\\n\r]|\\[\s\S])*\\?\Z|'(?:[^'\\\n\r]|\\[\s\S])*\\?\Z)"""
    r"""|(?P<mark>[{}\[\]:,])"""
    r"""|(?P<word>[^\s\ufeff{}\[\]:,"']+)"""
    r"""|(?P<broken>["'])"""
)
_REST_OF_WORD = lazy_pattern(r"[\w$.+-]*")
# A string is over where one of these follows: others run into the next one.
_OVER = lazy_pattern(r"[ \t]*(?:[:,}\]\r\n]|\Z)")
_BEHIND = lazy_pattern(r"[ \t\r\n]*(?P<next>[^ \t\r\n]?)")

KEY, VALUE, COMMA, COLON, NOTHING = "key", "value", "comma", "colon", "nothing"


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
    """A place in JSON, and what belongs there."""

    levels: tuple[Level, ...]
    """From the outermost in."""
    wants: str
    """``key`` or ``value``; ``comma`` or ``colon`` where neither can be; ``nothing`` in a comment,
    and after a string that never ends."""
    span: Span
    """The token at the place; empty where there is none."""
    is_quoted: bool
    text: str
    """What the token says."""
    next: str
    """The first character after the token that is not blank."""
    is_closed: bool
    """Whether the place is after a closing quote, where nothing more can be typed."""

    @property
    def path(self) -> Path:
        """The way to the innermost object or list; 0 stands for any item of a list."""
        return tuple([0 if level.key is None else level.key for level in self.levels[:-1]])

    @property
    def key(self) -> str | None:
        """The key whose value is wanted; nothing in a list, and where a key is wanted."""
        return self.levels[-1].key if self.levels and self.wants == VALUE else None

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the same object, without the one that is being typed."""
        frame = self.levels[-1].frame if self.levels else None
        return frozenset() if frame is None else frozenset(frame.texts) - {self.text}

    @property
    def is_followed(self) -> bool:
        """Whether something comes next that needs a comma before it."""
        return self.next not in ("", ",", "}", "]", ":")

    @property
    def is_token(self) -> bool:
        """Whether something is written at the place."""
        return self.span.end > self.span.start


class _Token(NamedTuple):
    kind: str
    text: str
    span: Span


def spot_at(
    text: str, at: int, token: re.Pattern[str] = JSON_TOKEN, *, is_typing: bool = True
) -> Spot:
    """What belongs at ``at``; ``token`` says whether it is JSON or JSON5.

    Right before a key, another key can be typed; unless ``is_typing``, the place is that key's.
    """
    return _Scan(text, at, token, is_typing).run()


class _Scan:
    def __init__(self, text: str, at: int, token: re.Pattern[str], is_typing: bool) -> None:
        self.text = text
        self.at = at
        self.token = token
        self.is_typing = is_typing
        self.frames: list[Frame] = []
        self.spot: Spot | None = None

    def run(self) -> Spot:
        for token in self.tokens():
            if token.kind == "comment":
                if self.spot is None and self.is_in_comment(token):
                    self.stop(Span(self.at, self.at), NOTHING)
                continue
            if self.spot is None and token.kind == "broken":
                self.stop(Span(self.at, self.at), NOTHING)
            elif self.spot is None and self.is_own(token):
                self.stop_at(token)
            elif self.spot is None and token.span.start >= self.at:
                self.stop(Span(self.at, self.at), self.wanted)
            self.take(token)
            if self.spot is not None and not self.frames:
                break
        return self.spot or self.stop(Span(self.at, self.at), self.wanted)

    def tokens(self) -> Iterator[_Token]:
        at = 0
        while True:
            match = self.token.search(self.text, at)
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
        is_closed = self.at == end or _OVER.match(self.text, end) is not None
        if kind == "string" and is_closed:
            return kind, end
        match = _REST_OF_WORD.match(self.text, self.at)
        return "open", self.at if match is None else match.end()

    def follows(self, end: int) -> str:
        match = _BEHIND.match(self.text, end)
        return "" if match is None else match.group("next")

    def is_own(self, token: _Token) -> bool:
        """Whether a token is what is written at the place."""
        if token.kind == "mark" or not token.span.contains(self.at):
            return False
        is_next = self.is_typing and token.span.start == self.at and token.kind != "word"
        return not is_next or self.wanted == VALUE

    def is_in_comment(self, token: _Token) -> bool:
        is_line = token.text.startswith("//")
        return token.span.start < self.at < token.span.end + is_line

    @property
    def wanted(self) -> str:
        return self.frames[-1].wants if self.frames else VALUE

    def said(self, token: _Token) -> str:
        if token.kind == "open":
            return token.text[1:]
        if token.kind != "string":
            return token.text
        try:
            return str(strict_loads(token.text))
        except ValueError:
            return token.text[1:-1]

    def stop_at(self, token: _Token) -> None:
        is_quoted, wants = token.kind in ("string", "open"), self.wanted
        if is_quoted and wants in (COMMA, COLON) and self.frames[-1].is_object:
            # A comma or a value before it may be missing; it is a key anyway.
            wants = KEY
        is_closed = token.kind == "string" and token.span.end == self.at
        self.stop(token.span, wants, self.said(token), is_quoted, is_closed)

    def stop(
        self,
        span: Span,
        wants: str,
        text: str = "",
        is_quoted: bool = False,
        is_closed: bool = False,
    ) -> Spot:
        levels = tuple([Level(frame, frame.key) for frame in self.frames])
        follows = self.follows(span.end)
        self.spot = Spot(levels, wants, span, is_quoted, text, follows, is_closed)
        return self.spot

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

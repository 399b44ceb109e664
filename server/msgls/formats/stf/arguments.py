"""What follows a command on its line: ``key=value`` pairs, or one JSON5 object.

Owns both syntaxes, reading and writing. Spans are relative to the text that is given,
which starts right after the command. Never raises.
"""

import json
from functools import lru_cache
from typing import Any, NamedTuple

from msgls.formats import json5
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_BLANKS = lazy_pattern(r"[ \t]*")
_KEY = lazy_pattern(r"([^ \t=\"'{}\[\],]+)([ \t]*=[ \t]*)?")
_VALID_KEY = lazy_pattern(r"[a-z][a-z0-9_]*")
_QUOTED = lazy_pattern(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_BARE = lazy_pattern(r"[^ \t]*")
_SAFE_BARE = lazy_pattern(r"[^\s\"'{\x00-\x1f][^\s\x00-\x1f]*")


class Argument(NamedTuple):
    """One argument."""

    key: str
    value: str | None
    """The value as text; nothing where it is not a text, or cannot be read."""
    key_span: Span
    value_span: Span
    """As written, quotes included."""
    json: Any
    """The value as it is in an object; the text, where it is a pair."""

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return Span(self.key_span.start, self.value_span.end)


class Fault(NamedTuple):
    """What cannot be read. Its key is one of the texts of the rule that reports it."""

    key: str
    span: Span
    is_json: bool = False
    """Whether it is a fault of the JSON5 in it."""


class Arguments(NamedTuple):
    """The arguments of a command, in order."""

    items: tuple[Argument, ...] = ()
    faults: tuple[Fault, ...] = ()
    is_object: bool = False

    def get(self, key: str) -> Argument | None:
        """The argument ``key``; of two, the last one counts."""
        return next((item for item in reversed(self.items) if item.key == key), None)

    def value(self, key: str) -> str | None:
        """The text that an argument is."""
        argument = self.get(key)
        return None if argument is None else argument.value


NONE = Arguments()


def role_in(rest: str) -> str | None:
    """The role that the arguments of a command give."""
    # A key of an object may be written with escapes.
    may_say_it = "role" in rest or "\\" in rest
    return parse_arguments(rest).value("role") if may_say_it else None


# A line is read for its state, its facts and each of the rules.
@lru_cache(maxsize=1024)
def parse_arguments(rest: str) -> Arguments:
    """Read what follows a command on its line."""
    start = _skip(rest, 0)
    if start == len(rest):
        return NONE
    if rest[start] == "{":
        return _parse_object(rest, start)
    return _Pairs(rest).read(start)


def _skip(rest: str, at: int) -> int:
    match = _BLANKS.match(rest, at)
    return at if match is None else match.end()


def _parse_object(rest: str, start: int) -> Arguments:
    text = rest[start:]
    parsed = json5.parse_object(text)
    if parsed.problem is not None:
        fault = Fault(parsed.problem.key, parsed.problem.span.shift(start), is_json=True)
        return Arguments((), (fault,), True)
    items, faults = [], []
    for member in json5.members(text):
        value_span = member.value_span.shift(start)
        value = _as_text(member.value, member.value_span.of(text))
        if value is None:
            faults.append(Fault("text", value_span))
        items.append(
            Argument(member.key, value, member.key_span.shift(start), value_span, member.value)
        )
    return Arguments(tuple(items), tuple(faults), True)


def _as_text(value: Any, written: str) -> str | None:
    """A value of an object as text: a number is as it is written."""
    if isinstance(value, str):
        return value
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return written if is_number else None


class _Pairs:
    """Reads ``key=value`` pairs."""

    def __init__(self, rest: str) -> None:
        self.rest = rest
        self.items: list[Argument] = []
        self.faults: list[Fault] = []

    def read(self, at: int) -> Arguments:
        while at < len(self.rest):
            at = _skip(self.rest, self._read_pair(at))
        return Arguments(tuple(self.items), tuple(self.faults))

    def _fault(self, key: str, start: int, end: int, is_json: bool = False) -> int:
        self.faults.append(Fault(key, Span(start, end), is_json))
        return end

    def _read_pair(self, at: int) -> int:
        rest = self.rest
        match = _KEY.match(rest, at)
        if match is None:
            return self._fault("unreadable", at, self._word_end(at))
        key, equals = match.groups()
        key_span = Span(*match.span(1))
        if equals is None:
            return self._fault("value", at, self._word_end(at))
        if not _VALID_KEY.fullmatch(key):
            self._fault("key", *key_span)
        start = match.end()
        if start == len(rest):
            return self._fault("value", at, start)
        if rest[start] in "\"'":
            return self._read_quoted(key, key_span, start)
        end = self._word_end(start)
        value = rest[start:end]
        self.items.append(Argument(key, value, key_span, Span(start, end), value))
        return end

    def _read_quoted(self, key: str, key_span: Span, start: int) -> int:
        rest = self.rest
        match = _QUOTED.match(rest, start)
        if match is None:
            return self._fault("quote", start, len(rest))
        end = match.end()
        parsed = json5.parse(match.group())
        if parsed.problem is not None:
            problem = parsed.problem.span.shift(start)
            self._fault(parsed.problem.key, *problem, is_json=True)
        value = parsed.value if isinstance(parsed.value, str) else None
        self.items.append(Argument(key, value, key_span, Span(start, end), value))
        if end < len(rest) and rest[end] not in " \t":
            return self._fault("unreadable", end, self._word_end(end))
        return end

    def _word_end(self, at: int) -> int:
        match = _BARE.match(self.rest, at)
        return max(at + 1, at if match is None else match.end())


def quote(value: str) -> str:
    """A value as it is written in a pair: bare, where that is read as the same."""
    return value if _SAFE_BARE.fullmatch(value) else json.dumps(value, ensure_ascii=False)


def write_arguments(arguments: dict[str, Any]) -> str:
    """Arguments as they follow a command: pairs, or an object where pairs cannot say it."""
    if not arguments:
        return ""
    plain = all(
        isinstance(value, str) and _VALID_KEY.fullmatch(key) for key, value in arguments.items()
    )
    if plain:
        return "".join([f" {key}={quote(value)}" for key, value in arguments.items()])
    return " " + json.dumps(arguments, ensure_ascii=False)

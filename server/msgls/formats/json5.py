"""JSON5 texts: their values, what is wrong with them and where, and where their members stand.

Owns all use of the library. Values are plain JSON at most
``MOST_NESTED`` deep; the library is loaded when a text needs it, which one that is
strict JSON does not. Nothing here raises.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

MOST_NESTED = 100

_NEAR = lazy_pattern(r"near ([0-9]+)")
_UNCLOSED = lazy_pattern(r"Unclosed b'(\w+)'")
# JSON5 white space is that of ECMAScript, which counts the byte-order mark.
_GAP = r"(?:[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*[\s\S]*?\*/)"
_GAPS = lazy_pattern(rf"{_GAP}*")
_TOKEN = lazy_pattern(
    rf"""{_GAP}|(?P<token>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'"""
    r"""|[{}\[\]:,]|[^\s\ufeff{}\[\]:,"'/]+|/)"""
)
_NUMBER = lazy_pattern(
    r"""[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN
    |(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)""",
    re.VERBOSE,
)
_ESCAPE = lazy_pattern(r"\\(?:0[0-9]|[\s\S])")
# All that strict JSON can begin with: where a text does not, it need not be tried.
_STRICT_START = lazy_pattern(r"""[ \t\r\n]*(?:\{[ \t\r\n]*["}]|[\["tfnNI0-9-])""")
# Where a number starts, or what an overlooked escape starts with: most texts have neither.
_MAY_BE_OVERLOOKED = lazy_pattern(r"""(?:\A|(?<=[\s\ufeff{}\[\]:,"'/]))[+\-.0-9]|\\0""")
# Without escapes: what is written is what is meant.
_PLAIN_NAME = lazy_pattern(r"[A-Za-z_$][A-Za-z0-9_$]*")
_PLAIN_STRING = lazy_pattern(r"""\"[^"\\\x00-\x1f]*"|'[^'\\\x00-\x1f]*'""")


class Problem(NamedTuple):
    """Why a text is not a JSON5 value."""

    key: str
    """``empty``, ``open``, ``unexpected``, ``after``, ``number``, ``deep``, ``object``."""
    span: Span
    """Where the error is; empty only in an empty text."""


class Parsed(NamedTuple):
    """A value, or why there is none."""

    value: Any
    problem: Problem | None = None


class Member(NamedTuple):
    """A member of the outermost object."""

    key: str
    key_span: Span
    value: Any
    value_span: Span


def parse(text: str) -> Parsed:
    """The value that a text says."""
    if not _STRICT_START.match(text):
        return _parse_json5(text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _parse_json5(text)
    if text.count("[") + text.count("{") > MOST_NESTED and is_too_deep(value):
        return _parse_json5(text)
    return Parsed(value)


def parse_object(text: str) -> Parsed:
    """The object that a text says; anything else is a problem."""
    parsed = parse(text)
    if parsed.problem is None and not isinstance(parsed.value, dict):
        start = _GAPS.match(text)
        return Parsed(
            None, Problem("object", _visible(text, start.end() if start else 0, _end_of(text)))
        )
    return parsed


def first_comment(text: str) -> int | None:
    """Where the first comment of a text begins."""
    if "//" not in text and "/*" not in text:
        return None
    found = (match.start() for match in _TOKEN.finditer(text) if match.group("token") is None)
    return next((start for start in found if text[start] == "/"), None)


def members(text: str) -> Iterator[Member]:
    """The members of an object that can be read, in order, equal keys among them."""
    key: Span | None = None
    value: Span | None = None
    for depth, token, span in _tokens(text):
        if depth == 1 and token in (",", "}"):
            if key is not None and value is not None:
                yield Member(_name(key.of(text)), key, _value(value.of(text)), value)
            key = value = None
        elif depth == 1 and key is None:
            key = span
        elif depth >= 1 and not (depth == 1 and value is None and token == ":"):
            value = Span(span.start if value is None else value.start, span.end)


def elements(text: str) -> Iterator[Span]:
    """Where the elements of an array stand, in order."""
    element: Span | None = None
    for depth, token, span in _tokens(text):
        if depth == 1 and token in (",", "]"):
            if element is not None:
                yield element
            element = None
        elif depth >= 1:
            element = Span(span.start if element is None else element.start, span.end)


def _tokens(text: str) -> Iterator[tuple[int, str, Span]]:
    """The tokens without what is between them, each with how many brackets are open before it."""
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match.group("token")
        if token is not None:
            yield depth, token, Span(*match.span())
            depth += (token in ("{", "[")) - (token in ("}", "]"))


def _name(written: str) -> str:
    if _PLAIN_NAME.fullmatch(written):
        return written
    if _PLAIN_STRING.fullmatch(written):
        return written[1:-1]
    # A name may have escapes: only the library knows them.
    names = parse(f"{{{written}:0}}").value
    return next(iter(names), "") if isinstance(names, dict) else written


def _value(written: str) -> Any:
    return written[1:-1] if _PLAIN_STRING.fullmatch(written) else parse(written).value


def finite(value: Any) -> Any:
    """``value`` as JSON can say it: ``Infinity`` and ``NaN`` are nothing."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def is_too_deep(value: Any) -> bool:
    """Whether a value is nested deeper than a text may be."""
    level = [value]
    for _ in range(MOST_NESTED):
        level = [
            inner
            for item in level
            if isinstance(item, (dict, list, tuple))
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return any(isinstance(item, (dict, list, tuple)) for item in level)


def _parse_json5(text: str) -> Parsed:
    # Imported late: most files never need it.
    import pyjson5

    try:
        value = pyjson5.decode(text, maxdepth=MOST_NESTED)
    except pyjson5.Json5DecoderException as error:
        return Parsed(None, _problem(text, error))
    except (ValueError, OverflowError, RecursionError):
        # A number that Python itself refuses: too long to be read in sane time.
        return Parsed(None, Problem("number", _visible(text, 0, len(text))))
    problem = _overlooked(text)
    return Parsed(value) if problem is None else Parsed(None, problem)


def _overlooked(text: str) -> Problem | None:
    r"""The first thing that the library takes, and JSON5 does not have.

    These are numbers like ``1_000``, ``1.5.``, ``0e`` and ``+-1``, and a digit after ``\0``.
    """
    if not _MAY_BE_OVERLOOKED.search(text):
        return None
    for _, token, span in _tokens(text):
        if token[0] in "+-.0123456789":
            if not _NUMBER.fullmatch(token):
                return Problem("number", span)
        elif token[0] in "\"'" and "\\0" in token:
            for escape in _ESCAPE.finditer(text, *span):
                if len(escape.group()) > 2:
                    return Problem("unexpected", Span(*escape.span()))
    return None


def _problem(text: str, error: Exception) -> Problem:
    """The library's error with its place; it mostly counts characters from 1."""
    message = str(error.args[0]) if error.args else ""
    near = _NEAR.search(message)
    offset = int(near.group(1)) if near else 1
    kind = type(error).__name__
    if kind == "Json5ExtraData":
        after = _GAPS.match(text, offset)
        start = after.end() if after else offset
        return Problem("after", _visible(text, start, _end_of(text)))
    if kind == "Json5NestingTooDeep":
        return Problem("deep", _visible(text, offset - 1, offset))
    unclosed = _UNCLOSED.search(message)
    if unclosed and unclosed.group(1) == "NumericLiteral":
        end = offset
        while end < len(text) and text[end] not in " \t\r\n,]}":
            end += 1
        return Problem("number", _visible(text, offset - 1, end))
    if unclosed:
        # Of a comment it is the star that is counted.
        start = offset - 2 if unclosed.group(1) == "comment" else offset - 1
        return Problem("open", _visible(text, start, offset))
    if kind == "Json5EOF" and not text[offset:].strip():
        return Problem("empty", Span(0, len(text)))
    return Problem("unexpected", _visible(text, offset - 1, offset))


def _end_of(text: str) -> int:
    """Where a text ends, white space left out."""
    return len(text.rstrip())


def _visible(text: str, start: int, end: int) -> Span:
    """A span that shows: inside the text, at least one character where there is one."""
    start = max(0, min(start, len(text) - 1))
    return Span(start, max(min(end, len(text)), min(start + 1, len(text))))

"""Strict JSON: what Python's reader takes beyond it is refused.

Owns the one way in which texts are read as JSON: no ``NaN``, no ``Infinity``; a
byte-order mark is passed over. Whatever is wrong raises ``ValueError`` or
``RecursionError``, and nothing else.
"""

import json
from collections.abc import Callable
from typing import Any

from msgls.text.phrases import Phrase

_BOM = "\ufeff"
_BLANKS = " \t\r\n"


class NoConstant(ValueError):
    """``NaN`` and its like, which Python reads and JSON does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"JSON has no {name}")
        self.name = name


def _refuse(name: str) -> object:
    raise NoConstant(name)


_decoder = json.JSONDecoder(parse_constant=_refuse)
# Not documented, but there in every version of Python that we support.
_scan: Callable[[str, int], tuple[Any, int]] = vars(_decoder)["scan_once"]


def strict_loads(text: str) -> Any:
    """The value that strict JSON says."""
    try:
        # Nearly every text is one value and its line break, and the decoder itself looks for
        # spaces with regular expressions before and after it.
        value, end = _scan(text, 0)
    except StopIteration:
        pass
    else:
        if not text[end:].strip(_BLANKS):
            return value
    return _decoder.decode(text[1:] if text.startswith(_BOM) else text)


def scan_value(text: str, start: int) -> tuple[Any, int] | None:
    """The value that begins right at ``start``, and where it ends; nothing where none does."""
    try:
        return _scan(text, start)
    except (StopIteration, ValueError, RecursionError):
        return None


def json_reason(error: ValueError | RecursionError) -> Phrase:
    """Why a text is not strict JSON, in our words, as part of a sentence that names no place."""
    if isinstance(error, NoConstant):
        return Phrase("JSON has no `{name}`", name=error.name)
    if isinstance(error, RecursionError):
        return Phrase("it is nested too deeply")
    if not isinstance(error, json.JSONDecodeError):
        return Phrase("a number is too long")
    if not error.doc[error.pos :].strip(_BLANKS) and "Extra" not in error.msg:
        return Phrase("the text ends too early")
    before = error.doc[: error.pos].rstrip(_BLANKS)
    if error.msg.startswith("Expecting") and before.endswith(",") and error.doc[error.pos] in "]}":
        return _TRAILING_COMMA
    return next((said for start, said in _REASONS if error.msg.startswith(start)), _UNEXPECTED)


def json_place(error: json.JSONDecodeError) -> tuple[int, int]:
    """The line and the column of an error, both from 1; a lone carriage return ends a line."""
    before = error.doc[: error.pos].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def invalid_json(error: ValueError | RecursionError) -> Phrase:
    """What is wrong with a whole text, and where."""
    if not isinstance(error, json.JSONDecodeError):
        return Phrase("it is not valid JSON: {reason}", reason=json_reason(error))
    line, column = map(str, json_place(error))
    return Phrase(
        "it is not valid JSON: {reason} (line {line}, column {column})",
        reason=json_reason(error),
        line=line,
        column=column,
    )


_UNEXPECTED = Phrase("this is not allowed here")
_TRAILING_COMMA = Phrase("a trailing comma is not allowed")
# By how the words of Python's reader start.
_REASONS = (
    ("Expecting value", Phrase("a value is expected here")),
    ("Expecting property name", Phrase("a key in double quotes is expected here")),
    ("Expecting ':'", Phrase("a colon is missing before this")),
    ("Expecting ','", Phrase("a comma is missing before this")),
    ("Unterminated string", Phrase("this string is never closed")),
    ("Invalid control", Phrase("a line break or a tab in a string is written `\\n` or `\\t`")),
    ("Invalid \\escape", Phrase("this is not an escape: a backslash is written `\\\\`")),
    ("Invalid \\u", Phrase("four hexadecimal digits must follow `\\u`")),
    ("Extra data", Phrase("this follows the end of the value")),
    ("Illegal trailing comma", _TRAILING_COMMA),
)

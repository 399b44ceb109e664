"""Strict JSON: what Python's reader takes beyond it is refused.

Owns the one way in which texts are read as JSON: no ``NaN``, no ``Infinity``; a
byte-order mark is passed over. Whatever is wrong raises ``ValueError`` or
``RecursionError``, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

_BOM = "\ufeff"
_BLANKS = " \t\r\n"


class NoConstant(ValueError):
    """``NaN`` and its like, which Python reads and JSON does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not JSON")
        self.name = name


def _refuse(name: str) -> object:
    raise NoConstant(name)


_decoder = json.JSONDecoder(parse_constant=_refuse)
# No part of its documented face, but there since it has one.
_scan: Callable[[str, int], tuple[Any, int]] = vars(_decoder)["scan_once"]


def strict_loads(text: str) -> Any:
    """The value that strict JSON says."""
    try:
        # Nearly every text is one value and its line break, and the decoder itself looks for
        # blanks with regular expressions before and behind it.
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


def json_reason(error: json.JSONDecodeError) -> str:
    """What the reader says, as part of a sentence that names no place."""
    reason = error.msg.removesuffix(" at").removesuffix(" starting")
    return reason[0].lower() + reason[1:]

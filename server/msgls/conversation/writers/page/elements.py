"""Elements of HTML, and the one place where text becomes HTML.

``Safe`` is HTML that was made here. Any other text that is put into an element, as content
or as the value of an attribute, is escaped; nothing else in this package joins strings to
tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ESCAPES = {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
    ord("'"): "&#39;",
    # HTML knows no such characters, and browsers differ in what they make of them.
    **dict.fromkeys((*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F), "\ufffd"),
}
_SURROGATES = re.compile("[\ud800-\udfff]")
_VOID = frozenset({"br", "hr", "img", "meta"})


class Safe(str):
    """HTML that may stand in a page as it is."""

    __slots__ = ()


def escaped(text: str) -> Safe:
    """A text as HTML that shows just that."""
    if isinstance(text, Safe):
        return text
    return Safe(_SURROGATES.sub("\ufffd", text).translate(_ESCAPES))


def element(tag: str, /, *children: str, **attributes: str | bool | None) -> Safe:
    """An element. An attribute that is none or false is left out; ``class_`` is ``class``."""
    written = "".join(
        [
            f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else _quoted(value))
            for key, value in attributes.items()
            if value is not None and value is not False
        ]
    )
    if tag in _VOID:
        return Safe(f"<{tag}{written}>")
    return Safe(f"<{tag}{written}>{joined(children)}</{tag}>")


def _quoted(value: str | bool) -> str:
    # An attribute is no place for HTML, made here or not.
    return f'="{escaped(str(value))}"' if isinstance(value, str) else ""


def joined(children: Iterable[str], between: str = "") -> Safe:
    """Several pieces one after the other."""
    return Safe(escaped(between).join([escaped(child) for child in children]))

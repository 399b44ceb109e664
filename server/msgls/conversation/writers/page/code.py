"""Code in colours.

Owns the choice of what is coloured at all: a lexer is a set of regular expressions, and on
text of a hostile shape some of them take forever.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgls.conversation.writers.page.elements import Safe, element, escaped, joined

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_LONGEST_CODE = 100_000
_LONGEST_LINE = 2_000
_LONG_LINE = re.compile(rf"[^\r\n]{{{_LONGEST_LINE + 1}}}")
_BREAK = re.compile(r"\r\n?")


def code_block(code: str, language: str = "") -> Safe:
    """A block of code, coloured where its language is known."""
    lines = _coloured(_BREAK.sub("\n", code), language)
    label = f"Code: {language}" if language else "Code"
    # Wide code scrolls, and what scrolls must be reached by the keyboard.
    return element("pre", element("code", lines), tabindex="0", role="group", aria_label=label)


def plain_block(text: str, label: str, class_: str | None = None) -> Safe:
    """A block of text that is no code."""
    return element("pre", text, class_=class_, tabindex="0", role="group", aria_label=label)


def _coloured(code: str, language: str) -> Safe:
    if len(code) > _LONGEST_CODE or _LONG_LINE.search(code):
        return escaped(code)
    lexer = _lexer(language.strip().lower())
    if lexer is None:
        return escaped(code)
    from pygments.token import STANDARD_TYPES

    pieces: list[Safe] = []
    for kind, text in lexer.get_tokens(code):
        while kind not in STANDARD_TYPES and kind.parent is not None:
            kind = kind.parent
        name = STANDARD_TYPES.get(kind, "")
        pieces.append(element("span", text, class_=name) if name else escaped(text))
    return joined(pieces)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None

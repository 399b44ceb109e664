"""HTML elements, and the only place where text is converted to HTML.

``Safe`` is HTML that was made here. Any other text that is put into an element, as content
or as the value of an attribute, is escaped; nothing else in this package builds tags from
strings.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgls.text.patterns import HALVES
from msgls.text.phrases import Phrase

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Say = Callable[[str], str]
"""Translates a phrase into the language of the page."""

_ESCAPES = {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
    ord("'"): "&#39;",
    # These characters are not valid in HTML, and browsers treat them differently.
    **dict.fromkeys((*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F), "\ufffd"),
}
_VOID = frozenset({"br", "hr", "img", "meta"})


class Safe(str):
    """HTML that may be put into a page without escaping."""

    __slots__ = ()


def escaped(text: str) -> Safe:
    """A text as HTML, escaped unless it is ``Safe``."""
    if isinstance(text, Safe):
        return text
    return Safe(HALVES.sub("\ufffd", text).translate(_ESCAPES))


def element(tag: str, /, *children: str, **attributes: str | bool | None) -> Safe:
    """An element. An attribute that is ``None`` or false is left out; ``class_`` is ``class``."""
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
    # `str()` also makes `Safe` a plain text, which is escaped: HTML must not be in an attribute.
    return f'="{escaped(str(value))}"' if isinstance(value, str) else ""


def joined(children: Iterable[str], between: str = "") -> Safe:
    """Pieces joined into one."""
    return Safe(escaped(between).join([escaped(child) for child in children]))


# -- Which addresses of a transcript become links, and which images are shown.
# Only what is listed here is allowed. A page loads nothing from anywhere: an image is
# shown if its bytes are in the transcript, and is a link otherwise.

# SVG is not among them: it can contain scripts and links.
SHOWN_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")

_LINKABLE = re.compile(r"(?:https?://|mailto:)[^\s\\]+", re.IGNORECASE)
_DATA = re.compile(r"data:([a-z]+/[a-z0-9.+-]+);base64,(.*)", re.IGNORECASE | re.DOTALL)
_WHITE = re.compile(r"\s+")
_URL_SAFE = str.maketrans("-_", "+/")


def is_linkable(address: str) -> bool:
    """Whether a page may link to an address: only to web pages and mailboxes."""
    return _LINKABLE.fullmatch(address) is not None


def link(address: str, label: str) -> Safe:
    """A link; or the label and the address as text, if the page must not link to it."""
    opening, closing = link_tags(address)
    return joined([opening, label, closing])


def link_tags(address: str) -> tuple[Safe, Safe]:
    """The HTML before and after the label of a link."""
    if is_linkable(address):
        whole = element("a", href=address, rel="noopener noreferrer")
        return Safe(whole.removesuffix("</a>")), Safe("</a>")
    after = joined([" (", element("code", address), ")", Safe("</span>")])
    return Safe('<span class="inert">'), after


def image_at(address: str, alt: str, say: Say) -> Safe:
    """An image by its address: shown if that is a ``data:`` URL, else a link."""
    data = _DATA.fullmatch(address)
    if data is not None:
        return image(data.group(1), data.group(2), alt, say)
    return link(address, say(Phrase("Image: {alt}", alt=alt) if alt else Phrase("Image")))


def image(mime_type: str, data: str, alt: str, say: Say) -> Safe:
    """An image in base64; or a note, if it is not valid or of a type that is not shown."""
    kind = mime_type.strip().lower().partition(";")[0].rstrip()
    alt = alt or say(Phrase("Image of type {type}", type=kind))
    if kind not in SHOWN_IMAGES:
        return _note(say(Phrase("{alt}: images of type {type} are not shown", alt=alt, type=kind)))
    try:
        content = base64.b64decode(_WHITE.sub("", data).translate(_URL_SAFE), validate=True)
    except (binascii.Error, ValueError):
        return _note(say(Phrase("{alt}: its data is not base64", alt=alt)))
    # Encoded again, so that only valid base64 gets into the page.
    written = base64.b64encode(content).decode("ascii")
    return element("img", src=f"data:{kind};base64,{written}", alt=alt, loading="lazy")


def _note(text: str) -> Safe:
    return element("span", f"[{text}]", class_="inert")


# -- Code in colours.
# Long code and code with long lines is not coloured: a lexer is a set of regular expressions, and
# some of them take forever on hostile text.

_LONGEST_CODE = 100_000
_LONGEST_LINE = 2_000
_LONG_LINE = re.compile(rf"[^\r\n]{{{_LONGEST_LINE + 1}}}")
_BREAK = re.compile(r"\r\n?")


def code_block(code: str, language: str = "") -> Safe:
    """A block of code, coloured where its language is known."""
    lines = _coloured(_BREAK.sub("\n", code), language)
    label = f"Code: {language}" if language else "Code"
    # Wide code scrolls, and scrolling must be possible with the keyboard.
    return element("pre", element("code", lines), tabindex="0", role="group", aria_label=label)


def plain_block(text: str, label: str, class_: str | None = None) -> Safe:
    """A block of text that is not code."""
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

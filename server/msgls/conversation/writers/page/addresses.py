"""Which addresses of a transcript become links, and which images are shown.

Only what is listed here is let through. A page loads nothing from anywhere: an image is
shown if its bytes are in the transcript, and is a link otherwise.
"""

from __future__ import annotations

import base64
import binascii
import re

from msgls.conversation.writers.page.elements import Safe, element, joined

# An SVG is a document that can hold scripts and addresses, and is not among them.
SHOWN_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")

_LINKABLE = re.compile(r"(?:https?://|mailto:)[^\s\\]+", re.IGNORECASE)
_DATA = re.compile(r"data:([a-z]+/[a-z0-9.+-]+);base64,(.*)", re.IGNORECASE | re.DOTALL)
_WHITE = re.compile(r"\s+")
_URL_SAFE = str.maketrans("-_", "+/")


def is_linkable(address: str) -> bool:
    """Whether a page may lead there: to the web and to a mailbox, and nowhere else."""
    return _LINKABLE.fullmatch(address) is not None


def link(address: str, label: str) -> Safe:
    """A link; where the page may not lead there, the label and the address as text."""
    opening, closing = link_around(address)
    return joined([opening, label, closing])


def link_around(address: str) -> tuple[Safe, Safe]:
    """What stands before and behind the label of a link."""
    if is_linkable(address):
        whole = element("a", href=address, rel="noopener noreferrer")
        return Safe(whole.removesuffix("</a>")), Safe("</a>")
    behind = joined([" (", element("code", address), ")", Safe("</span>")])
    return Safe('<span class="inert">'), behind


def image_at(address: str, alt: str) -> Safe:
    """An image by its address: shown where that holds it, else a link to it."""
    data = _DATA.fullmatch(address)
    if data is not None:
        return image(data.group(1), data.group(2), alt)
    return link(address, f"Image: {alt}" if alt else "Image")


def image(mime_type: str, data: str, alt: str) -> Safe:
    """An image in base64; a note where it is none, or of a type that is not shown."""
    kind = mime_type.strip().lower().partition(";")[0].rstrip()
    alt = alt or f"Image of type {kind}"
    if kind not in SHOWN_IMAGES:
        return _note(f"{alt}: images of type {kind} are not shown")
    try:
        content = base64.b64decode(_WHITE.sub("", data).translate(_URL_SAFE), validate=True)
    except (binascii.Error, ValueError):
        return _note(f"{alt}: its data is no base64")
    # Written anew: what stands in the page is base64 and nothing else.
    written = base64.b64encode(content).decode("ascii")
    return element("img", src=f"data:{kind};base64,{written}", alt=alt, loading="lazy")


def _note(text: str) -> Safe:
    return element("span", f"[{text}]", class_="inert")

"""Where an image is, and of what type: one reading of addresses for every format.

Owns the types that follow from how an address ends, ``data:`` addresses, and the line of
Markdown that shows an image. Knows no format.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

Wire = dict[str, Any]

ANY_IMAGE = "image/*"
"""The type of an image of which only the address is known."""
ALT = "alt"
"""The key of an image's payload that says what it shows, in words."""

_TYPES: Mapping[str, str] = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "svg": "image/svg+xml",
    "bmp": "image/bmp",
    "avif": "image/avif",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "heic": "image/heic",
}
_DATA = lazy_pattern(r"data:([^;, \t\r\n]+);base64,((?s:.*))")
_LINE = lazy_pattern(
    r"(?:\A|(?<=[\r\n]))!\[(?P<alt>[^\[\]\r\n]*)\]"
    r"\((?:<(?P<quoted>[^<>\r\n]+)>|(?P<plain>[^ \t\r\n()<>]+))\)[ \t]*(?=[\r\n]|\Z)"
)
_PLAIN = lazy_pattern(r"[^ \t\r\n()<>]+")
_QUOTABLE = lazy_pattern(r"[^<>\r\n]+")
_PLAIN_ALT = lazy_pattern(r"[^\[\]\r\n]*")


def data_in(address: str) -> tuple[str, str] | None:
    """The type and the base64 of what a ``data:`` address holds."""
    found = _DATA.fullmatch(address)
    return None if found is None else (found.group(1), found.group(2))


def image_type(address: str) -> str:
    """The type that an address shows by its ending; any image where it shows none."""
    stem, _, ending = address.partition("?")[0].partition("#")[0].rpartition(".")
    return _TYPES.get(ending.lower(), ANY_IMAGE) if stem else ANY_IMAGE


def is_image_address(address: str) -> bool:
    """Whether an address alone shows that it is an image's."""
    data = data_in(address)
    if data is not None:
        return data[0].startswith("image/")
    return image_type(address) != ANY_IMAGE


def image_at(address: str) -> Wire:
    """The part that shows the image at an address; its bytes where the address holds them."""
    data = data_in(address)
    if data is not None:
        return {"kind": "image", "payload": {"mimeType": data[0], "data": data[1]}}
    return {"kind": "image", "payload": {"mimeType": image_type(address), "url": address}}


def address_of(payload: Mapping[str, Any]) -> str:
    """The address of an image, by its payload on the wire; its bytes, where they are there."""
    if payload.get("data") is not None:
        return f"data:{payload['mimeType']};base64,{payload['data']}"
    return str(payload.get("url") or "")


def image_line(payload: Mapping[str, Any]) -> str:
    """An image as a line of Markdown."""
    address, alt = address_of(payload), payload.get(ALT)
    if not _PLAIN.fullmatch(address) and _QUOTABLE.fullmatch(address):
        address = f"<{address}>"
    shown = alt if isinstance(alt, str) and _PLAIN_ALT.fullmatch(alt) else ""
    return f"![{shown}]({address})"


def images_in(text: str, fences: Sequence[Span]) -> Iterator[tuple[Span, Wire]]:
    """The images that stand alone on a line outside of ``fences``, and where."""
    passed = 0
    for line in _LINE.finditer(text):
        while passed < len(fences) and fences[passed].end <= line.start():
            passed += 1
        if passed < len(fences) and fences[passed].start <= line.start():
            continue
        part = image_at(line["quoted"] or line["plain"])
        if line["alt"]:
            part["payload"][ALT] = line["alt"]
        yield Span(*line.span()), part

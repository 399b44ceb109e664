"""What a run shows, as a message file and as a notebook say it.

Owns the ways between the two: lines that name their streams, the order of the ways in which one
thing is shown, and the names of errors. Running code and converting notebooks both ask here, so
that they write the same.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType, is_mime_type
from msgls.formats.msgmd.content import trim_blank_lines
from msgls.text.streams import Lines, plain

RESULT, DISPLAY, ERROR, ALTERNATIVE = "result", "display", "error", "alternative"
"""The values of the attribute `output`."""
NO_NEWLINE = {"newline": "0"}
"""The attribute of an output whose last line has no end."""
BETWEEN = "\n\n"
"""The usual separator between a text and an image."""
BLANKS, ENCODING, MIME_TYPE = "blanks", "encoding", "mimeType"
"""What is recorded about a content: the blanks around it, that its base64 encodes text, and
its type, where that is not JSON."""

_STREAMS = ("stdout", "stderr")
# The order in which one thing is written: for people first, then what shows more of it.
_ORDER = (DEFAULT_MIME_TYPE, "image/png", "image/jpeg", "image/gif", "image/webp",
          "text/markdown", "text/html", "image/svg+xml", "text/latex",
          "application/json")  # fmt: skip
_ANY_TYPE = "application/octet-stream"
_LONGEST_ALT = 200
_BREAK = re.compile(r"\r\n|\n|\r")
_ERROR = re.compile(r"(?P<name>[^\W\d][\w.]*)(?:: (?P<value>.*))?")


# -- text -----------------------------------------------------------------------------------


def marked(lines: Iterable[str], stream: str = "stdout") -> list[str]:
    """Lines of an output, each with the stream that it came by."""
    name = stream if stream in _STREAMS else _STREAMS[0]
    return [f"{name}> {line}" if line else f"{name}>" for line in lines]


def unmarked(text: str) -> list[tuple[str, str]]:
    """The streams and lines of an output; a line that names none continues the one before."""
    found: list[tuple[str, str]] = []
    for line in _BREAK.split(text) if text else ():
        name, mark, rest = line.partition(">")
        if mark and name in _STREAMS:
            found.append((name, rest.removeprefix(" ")))
        else:
            found.append((found[-1][0] if found else _STREAMS[0], line))
    return found


def marked_text(text: str) -> list[str]:
    """A text that stands for a value, as lines of an output."""
    return marked(_BREAK.split(plain(text)))


def unmarked_text(text: str) -> str:
    """The text that such lines stand for."""
    return "\n".join([line for _, line in unmarked(text)])


def printed(text: str) -> tuple[list[str], bool]:
    """The lines of what a program printed, as a terminal shows them, and whether the last ends."""
    lines = Lines()
    complete = lines.take(text)
    rest = lines.finish()
    return ([*complete, rest], False) if rest else (complete, not lines.is_cut)


# -- data -----------------------------------------------------------------------------------


def in_order(bundle: Mapping[str, Any]) -> list[str]:
    """The MIME types of one thing, in the order in which they are written."""
    return sorted(bundle, key=lambda m: _ORDER.index(m) if m in _ORDER else len(_ORDER))


class Content(NamedTuple):
    """Data as the content of a cell."""

    text: str
    about: Mapping[str, Any] = {}
    """The attributes that are needed to get the same data back."""


def content_of(mime: str, value: Any) -> Content:
    """Data as the content of a cell: base64, readable JSON, or the text itself."""
    text = joined_text(value)
    if not is_mime_type(mime):
        told = {MIME_TYPE: mime, ENCODING: "utf-8"}
        return Content(_base64(json.dumps(value) if text is None else text), told)
    if text is None or mime.endswith("json"):
        return Content(json.dumps(value, ensure_ascii=False, indent=2))
    if not MimeType(mime).is_binary:
        text = plain(text)
        return Content(text) if mime == DEFAULT_MIME_TYPE else without_blanks(text)
    data = "".join(text.split())
    try:
        base64.b64decode(data, validate=True)
    except ValueError:
        return Content(_base64(text), {ENCODING: "utf-8"})
    return Content(data)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode()


def value_of(mime: str, content: str, about: Mapping[str, Any]) -> Any:
    """The data that a cell's content stands for, as a notebook has it."""
    try:
        if ENCODING in about:
            return base64.b64decode("".join(content.split()), validate=True).decode()
        if mime.endswith("json"):
            return json.loads(content)
    except ValueError:
        return content
    if mime == DEFAULT_MIME_TYPE:
        return unmarked_text(content)
    return with_blanks([content] if content else [], about.get(BLANKS))


def joined_text(value: object) -> str | None:
    """A text, which a notebook may have as the list of its lines; nothing where it is not."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value if isinstance(value, str) else None


def without_blanks(text: str) -> Content:
    """A text without the blank lines around it, which a cell cannot hold."""
    content = trim_blank_lines(text)
    start = text.find(content) if content else len(text)
    around = [text[:start], text[start + len(content) :]] if content else [text]
    return Content(content, {BLANKS: around} if any(around) else {})


def with_blanks(pieces: Sequence[str], blanks: object) -> str:
    """Pieces with the blanks before, between and after them, or the usual ones."""
    if isinstance(blanks, list) and len(blanks) == len(pieces) + 1:
        texts = [blank if isinstance(blank, str) and not blank.strip() else "" for blank in blanks]
        return "".join([text for pair in zip(texts, [*pieces, ""], strict=True) for text in pair])
    return BETWEEN.join(pieces)


def alt_of(ways: Mapping[str, str | None]) -> str | None:
    """The text that stands in for what is shown: `<Figure size 640x480>`, not worth a cell."""
    text = ways.get(DEFAULT_MIME_TYPE)
    if len(ways) < 2 or text is None or len(text) > _LONGEST_ALT or "\n" in text:
        return None
    return text if text.startswith("<") and text.endswith(">") else None


def data_attributes(kind: str, mime: str, number: int) -> dict[str, str]:
    """The attributes of a cell that shows data in the way with that number, from 0."""
    said = mime if is_mime_type(mime) else _ANY_TYPE
    attributes = {"mime_type": said} if mime != DEFAULT_MIME_TYPE else {}
    output = kind if number == 0 else ALTERNATIVE
    if output != DISPLAY or not attributes:
        attributes["output"] = output
    return attributes


# -- errors ---------------------------------------------------------------------------------


def error_of(lines: Sequence[str]) -> tuple[str, str]:
    """The name of an error and what it says, by the end of its traceback."""
    for number in range(len(lines) - 1, -1, -1):
        found = _ERROR.fullmatch(lines[number])
        if found is not None:
            return found["name"], "\n".join([found["value"] or "", *lines[number + 1 :]])
    return "", ""

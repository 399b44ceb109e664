"""The outputs of a run, in message files and in notebooks.

Owns the conversion between the two: the stream prefixes of lines, the order of the MIME types of
one output, and the parsing of tracebacks. Running code and converting notebooks both use it, so
that they write the same.
"""

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType, is_mime_type
from msgls.formats.msgmd.content import trim_blank_lines
from msgls.text.streams import Lines, plain

RESULT, DISPLAY, ERROR, ALTERNATIVE = "result", "display", "error", "alternative"
"""The values of the attribute `output`."""
NO_NEWLINE = {"newline": "0"}
"""The attribute of an output whose last line has no line break."""
BETWEEN = "\n\n"
"""The usual separator between a text and an image."""
BLANKS, ENCODING, MIME_TYPE = "blanks", "encoding", "mimeType"
"""Metadata of a content: the blank lines around it, the encoding if its base64 encodes text, and
its MIME type, if an attribute cannot hold that."""

_STREAMS = ("stdout", "stderr")
# The order in which the MIME types of one output are written.
_ORDER = (DEFAULT_MIME_TYPE, "image/png", "image/jpeg", "image/gif", "image/webp",
          "text/markdown", "text/html", "image/svg+xml", "text/latex",
          "application/json")  # fmt: skip
_ANY_TYPE = "application/octet-stream"
_LONGEST_ALT = 200
_BREAK = re.compile(r"\r\n|\n|\r")
_ERROR = re.compile(r"(?P<name>[^\W\d][\w.]*)(?:: (?P<value>.*))?")


# -- text -----------------------------------------------------------------------------------


def prefixed(lines: Iterable[str], stream: str = "stdout") -> list[str]:
    """Lines of an output, each with the prefix of its stream."""
    name = stream if stream in _STREAMS else _STREAMS[0]
    return [f"{name}> {line}" if line else f"{name}>" for line in lines]


def parse_streams(text: str) -> list[tuple[str, str]]:
    """Pairs of stream and line; a line without a prefix has the stream of the line before."""
    found: list[tuple[str, str]] = []
    for line in _BREAK.split(text) if text else ():
        name, mark, rest = line.partition(">")
        if mark and name in _STREAMS:
            found.append((name, rest.removeprefix(" ")))
        else:
            found.append((found[-1][0] if found else _STREAMS[0], line))
    return found


def stream_runs(text: str) -> list[tuple[str, list[str]]]:
    """Prefixed lines by stream: each run of lines from the same one."""
    by_stream = groupby(parse_streams(text), key=itemgetter(0))
    return [(stream, [line for _, line in lines]) for stream, lines in by_stream]


def prefixed_text(text: str) -> list[str]:
    """The text of a value, as prefixed lines."""
    return prefixed(_BREAK.split(plain(text)))


def without_prefixes(text: str) -> str:
    """The text of prefixed lines."""
    return "\n".join([line for _, line in parse_streams(text)])


def terminal_lines(text: str) -> tuple[list[str], bool]:
    """Printed text as a terminal shows it, in lines, and whether the last line is complete."""
    lines = Lines()
    complete = lines.take(text)
    rest = lines.finish()
    return ([*complete, rest], False) if rest else (complete, not lines.is_cut)


# -- data -----------------------------------------------------------------------------------


def sorted_types(bundle: Mapping[str, Any]) -> list[str]:
    """The MIME types of one output, in the order in which they are written."""
    return sorted(bundle, key=lambda m: _ORDER.index(m) if m in _ORDER else len(_ORDER))


class Content(NamedTuple):
    """Data as the content of a cell."""

    text: str
    about: Mapping[str, Any] = {}
    """The metadata that is needed to restore the same data."""


def content_of(mime: str, value: Any) -> Content:
    """Data as the content of a cell: base64, readable JSON, or the text itself."""
    text = joined_text(value)
    if not is_mime_type(mime):
        about = {MIME_TYPE: mime, ENCODING: "utf-8"}
        return Content(_base64(json.dumps(value) if text is None else text), about)
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
    """The data in a cell's content, as in a notebook: the inverse of ``content_of``."""
    try:
        if ENCODING in about:
            return base64.b64decode("".join(content.split()), validate=True).decode()
        if mime.endswith("json"):
            return json.loads(content)
    except ValueError:
        return content
    if mime == DEFAULT_MIME_TYPE:
        return without_prefixes(content)
    return with_blanks([content] if content else [], about.get(BLANKS))


def joined_text(value: object) -> str | None:
    """A text, which in a notebook may be a list of lines; ``None`` for any other value."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value if isinstance(value, str) else None


def without_blanks(text: str) -> Content:
    """A text without the blank lines around it, which a cell cannot hold; they become metadata."""
    content = trim_blank_lines(text)
    start = text.find(content) if content else len(text)
    around = [text[:start], text[start + len(content) :]] if content else [text]
    return Content(content, {BLANKS: around} if any(around) else {})


def with_blanks(pieces: Sequence[str], blanks: object) -> str:
    """Pieces joined with the recorded blanks before, between and after them, or the usual ones."""
    if isinstance(blanks, list) and len(blanks) == len(pieces) + 1:
        texts = [blank if isinstance(blank, str) and not blank.strip() else "" for blank in blanks]
        return "".join([text for pair in zip(texts, [*pieces, ""], strict=True) for text in pair])
    return BETWEEN.join(pieces)


def alt_of(bundle: Mapping[str, str | None]) -> str | None:
    """A short placeholder such as `<Figure size 640x480>`, which needs no cell of its own."""
    text = bundle.get(DEFAULT_MIME_TYPE)
    if len(bundle) < 2 or text is None or len(text) > _LONGEST_ALT or "\n" in text:
        return None
    return text if text.startswith("<") and text.endswith(">") else None


def data_attributes(kind: str, mime: str, number: int) -> dict[str, str]:
    """The attributes of a cell with data; ``number`` counts the MIME types of an output, from 0."""
    mime_type = mime if is_mime_type(mime) else _ANY_TYPE
    attributes = {"mime_type": mime_type} if mime != DEFAULT_MIME_TYPE else {}
    output = kind if number == 0 else ALTERNATIVE
    if output != DISPLAY or not attributes:
        attributes["output"] = output
    return attributes


# -- errors ---------------------------------------------------------------------------------


def error_of(lines: Sequence[str]) -> tuple[str, str]:
    """The name and the message of an error, from the end of its traceback."""
    for number in range(len(lines) - 1, -1, -1):
        found = _ERROR.fullmatch(lines[number])
        if found is not None:
            return found["name"], "\n".join([found["value"] or "", *lines[number + 1 :]])
    return "", ""

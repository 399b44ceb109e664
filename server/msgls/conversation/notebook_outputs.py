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
from typing import Any

from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType
from msgls.text.streams import Lines, plain

RESULT, DISPLAY, ERROR, ALTERNATIVE = "result", "display", "error", "alternative"
"""The values of the attribute `output`."""
NO_NEWLINE = {"newline": "0"}
"""The attribute of an output whose last line has no end."""

_STREAMS = ("stdout", "stderr")
# The order in which one thing is written: for people first, then what shows more of it.
_ORDER = (DEFAULT_MIME_TYPE, "image/png", "image/jpeg", "image/gif", "image/webp",
          "text/markdown", "text/html", "image/svg+xml", "text/latex",
          "application/json")  # fmt: skip
_LONGEST_ALT = 200
_BREAK = re.compile(r"\r\n|\n|\r")
_ERROR = re.compile(r"(?P<name>[^\W\d][\w.]*)(?:: (?P<value>.*))?")


# -- text -----------------------------------------------------------------------------------


def marked(lines: Iterable[str], stream: str = "stdout") -> list[str]:
    """Lines of an output, each with the stream that it came by."""
    name = stream if stream in _STREAMS else _STREAMS[0]
    return [f"{name}> {line}" if line else f"{name}>" for line in lines]


def unmarked(text: str) -> list[tuple[str, str]]:
    """The streams and lines of an output; a line that names none goes on with the one before."""
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
    return ([*complete, rest], False) if rest else (complete, True)


# -- data -----------------------------------------------------------------------------------


def in_order(bundle: Mapping[str, Any]) -> list[str]:
    """The MIME types of one thing, in the order in which they are written."""
    return sorted(bundle, key=lambda m: _ORDER.index(m) if m in _ORDER else len(_ORDER))


def content_of(mime: str, value: Any) -> str:
    """What a cell holds of data: base64, JSON that people can read, or the text itself."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        value = "".join(value)
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, indent=2)
    if not MimeType(mime).is_binary:
        return plain(value)
    data = "".join(value.split())
    try:
        base64.b64decode(data, validate=True)
    except ValueError:
        return base64.b64encode(value.encode("utf-8", "replace")).decode()
    return data


def value_of(mime: str, content: str) -> Any:
    """The data that a cell's content stands for, as a notebook has it."""
    if mime.endswith("json"):
        try:
            return json.loads(content)
        except ValueError:
            return content
    return unmarked_text(content) if mime == DEFAULT_MIME_TYPE else content


def alt_of(ways: Mapping[str, str | None]) -> str | None:
    """The text that stands in for what is shown: `<Figure size 640x480>`, not worth a cell."""
    text = ways.get(DEFAULT_MIME_TYPE)
    if len(ways) < 2 or text is None or len(text) > _LONGEST_ALT or "\n" in text:
        return None
    return text if text.startswith("<") and text.endswith(">") else None


def data_attributes(kind: str, mime: str, number: int) -> dict[str, str]:
    """The attributes of a cell that shows data in the way with that number, from 0."""
    attributes = {"mime_type": mime} if mime != DEFAULT_MIME_TYPE else {}
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

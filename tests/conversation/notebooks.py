"""Two notebooks compared: what Jupyter takes for the same is the same, and all else is told.

The tests and ``make compare-notebooks`` ask here, so that neither forgives more than the other.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgls.conversation.notebook_outputs import terminal_lines
from msgls.formats.msgmd.attributes import DEFAULT_MIME_TYPE, MimeType
from msgls.text.streams import plain

Wire = dict[str, Any]

_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_TRANSIENT = ("orig_nbformat", "orig_nbformat_minor", "signature")


class Difference(NamedTuple):
    """Something that two notebooks do not have in common."""

    cell: int | None
    """The number of the cell, from 0; nothing for what the notebook says of itself."""
    where: str
    kind: str
    """``empty`` where a stream says nothing, ``colours`` where only what is meant for a terminal
    differs (also carriage returns, and what they wrote over), else ``content``."""
    before: Any
    after: Any


def joined(value: Any) -> Any:
    """A text, which a notebook may also have as the list of its lines."""
    is_lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return "".join(value) if is_lines else value


def canonical(notebook: Wire) -> Wire:
    """A notebook without what may be written in several ways.

    A text may be the list of its lines, what continues the same stream is one output, base64
    may have line breaks, and what Jupyter itself drops when it saves does not count.
    """
    notebook = json.loads(json.dumps(notebook))
    for key in _TRANSIENT:
        notebook["metadata"].pop(key, None)
    for cell in notebook["cells"]:
        if cell.get("attachments") == {}:
            del cell["attachments"]
        cell["source"] = joined(cell.get("source", ""))
        for bundle in cell.get("attachments", {}).values():
            bundle |= {mime: _data(mime, value) for mime, value in bundle.items()}
        if "outputs" in cell:
            cell["outputs"] = _merged(cell["outputs"])
    return notebook


def _merged(outputs: list[Wire]) -> list[Wire]:
    found: list[Wire] = []
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            output["text"] = joined(output["text"])
            before = found[-1] if found else {}
            if before.get("name") == output["name"]:
                before["text"] += output["text"]
                continue
        elif kind == "error":
            # Some kernels have a text of several lines for each of the list.
            output["traceback"] = "\n".join(output["traceback"]).split("\n")
        else:
            bundle = output.get("data", {})
            output["data"] = {mime: _data(mime, value) for mime, value in bundle.items()}
        found.append(output)
    return found


def _data(mime: str, value: Any) -> Any:
    if mime.endswith("json"):
        return value
    value = joined(value)
    if isinstance(value, str) and MimeType(mime).is_binary:
        data = "".join(value.split())
        return data if _BASE64.fullmatch(data) else value
    return value


def differences(before: Wire, after: Wire) -> Iterator[Difference]:
    """What is not the same in two notebooks of nbformat 4, cell by cell."""
    before, after = canonical(before), canonical(after)
    for where in sorted(before["metadata"].keys() | after["metadata"].keys()):
        ours, theirs = before["metadata"].get(where), after["metadata"].get(where)
        if ours != theirs:
            yield Difference(None, f"metadata.{where}", "content", ours, theirs)
    if len(before["cells"]) != len(after["cells"]):
        yield Difference(None, "cells", "content", len(before["cells"]), len(after["cells"]))
        return
    for number, (one, other) in enumerate(zip(before["cells"], after["cells"], strict=True)):
        for key in sorted(one.keys() | other.keys()):
            if key == "outputs":
                yield from _of_outputs(number, one.get(key, []), other.get(key, []))
            elif one.get(key) != other.get(key):
                yield Difference(number, key, "content", one.get(key), other.get(key))


def _of_outputs(cell: int, before: list[Wire], after: list[Wire]) -> Iterator[Difference]:
    for output in before:
        if is_empty(output):
            kind = "colours" if output.get("text") else "empty"
            yield Difference(cell, "outputs", kind, output, None)
    before = [output for output in before if not is_empty(output)]
    for number in range(max(len(before), len(after))):
        one = before[number] if number < len(before) else None
        other = after[number] if number < len(after) else None
        if one == other:
            continue
        kind = "content"
        if one and other and without_colours(one) == without_colours(other):
            kind = "colours"
        yield Difference(cell, f"outputs.{number}", kind, one, other)


def is_empty(output: Wire) -> bool:
    """Whether an output is a stream that says nothing."""
    return not without_colours(output).get("text", "x")


def without_colours(output: Wire) -> Wire:
    """An output as it is without what is meant for a terminal."""
    if output["output_type"] == "stream":
        lines, is_ended = terminal_lines(output["text"])
        return output | {"text": "\n".join([*lines, ""] if is_ended else lines)}
    if output["output_type"] == "error":
        lines = plain("\n".join(output["traceback"])).replace("\r", "").split("\n")
        return output | {"traceback": lines, "evalue": plain(output["evalue"])}
    data = output["data"]
    texts = [m for m, v in data.items() if isinstance(v, str) and not m.endswith("json")]
    shown = {mime: plain(data[mime]) for mime in texts}
    if DEFAULT_MIME_TYPE in shown:
        shown[DEFAULT_MIME_TYPE] = re.sub("\r\n?", "\n", shown[DEFAULT_MIME_TYPE])
    return output | {"data": data | shown}

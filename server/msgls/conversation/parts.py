"""Parts of messages in wire form, and values of foreign JSON.

Owns how a reader makes a part, and how it takes a value that may be missing or of another type.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgls.formats.images import data_in
from msgls.formats.strictjson import strict_loads
from msgls.formats.values import REFUSAL

Wire = dict[str, Any]


def text_part(text: str, kind: str = "text") -> Wire:
    """A part that says ``text``."""
    return {"kind": kind, "payload": {"text": text}}


def text_parts(text: str, kind: str = "text") -> list[Wire]:
    """The part that says ``text``; none if it is empty."""
    return [text_part(text, kind)] if text else []


def refusal_part(text: str) -> Wire:
    """A part by which a model refuses to answer."""
    return {"kind": "text", "payload": {"text": text, REFUSAL: True}}


def image_part(mime_type: str, data: str | None = None, url: str | None = None) -> Wire:
    """A part that shows an image."""
    payload = {"mimeType": mime_type}
    payload |= {} if data is None else {"data": data}
    payload |= {} if url is None else {"url": url}
    return {"kind": "image", "payload": payload}


def file_part(path: str, mime_type: object = None, size: object = None, **more: str) -> Wire:
    """A part that names a file; ``more`` is its content, or its id at a service."""
    payload: Wire = {"path": path}
    if isinstance(mime_type, str) and mime_type:
        payload["mimeType"] = mime_type
    if isinstance(size, int) and not isinstance(size, bool):
        payload["size"] = size
    return {"kind": "file_ref", "payload": payload | more}


def held_file(name: str, address: str) -> Wire | None:
    """A part with the file in a ``data:`` URL."""
    held = data_in(address)
    return None if held is None else file_part(name or "file", held[0], data=held[1])


def call_part(call_id: str, name: str, arguments: object) -> Wire:
    """A part that calls a tool; arguments that are not an object, or JSON of one, stay text."""
    payload: Wire = {"toolCallId": call_id, "toolName": name}
    value = json_object(arguments) if isinstance(arguments, str) else arguments
    if isinstance(value, dict):
        payload["arguments"] = value
    else:
        payload["rawArgsText"] = arguments if isinstance(arguments, str) else ""
    return {"kind": "tool_call", "payload": payload}


def result_part(call_id: str, content: object, is_error: bool = False) -> Wire:
    """A part that answers a tool call."""
    payload = {"toolCallId": call_id, "isError": is_error, "content": content}
    return {"kind": "tool_result", "payload": payload}


def result_content(parts: list[Wire]) -> Any:
    """The content of a result: a string for a single text, else parts."""
    if not parts:
        return ""
    if len(parts) == 1 and parts[0]["kind"] == "text":
        return parts[0]["payload"]["text"]
    return parts


# -- values ---------------------------------------------------------------------------------


BROKEN = object()
"""The value of a text that is not valid JSON."""


def json_value(text: str) -> object:
    """The value of a text of strict JSON; ``BROKEN`` if it is not valid."""
    try:
        return strict_loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return BROKEN


def json_object(text: str) -> Wire | None:
    """The object in a text of strict JSON, if it is one."""
    value = json_value(text)
    return value if isinstance(value, dict) else None


def list_of(value: object) -> list[Any]:
    """The value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def dict_of(value: object) -> Wire:
    """The value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def text_of(value: object) -> str:
    """The value if it is a string, else an empty string."""
    return value if isinstance(value, str) else ""


def remaining(value: Mapping[str, Any], known: Iterable[str]) -> Wire:
    """The members of an object besides the known keys, without null and empty values."""
    left_out = frozenset(known)
    return {
        key: item
        for key, item in value.items()
        if key not in left_out and item not in (None, "", [], {})
    }

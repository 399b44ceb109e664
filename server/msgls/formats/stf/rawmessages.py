"""Messages as chat services write them: what stands in a ``raw`` block.

Owns the way between such an object and the parts of a message, in both directions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgls.formats.stf import json5
from msgls.text.patterns import lazy_pattern

Wire = dict[str, Any]

ANY_IMAGE = "image/*"
"""The type of an image of which only the address is known."""

_DATA_URL = lazy_pattern(r"data:([^;,]+);base64,(.*)")


# -- reading


def parts_of_content(content: object) -> tuple[list[Wire], bool]:
    """The parts that ``content`` says, and whether some of it could not be read."""
    if content is None:
        return [], False
    if isinstance(content, str):
        return [_text(content)], False
    if not isinstance(content, list):
        return [], True
    parts = [_part_of(item) for item in content]
    return [part for part in parts if part is not None], None in parts


def _text(text: str) -> Wire:
    return {"kind": "text", "payload": {"text": text}}


def _part_of(item: object) -> Wire | None:
    if not isinstance(item, dict):
        return None
    text, image = item.get("text"), item.get("image_url")
    if item.get("type") == "text" and isinstance(text, str):
        return _text(text)
    url = image.get("url") if isinstance(image, dict) else None
    if item.get("type") != "image_url" or not isinstance(url, str):
        return None
    data = _DATA_URL.fullmatch(url)
    if data is None:
        return {"kind": "image", "payload": {"mimeType": ANY_IMAGE, "url": url}}
    return {"kind": "image", "payload": {"mimeType": data.group(1), "data": data.group(2)}}


def call_of(call: object) -> Wire | None:
    """The part that an entry of ``tool_calls`` says; its id may be missing."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict):
        return None
    name, arguments = function.get("name"), function.get("arguments", {})
    if not isinstance(name, str):
        return None
    call_id = call.get("id")
    payload: Wire = {"toolCallId": call_id if isinstance(call_id, str) else None, "toolName": name}
    if isinstance(arguments, dict):
        payload["arguments"] = arguments
    elif isinstance(arguments, str):
        value = _strict_object(arguments)
        payload |= {"rawArgsText": arguments} if value is None else {"arguments": value}
    else:
        return None
    return {"kind": "tool_call", "payload": payload}


def _strict_object(text: str) -> Wire | None:
    """The object that a text of strict JSON says."""
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not json5.is_too_deep(value) else None


# -- writing


def content_of(parts: Sequence[Wire]) -> Any:
    """``content`` for texts and images; nothing else is among ``parts``."""
    if len(parts) == 1 and parts[0]["kind"] == "text":
        return parts[0]["payload"]["text"]
    return [_item_of(part) for part in parts]


def _item_of(part: Wire) -> Wire:
    payload = part["payload"]
    if part["kind"] != "image":
        return {"type": "text", "text": payload["text"]}
    url = payload.get("url")
    if payload.get("data") is not None:
        url = f"data:{payload['mimeType']};base64,{payload['data']}"
    return {"type": "image_url", "image_url": {"url": url}}


def call_entry(payload: Mapping[str, Any]) -> Wire:
    """The entry of ``tool_calls`` for a tool call."""
    arguments = payload.get("arguments")
    text = payload.get("rawArgsText") or ""
    if arguments is not None:
        text = json.dumps(arguments, ensure_ascii=False)
    function = {"name": payload["toolName"], "arguments": text}
    return {"id": payload["toolCallId"], "type": "function", "function": function}

"""Messages as chat services write them: what is in a ``raw`` block.

Owns the way between such an object and the parts of a message, in both directions.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgls.formats import json5
from msgls.formats.images import ALT, address_of, data_in, image_at
from msgls.formats.values import DATA, REFUSAL

Wire = dict[str, Any]

ANSWERED_KEYS = ("tool_call_id", "call_id")
"""What says which call a message answers, the key that counts more first."""

SAID_KINDS = ("text", "image", "thinking", "file_ref")
"""The parts that ``content`` has a place for."""
IS_ERROR = "is_error"
"""What says that a tool failed."""

_TEXT_TYPES = ("text", "input_text", "output_text")
_THOUGHT_TYPES = ("thinking", "reasoning")


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
    kind, text = item.get("type"), item.get("text")
    if kind in _TEXT_TYPES and isinstance(text, str):
        return _text(text)
    if kind == REFUSAL:
        return refusal_of(item)
    if kind in _THOUGHT_TYPES:
        thought = text if isinstance(text, str) else item.get(kind)
        return _thought(thought) if isinstance(thought, str) else None
    if kind in ("image_url", "input_image"):
        image = item.get("image_url")
        if not isinstance(image, dict):
            return _image_at(image)
        part = _image_at(image.get("url"))
        rest = {key: value for key, value in image.items() if key != "url"}
        return None if part is None else {**part, "payload": rest | part["payload"]}
    if kind == "image":
        return _image_of(item)
    if kind == "file":
        return _file_of(item)
    return None


def _file_of(item: Wire) -> Wire | None:
    """A file by its address; ``file`` may hold its name and what is in it."""
    if isinstance(item.get("url"), str):
        return {"kind": "file_ref", "payload": {"path": item["url"]}}
    file = item["file"] if isinstance(item.get("file"), dict) else {}
    name, address = file.get("filename"), file.get("file_data")
    held = data_in(address) if isinstance(address, str) else None
    if held is None or not isinstance(name, str):
        return None
    return {"kind": "file_ref", "payload": {"path": name, "mimeType": held[0], DATA: held[1]}}


def refusal_of(said: Mapping[str, Any]) -> Wire | None:
    """The part by which a message, or an item of its content, refuses to answer."""
    text = said.get(REFUSAL)
    if not isinstance(text, str) or not text:
        return None
    return {"kind": "text", "payload": {"text": text, REFUSAL: True}}


def _image_of(item: Wire) -> Wire | None:
    """An image with an address, or with its data and format; ``source`` may hold them."""
    source = item["source"] if isinstance(item.get("source"), dict) else item
    data = source.get("data")
    if not isinstance(data, str):
        return _image_at(source.get("url"))
    format = source.get("media_type", source.get("format", "png"))
    if not isinstance(format, str):
        return None
    mime_type = format if "/" in format else f"image/{format}"
    return {"kind": "image", "payload": {"mimeType": mime_type, "data": data}}


def _image_at(url: object) -> Wire | None:
    return image_at(url) if isinstance(url, str) else None


def thoughts_of(reasoning: object) -> tuple[list[Wire], bool]:
    """The parts that ``reasoning`` says, and whether some of it could not be read."""
    parts, unread = parts_of_content(reasoning)
    thoughts = [_thought(part["payload"]["text"]) for part in parts if "text" in part["payload"]]
    return thoughts, unread or len(thoughts) < len(parts)


def _thought(text: str) -> Wire:
    return {"kind": "thinking", "payload": {"text": text}}


def function_of(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an entry of ``tool_calls`` says of its tool: in ``function``, or in itself."""
    function = call.get("function")
    return function if isinstance(function, dict) else call


def call_id_of(call: Mapping[str, Any]) -> tuple[str, str | None]:
    """The id of an entry of ``tool_calls``, and the key that says it."""
    for key in ("id", "call_id"):
        if isinstance(call.get(key), str):
            return key, call[key]
    return "id", None


def answered_by(message: Mapping[str, Any]) -> str | None:
    """The id of the call that a raw message says it answers."""
    return next((message[k] for k in ANSWERED_KEYS if isinstance(message.get(k), str)), None)


def call_of(call: object) -> Wire | None:
    """The part that an entry of ``tool_calls`` says; its id may be missing."""
    if not isinstance(call, dict):
        return None
    function = function_of(call)
    name, arguments = function.get("name"), function.get("arguments", {})
    if not isinstance(name, str):
        return None
    payload: Wire = {"toolCallId": call_id_of(call)[1], "toolName": name}
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
    """``content`` for parts of ``SAID_KINDS``; nothing else is among ``parts``."""
    if len(parts) == 1 and parts[0]["kind"] == "text" and REFUSAL not in parts[0]["payload"]:
        return parts[0]["payload"]["text"]
    return [_item_of(part) for part in parts]


def _item_of(part: Wire) -> Wire:
    payload = part["payload"]
    if payload.get(REFUSAL) is True:
        return {"type": REFUSAL, REFUSAL: payload["text"]}
    if part["kind"] in ("text", "thinking"):
        return {"type": part["kind"], "text": payload["text"]}
    if part["kind"] == "file_ref":
        if isinstance(payload.get(DATA), str) and isinstance(payload.get("mimeType"), str):
            address = f"data:{payload['mimeType']};base64,{payload[DATA]}"
            return {"type": "file", "file": {"filename": payload["path"], "file_data": address}}
        return {"type": "file", "url": payload["path"]}
    rest = {k: v for k, v in payload.items() if k not in ("mimeType", "data", "url", ALT)}
    return {"type": "image_url", "image_url": {"url": address_of(payload)} | rest}


def call_entry(payload: Mapping[str, Any]) -> Wire:
    """The entry of ``tool_calls`` for a tool call."""
    arguments = payload.get("arguments")
    text = payload.get("rawArgsText") or ""
    if arguments is not None:
        text = json.dumps(arguments, ensure_ascii=False)
    function = {"name": payload["toolName"], "arguments": text}
    return {"id": payload["toolCallId"], "type": "function", "function": function}

"""Whether wire data has the shape of a delta, a message or a session entry, in a microsecond.

Owns a quick look that never raises: ``True`` says that the models of ``messages.py``
accept the data, ``False`` that they must be asked. The models are the truth, and say
what is wrong and where; this is what lets a million deltas pass without them.

Must not import pydantic, and must not judge more than the models do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

TERMINAL_KINDS = frozenset({"done", "error"})
"""The kinds of delta that end a stream."""
CALL_KINDS = frozenset({"tool_call_start", "tool_call_args", "tool_call_end"})
"""The kinds of delta that speak of a tool call."""

# Parts in a result's content may hold results again; the models bound that, and so do we.
_DEEPEST_CONTENT = 20

# A delta of so many keys has those that it must have, and no other.
_DELTA_KEYS = 5

_ROLES = frozenset({"system", "user", "assistant", "tool"})

Payload = dict[str, Any]


def is_delta(wire: object) -> bool:
    """Whether the data is a delta for certain."""
    if type(wire) is not dict:
        return False
    get = wire.get
    payload = get("payload")
    kind = get("kind")
    if type(payload) is not dict or type(kind) is not str:
        return False
    check = _DELTA_PAYLOADS.get(kind)
    if check is None or not check(payload) or (len(payload) > 1 and not _has_whole_keys(payload)):
        return False
    return (
        type(get("runId")) is str
        and type(get("seq")) is int
        and type(get("timestamp")) is str
        and _is_object_or_none(get("providerRaw"))
        and (len(wire) == _DELTA_KEYS or _has_whole_keys(wire))
    )


def is_message(wire: object) -> bool:
    """Whether the data is a message for certain."""
    if type(wire) is not dict:
        return False
    get = wire.get
    role = get("role")
    return (
        type(role) is str
        and role in _ROLES
        and type(get("runId")) is str
        and type(get("timestamp")) is str
        and _is_object_or_none(get("meta"))
        and _has_whole_keys(wire)
        and _are_parts(get("parts"), _DEEPEST_CONTENT)
    )


def is_entry(wire: object) -> bool:
    """Whether the data is a session entry for certain, whatever its payload is."""
    if type(wire) is not dict:
        return False
    get = wire.get
    return (
        "payload" in wire
        and type(get("id")) is str
        and type(get("type")) is str
        and type(get("timestamp")) is str
        and _is_text_or_none(get("parentId"))
        and _is_text_or_none(get("runId"))
        and _is_object_or_none(get("meta"))
        and _has_whole_keys(wire)
    )


def _has_whole_keys(wire: Payload) -> bool:
    """Whether no key holds half a character: the models refuse such, whatever else is right."""
    keys = "".join(wire)
    if keys.isascii():
        return True
    try:
        keys.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_object_or_none(value: object) -> bool:
    return value is None or type(value) is dict


def _is_text_or_none(value: object) -> bool:
    return value is None or type(value) is str


# -- payloads of deltas ---------------------------------------------------------------------


def _is_start(payload: Payload) -> bool:
    return type(payload.get("modelId")) is str and type(payload.get("requestId")) is str


def _is_text_delta(payload: Payload) -> bool:
    return type(payload.get("textDelta")) is str


def _is_call_start(payload: Payload) -> bool:
    return type(payload.get("toolCallId")) is str and type(payload.get("toolName")) is str


def _is_call_args(payload: Payload) -> bool:
    return type(payload.get("toolCallId")) is str and type(payload.get("argsTextDelta")) is str


def _is_call_end(payload: Payload) -> bool:
    return type(payload.get("toolCallId")) is str


def _is_usage(payload: Payload) -> bool:
    get = payload.get
    cost = get("cost")
    return (
        type(get("inputTokens")) is int
        and type(get("outputTokens")) is int
        and type(get("totalTokens")) is int
        and (_is_object_or_none(cost) or _is_number(cost))
    )


def _is_number(value: object) -> bool:
    return type(value) is int or (type(value) is float and isfinite(value))


def _is_done(payload: Payload) -> bool:
    return type(payload.get("finishReason")) is str


def _is_error(payload: Payload) -> bool:
    retryable = payload.get("retryable")
    return (
        type(payload.get("errorCode")) is str
        and _is_text_or_none(payload.get("message"))
        and (retryable is None or type(retryable) is bool)
    )


_DELTA_PAYLOADS: Mapping[str, Callable[[Payload], bool]] = {
    "start": _is_start,
    "text": _is_text_delta,
    "thinking": _is_text_delta,
    "tool_call_start": _is_call_start,
    "tool_call_args": _is_call_args,
    "tool_call_end": _is_call_end,
    "usage": _is_usage,
    "done": _is_done,
    "error": _is_error,
}


DELTA_KINDS = frozenset(_DELTA_PAYLOADS)
"""Every kind of delta."""


# -- parts of messages ----------------------------------------------------------------------


def _are_parts(parts: object, depth: int) -> bool:
    return type(parts) is list and all(_is_part(part, depth) for part in parts)


def _is_part(part: object, depth: int) -> bool:
    if type(part) is not dict:
        return False
    payload, kind = part.get("payload"), part.get("kind")
    if type(payload) is not dict or type(kind) is not str:
        return False
    if not _has_whole_keys(part) or not _has_whole_keys(payload):
        return False
    if kind == "tool_result":
        return _is_result(payload, depth)
    check = _PART_PAYLOADS.get(kind)
    return check is not None and check(payload)


def _is_text(payload: Payload) -> bool:
    return type(payload.get("text")) is str


def _is_call(payload: Payload) -> bool:
    arguments, raw = payload.get("arguments"), payload.get("rawArgsText")
    return (
        _is_call_start(payload)
        and _is_object_or_none(arguments)
        and _is_text_or_none(raw)
        and (arguments is not None or raw is not None)
    )


def _is_result(payload: Payload, depth: int) -> bool:
    content = payload.get("content")
    return (
        type(payload.get("toolCallId")) is str
        and type(payload.get("isError")) is bool
        and (
            type(content) is str
            or type(content) is dict
            or (depth > 0 and _are_parts(content, depth - 1))
        )
    )


def _is_image(payload: Payload) -> bool:
    data, url = payload.get("data"), payload.get("url")
    return (
        type(payload.get("mimeType")) is str
        and _is_text_or_none(data)
        and _is_text_or_none(url)
        and (data is not None or url is not None)
    )


def _is_file_ref(payload: Payload) -> bool:
    size = payload.get("size")
    return (
        type(payload.get("path")) is str
        and _is_text_or_none(payload.get("mimeType"))
        and (size is None or type(size) is int)
    )


_PART_PAYLOADS: Mapping[str, Callable[[Payload], bool]] = {
    "text": _is_text,
    "thinking": _is_text,
    "tool_call": _is_call,
    "image": _is_image,
    "file_ref": _is_file_ref,
}

"""Reads requests to OpenAI's Responses API, and responses.

Adjacent items of the assistant (thoughts, texts, calls) are one message. The other keys (the
model, the tools) are kept in the first message.
"""

from __future__ import annotations

import json

from msgls.conversation.conversation import Conversation
from msgls.conversation.parts import (
    Wire,
    call_part,
    dict_of,
    file_part,
    held_file,
    image_part,
    list_of,
    refusal_part,
    remaining,
    result_content,
    result_part,
    text_of,
    text_part,
)
from msgls.conversation.readers.drafts import (
    Drafts,
    Places,
    answer_meta,
    service_call,
    time_of_seconds,
)
from msgls.formats.images import image_at
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase, as_code

SERVICE = "responses"

WHAT = Phrase("a request with `input`, a response with `output`, or a list of their items")

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_CALLS = ("function_call", "custom_tool_call")
_RESULT = "_call_output"
_SERVICE_CALL = "_call"
"""The suffix of the types of calls that the service executes itself."""
_ITEMS = frozenset(
    {*_CALLS, "function_call_output", "custom_tool_call_output", "reasoning"},
)
_REQUEST_KEYS = ("input", "instructions")
_RESPONSE_KEYS = (
    "output", "instructions", "id", "object", "created_at", "model", "usage", "status",
)  # fmt: skip
_GIVEN = ("arguments", "code", "action", "queries", "input")
_GOT = ("outputs", "output", "results", "result", "error")
_TEXTS = ("input_text", "output_text", "text", "summary_text", "reasoning_text")


def is_conversation(value: object) -> bool:
    """Whether it is a request or a response, or a list of items."""
    if isinstance(value, list):
        return any(dict_of(item).get("type") in _ITEMS for item in value)
    output = dict_of(value).get("output")
    if dict_of(value).get("object") == "response" and isinstance(output, list):
        return True
    return "model" in dict_of(value) and isinstance(dict_of(value).get("input"), str | list)


def read(value: object, places: Places, path: Path = ()) -> Conversation:
    """The conversation of a request, of a response, or of a list of items."""
    reader = _Reader(Drafts(places))
    whole = dict_of(value)
    instructions = whole.get("instructions")
    if isinstance(instructions, str) and instructions:
        reader.drafts.add("system", [text_part(instructions)], (*path, "instructions"))
    elif isinstance(instructions, list):
        reader.items(instructions, (*path, "instructions"))
    if "output" in whole:
        _read_response(whole, reader, path)
    elif isinstance(whole.get("input"), str):
        reader.drafts.add("user", [text_part(whole["input"])], (*path, "input"))
    else:
        is_list = isinstance(value, list)
        below = path if is_list else (*path, "input")
        reader.items(list_of(value if is_list else whole.get("input")), below)
    rest = remaining(whole, _RESPONSE_KEYS if "output" in whole else _REQUEST_KEYS)
    reader.drafts.carry_request(SERVICE, rest, path)
    return reader.drafts.conversation()


def _read_response(response: Wire, reader: _Reader, path: Path) -> None:
    incomplete = dict_of(response.get("incomplete_details")).get("reason")
    reader.time = time_of_seconds(response.get("created_at"))
    reader.items(list_of(response["output"]), (*path, "output"))
    reader.drafts.update_last_answer(answer_meta(response, incomplete or response.get("status")))


class _Reader:
    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts
        self.time: str | None = None
        self._answer: list[Wire] = []
        self._started: Path = ()

    def items(self, items: list[object], path: Path) -> None:
        for number, item in enumerate(items):
            self._item(item, (*path, number))
        self._end_answer()

    def _end_answer(self) -> None:
        if self._answer:
            self._add("assistant", self._answer, self._started, {})
            self._answer = []

    def _add(self, role: str, parts: list[Wire], path: Path, meta: Wire) -> None:
        self.drafts.add(role, parts, path, meta, self.time)

    def _item(self, item: object, path: Path) -> None:
        if not isinstance(item, dict):
            self.drafts.lose(Phrase("this is not a message"), path)
            return
        kind = item.get("type", "message" if "role" in item else None)
        if kind == "message" and item.get("role") == "assistant":
            self._answers(self._content(item.get("content"), (*path, "content")), path)
            known: tuple[str, ...] = ("role", "content")
        elif kind == "message":
            self._end_answer()
            self._message(item, path)
            known = ("role", "content")
        elif kind == "reasoning":
            self._answers([text_part(text, "thinking") for text in _thoughts(item)], path)
            known = ("summary", "content")
        elif kind in _CALLS:
            arguments = item.get("arguments") if "arguments" in item else _input(item)
            name = text_of(item.get("name"))
            self._answers([call_part(text_of(item.get("call_id")), name, arguments)], path)
            known = ("call_id", "name", "arguments", "input")
        elif isinstance(kind, str) and kind.endswith(_SERVICE_CALL):
            known = self._service_call(kind, item, path)
        elif isinstance(kind, str) and kind.endswith(_RESULT):
            self._end_answer()
            output = item.get("output")
            parts = self._content(output, (*path, "output"))
            content = parts if isinstance(output, list) else result_content(parts)
            content = output if isinstance(output, dict) else content
            self._add("tool", [result_part(text_of(item.get("call_id")), content)], path, {})
            known = ("call_id", "output")
        else:
            what = Phrase("an item of the type {kind} was left out", kind=as_code(kind))
            self.drafts.lose(what, path)
            return
        rest = remaining(item, ("type", "id", "status", *known))
        self.drafts.lose_keys(Phrase("not kept: {keys} of a message"), rest, path)

    def _service_call(self, kind: str, item: Wire, path: Path) -> tuple[str, ...]:
        """Read a call that the service executed, with its result; returns the keys that it read."""
        name = text_of(item.get("name")) or kind.removesuffix(_SERVICE_CALL)
        call_id = text_of(item.get("call_id")) or text_of(item.get("id"))
        given = next((key for key in _GIVEN if item.get(key)), "")
        arguments = {given: item[given]} if given == "queries" else item.get(given, {})
        self._answers([call_part(call_id, name, arguments)], path)
        self.drafts.lose(service_call(name), path)
        got = next((key for key in _GOT if item.get(key)), "")
        if got:
            self._end_answer()
            content = _outcome(item[got])
            if kind == "image_generation_call" and isinstance(content, str):
                content = [image_part(f"image/{item.get('output_format', 'png')}", content)]
            self._add("tool", [result_part(call_id, content, got == "error")], path, {})
        return ("call_id", "name", "output_format", given, got)

    def _answers(self, parts: list[Wire], path: Path) -> None:
        self._started = self._started if self._answer else path
        self._answer += parts

    def _message(self, item: Wire, path: Path) -> None:
        given = text_of(item.get("role"))
        role = self.drafts.role_of(given, _ROLES, path)
        meta = {"role": given} if given == "developer" else {}
        self._add(role, self._content(item.get("content"), (*path, "content")), path, meta)

    def _content(self, content: object, path: Path) -> list[Wire]:
        return self.drafts.blocks(content, path, _part, lambda block: block.get("filename"))


def _part(block: Wire, path: Path) -> tuple[Wire | None, tuple[str, ...]]:
    """A part of a message, and the keys of the block that are in it."""
    kind = block.get("type")
    if kind in _TEXTS and isinstance(block.get("text"), str):
        return text_part(block["text"]), ("text",)
    if kind == "refusal" and isinstance(block.get("refusal"), str):
        return refusal_part(block["refusal"]), ("refusal",)
    if kind == "input_image" and isinstance(block.get("image_url"), str):
        part = image_at(block["image_url"])
        part["payload"] |= remaining(block, ["type", "image_url"])
        return part, tuple(block)
    if kind == "input_file":
        keys = ("filename", "file_url", "file_id", "file_data")
        name, url, file_id, data = [text_of(block.get(key)) for key in keys]
        if data:
            return held_file(name, data), keys
        if file_id:
            return file_part(name or file_id, openaiFileId=file_id), keys
        if name or url:
            return file_part(url or name), keys
    return None, ()


def _outcome(value: object) -> object:
    """The output of a service's own tool, as the content of a result."""
    if isinstance(value, str | dict):
        return value
    parts = []
    for one in list_of(value):
        block = dict_of(one)
        logs, url = block.get("logs"), block.get("url")
        if isinstance(logs, str):
            parts.append(text_part(logs))
        elif block.get("type") == "image" and isinstance(url, str):
            parts.append(image_at(url))
        else:
            parts.append(text_part(json.dumps(one, ensure_ascii=False)))
    return result_content(parts)


def _thoughts(item: Wire) -> list[str]:
    pieces = [*list_of(item.get("summary")), *list_of(item.get("content"))]
    texts = [text_of(dict_of(piece).get("text")) for piece in pieces]
    return [text for text in texts if text]


def _input(item: Wire) -> Wire:
    return {"input": text_of(item.get("input"))}

"""Requests of OpenAI's chat completions: to and from a conversation.

Owns the table "what a message becomes" for that service, in both directions. A request's
other keys (its model, its tools) are carried by the first message, and a message's by
itself, in ``meta.openai``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgls.conversation.conversation import Conversation
from msgls.conversation.messages import (
    FileRefPart,
    ImagePart,
    Message,
    MessagePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResult,
)
from msgls.conversation.readers.drafts import (
    Drafts,
    Places,
    Wire,
    call_part,
    dict_of,
    file_part,
    image_part,
    list_of,
    plain_content,
    quoted,
    result_part,
    said,
    text_of,
    text_part,
)
from msgls.conversation.requests import NO_MODEL, REQUEST_META, Asked, carried, is_carried
from msgls.conversation.writers.chatbuilder import as_markdown
from msgls.conversation.writers.turns import (
    CallNames,
    Losses,
    Names,
    Turn,
    arranged,
    no_arguments_text,
)
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase

SERVICE = "openai"
ANY_IMAGE = "image/*"
"""The type of an image of which only the address is known."""

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_MESSAGE_KEYS = ("role", "content", "name", "tool_calls", "tool_call_id", "function_call")
_DATA_URL = re.compile(r"data:([^;,]+);base64,(.*)", re.DOTALL)
_NAME = re.compile(r"[^\s<|\\/>]{1,64}")
_IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")


# -- reading --------------------------------------------------------------------------------


def read(value: object, places: Places, path: Path = ()) -> Conversation:
    """The conversation of a request, or of a list of messages."""
    drafts = Drafts(places)
    if isinstance(value, dict):
        messages, below = list_of(value.get("messages")), (*path, "messages")
    else:
        messages, below = list_of(value), path
    reader = _Reader(drafts)
    for number, message in enumerate(messages):
        reader.message(message, (*below, number))
    rest = said(value, ["messages"]) if isinstance(value, dict) else {}
    if rest and not drafts.carry(REQUEST_META, {SERVICE: rest}):
        drafts.lose(Phrase("no message is there to carry {keys}", keys=quoted(rest)), path)
    return drafts.conversation()


class _Reader:
    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts
        self.legacy_calls = 0

    def message(self, message: object, path: Path) -> None:
        if not isinstance(message, dict):
            self.drafts.lose(Phrase("this is no message"), path)
            return
        role = message.get("role")
        meta: Wire = {}
        if isinstance(message.get("name"), str):
            meta["name"] = message["name"]
        rest = said(message, _MESSAGE_KEYS)
        if rest:
            meta[SERVICE] = rest
        parts = self.content(message.get("content"), (*path, "content"))
        if role in ("tool", "function"):
            call_id = text_of(message.get("tool_call_id")) or self._legacy_id(role)
            content = parts if isinstance(message.get("content"), list) else plain_content(parts)
            self.drafts.add("tool", [result_part(call_id, content)], path, meta)
            return
        if role not in _ROLES:
            self.drafts.lose(
                Phrase("there is no role {role}: it is taken for the user's", role=repr(role)), path
            )
        elif role == "developer":
            meta["role"] = role
        parts += self.calls(message, path)
        self.drafts.add(_ROLES.get(text_of(role), "user"), parts, path, meta)

    def _legacy_id(self, role: object) -> str:
        return f"function-{self.legacy_calls}" if role == "function" else ""

    def calls(self, message: Wire, path: Path) -> list[Wire]:
        parts = []
        for number, call in enumerate(list_of(message.get("tool_calls"))):
            function = dict_of(dict_of(call).get("function"))
            if not isinstance(function.get("name"), str):
                kind = dict_of(call).get("type")
                self.drafts.lose(
                    Phrase("a call of the type {kind}", kind=repr(kind)),
                    (*path, "tool_calls", number),
                )
                continue
            call_id = text_of(call.get("id"))
            parts.append(call_part(call_id, function["name"], function.get("arguments")))
        legacy = message.get("function_call")
        if isinstance(legacy, dict) and isinstance(legacy.get("name"), str):
            self.legacy_calls += 1
            call_id = f"function-{self.legacy_calls}"
            parts.append(call_part(call_id, legacy["name"], legacy.get("arguments")))
            self.drafts.lose(Phrase("`function_call` becomes a tool call"), path)
        return parts

    def content(self, content: object, path: Path) -> list[Wire]:
        if isinstance(content, str):
            return [text_part(content)] if content else []
        parts = []
        for number, item in enumerate(list_of(content)):
            part = _part(item)
            if dict_of(item).get("type") == "refusal" and part is not None:
                self.drafts.lose(Phrase("a refusal becomes text"), (*path, number))
            if part is None:
                kind = dict_of(item).get("type")
                self.drafts.lose(
                    Phrase("content of the type {kind} is not known", kind=repr(kind)),
                    (*path, number),
                )
            else:
                parts.append(part)
        if content is not None and not isinstance(content, list):
            self.drafts.lose(Phrase("`content` is neither a text nor a list"), path)
        return parts


def _part(item: object) -> Wire | None:
    item = dict_of(item)
    kind = item.get("type")
    if kind in ("text", "refusal") and isinstance(item.get(kind), str):
        return text_part(item[kind])
    if kind == "image_url":
        image = dict_of(item.get("image_url"))
        url = image.get("url")
        if isinstance(url, str):
            data = _DATA_URL.fullmatch(url)
            part = image_part(ANY_IMAGE, url=url)
            if data is not None:
                part = image_part(data.group(1), data=data.group(2))
            part["payload"] |= said(image, ["url"])
            return part
    if kind == "file":
        file = dict_of(item.get("file"))
        name = file.get("filename") or file.get("file_id")
        if isinstance(name, str) and "file_data" not in file:
            return file_part(name)
    return None


# -- writing --------------------------------------------------------------------------------


def write(conversation: Conversation, asked: Asked) -> tuple[Wire, Conversation]:
    """The request, and the conversation with what it cannot say added to its losses."""
    losses = Losses()
    writer = _Writer(conversation.messages, losses)
    messages = [
        wire for turn in arranged(conversation.messages, losses) for wire in writer.turn(turn)
    ]
    rest = dict(carried(conversation, SERVICE))
    model = asked.model or rest.pop("model", None) or NO_MODEL
    request: Wire = {"model": model, "messages": messages}
    if asked.max_output_tokens is not None:
        request["max_completion_tokens"] = asked.max_output_tokens
    if asked.temperature is not None:
        request["temperature"] = asked.temperature
    rest.pop("model", None)
    return request | rest, replace(conversation, losses=(*conversation.losses, *losses.found))


def is_said(message: Message, key: str) -> bool:
    """Whether a request has a place for a key of a message's meta."""
    value = (message.meta or {}).get(key)
    if key == "name":
        return message.role != "tool" and isinstance(value, str) and bool(_NAME.fullmatch(value))
    if key == "role":
        return message.role == "system" and value == "developer"
    if key == SERVICE:
        return isinstance(value, Mapping) and not value.keys() & set(_MESSAGE_KEYS)
    return is_carried(key, value, SERVICE)


class _Writer:
    def __init__(self, messages: Sequence[Message], losses: Losses) -> None:
        self.messages = messages
        self.losses = losses
        self.names = CallNames(
            # A dot is fine in an id, and none is longer than that.
            Names(r"[\x00-\x20\x7f]", 40, "call"),
            Names(r"[^A-Za-z0-9_-]", 64, "tool"),
            losses,
        )

    def turn(self, turn: Turn) -> list[Wire]:
        if turn.role == "assistant":
            return self.assistant(turn)
        meta = self.messages[turn.index].meta or {}
        role = (
            "developer" if turn.role == "system" and meta.get("role") == "developer" else turn.role
        )
        items = [item for part in turn.parts for item in self.item(part, turn.index)]
        return [{"role": role, "content": _content(items)} | self.about(turn)]

    def about(self, turn: Turn) -> Wire:
        """What a message says of itself that has a place here."""
        message = self.messages[turn.index]
        about: Wire = {}
        if message.role == turn.role:
            meta = message.meta or {}
            about = {"name": meta["name"]} if "name" in meta and is_said(message, "name") else {}
            if SERVICE in meta and is_said(message, SERVICE):
                about |= meta[SERVICE]
        return about

    def assistant(self, turn: Turn) -> list[Wire]:
        items: list[Wire] = []
        calls: list[Wire] = []
        results: list[Wire] = []
        for place, part in enumerate(turn.parts):
            if not isinstance(part, ToolCallPart):
                if calls:
                    self.losses.add(turn.index, Phrase("text behind a call is moved before it"))
                items += self.item(part, turn.index)
                continue
            call_id = self.names.call(turn.index, part.payload.tool_call_id)
            calls.append(self.call(turn.index, part, call_id))
            if place in turn.results:
                result = turn.results[place]
                self.names.answer(result.index, part.payload.tool_call_id, call_id)
                results.append(self.result(result.index, result.result.payload, call_id))
        wire: Wire = {"role": "assistant", "content": _content(items)}
        if calls:
            wire["content"] = wire["content"] or None
            wire["tool_calls"] = calls
        return [wire | self.about(turn), *results]

    def call(self, index: int, part: ToolCallPart, call_id: str) -> Wire:
        call = part.payload
        arguments = call.raw_args_text or ""
        if call.arguments is not None:
            arguments = json.dumps(call.arguments, ensure_ascii=False)
            if call.raw_args_text is not None:
                self.losses.add(index, no_arguments_text(call.tool_call_id))
        name = self.names.tool(index, call.tool_name)
        return {
            "id": call_id,
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }

    def result(self, index: int, result: ToolResult, call_id: str) -> Wire:
        if result.is_error:
            call = result.tool_call_id
            self.losses.add(
                index, Phrase("that the tool call `{call}` failed is not kept", call=call)
            )
        content: Any = result.content
        if isinstance(content, Mapping):
            self.losses.add(index, Phrase("a result that is an object becomes JSON text"))
            content = json.dumps(content, ensure_ascii=False)
        elif not isinstance(content, str):
            content = [item for part in content for item in self.text(part, index)]
            if not content:
                self.losses.add(index, Phrase("a result without parts becomes an empty text"))
        return {"role": "tool", "tool_call_id": call_id, "content": content or ""}

    def text(self, part: MessagePart, index: int) -> list[Wire]:
        """A part where only text has a place."""
        if not isinstance(part, TextPart):
            self.losses.add(
                index,
                Phrase("a part of kind `{kind}` in a result is written as text", kind=part.kind),
            )
        return [{"type": "text", "text": as_markdown(part)}]

    def item(self, part: MessagePart, index: int) -> list[Wire]:
        """An entry of a message's content; none for what has no place in it."""
        if isinstance(part, ThinkingPart):
            self.losses.add(index, Phrase("thinking is not sent"))
            return []
        if isinstance(part, ImagePart):
            return [self.image(part, index)]
        if isinstance(part, FileRefPart):
            self.losses.add(index, Phrase("a file is written as its name"))
        text = as_markdown(part)
        if not text:
            self.losses.add(index, Phrase("an empty text is written as none"))
        return [{"type": "text", "text": text}] if text else []

    def image(self, part: ImagePart, index: int) -> Wire:
        image = part.payload
        url = image.url
        if image.data is not None:
            if image.mime_type not in _IMAGE_TYPES:
                self.losses.add(
                    index,
                    Phrase("an image of the type `{type}` becomes a link", type=image.mime_type),
                )
                return {"type": "text", "text": as_markdown(part)}
            if url is not None:
                self.losses.add(index, Phrase("an image is sent by its data, without its address"))
            url = f"data:{image.mime_type};base64,{image.data}"
        elif image.mime_type != ANY_IMAGE:
            self.losses.add(
                index, Phrase("that an image is of the type `{type}`", type=image.mime_type)
            )
        extra = said(image.model_extra or {}, ["url"])
        return {"type": "image_url", "image_url": {"url": url} | extra}


def _content(items: list[Wire]) -> Any:
    if not items:
        return ""
    if len(items) == 1 and items[0]["type"] == "text":
        return items[0]["text"]
    return items

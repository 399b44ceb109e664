"""Requests of Anthropic's messages: to and from a conversation.

Owns the table "what a message becomes" for that service, in both directions: the system
apart, roles that alternate, results in the user's turn right behind the calls. A
request's other keys are carried by the first message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgls.conversation.conversation import Conversation, Loss
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

SERVICE = "anthropic"
ANY_IMAGE = "image/*"
DEFAULT_MAX_TOKENS = 4096
"""A request must say how long an answer may be; this where nobody does."""
OPENING = "(The conversation begins.)"
"""What the user says where the assistant would be the first to speak."""

_IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_BLANKS = " \t\r\n"


# -- reading --------------------------------------------------------------------------------


def read(value: object, places: Places, path: Path = ()) -> Conversation:
    """The conversation of a request, or of a list of messages."""
    reader = _Reader(Drafts(places))
    drafts = reader.drafts
    rest: Wire = {}
    messages, below = list_of(value), path
    if isinstance(value, dict):
        reader.system(value.get("system"), (*path, "system"))
        messages, below = list_of(value.get("messages")), (*path, "messages")
        rest = said(value, ["messages", "system"])
    for number, message in enumerate(messages):
        reader.message(message, (*below, number))
    if rest and not drafts.carry(REQUEST_META, {SERVICE: rest}):
        drafts.lose(Phrase("no message is there to carry {keys}", keys=quoted(rest)), path)
    return drafts.conversation()


class _Reader:
    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts

    def system(self, system: object, path: Path) -> None:
        parts = self.blocks(system, path)
        if parts:
            self.drafts.add("system", parts, path)

    def message(self, message: object, path: Path) -> None:
        if not isinstance(message, dict):
            self.drafts.lose(Phrase("this is no message"), path)
            return
        role = text_of(message.get("role"))
        if role not in ("user", "assistant", "system"):
            self.drafts.lose(
                Phrase("there is no role {role}: it is taken for the user's", role=repr(role)), path
            )
            role = "user"
        rest = said(message, ["role", "content"])
        if rest:
            self.drafts.lose(Phrase("{keys} of a message", keys=quoted(rest)), path)
        parts: list[Wire] = []
        before = len(self.drafts)
        for part in self.blocks(message.get("content"), (*path, "content")):
            if part["kind"] != "tool_result":
                parts.append(part)
                continue
            if parts:
                self.drafts.add(role, parts, path)
                parts = []
            self.drafts.add("tool", [part], path)
        if parts or len(self.drafts) == before:
            self.drafts.add(role, parts, path)

    def blocks(self, content: object, path: Path) -> list[Wire]:
        if isinstance(content, str):
            return [text_part(content)] if content else []
        parts = []
        for number, block in enumerate(list_of(content)):
            part = self.block(dict_of(block), (*path, number))
            if part is None:
                kind = dict_of(block).get("type")
                self.drafts.lose(
                    Phrase("content of the type {kind} is not known", kind=repr(kind)),
                    (*path, number),
                )
            else:
                parts.append(part)
        return parts

    def block(self, block: Wire, path: Path) -> Wire | None:
        kind = block.get("type")
        known: tuple[str, ...] = ("type",)
        part: Wire | None = None
        if kind == "text" and isinstance(block.get("text"), str):
            part, known = text_part(block["text"]), ("type", "text")
        elif kind == "thinking" and isinstance(block.get("thinking"), str):
            part, known = text_part(block["thinking"], kind), ("type", "thinking", "signature")
            if isinstance(block.get("signature"), str):
                part["payload"]["signature"] = block["signature"]
        elif kind == "image":
            part, known = _image(dict_of(block.get("source"))), ("type", "source")
        elif kind == "tool_use" and isinstance(block.get("name"), str):
            part = call_part(text_of(block.get("id")), block["name"], block.get("input"))
            known = ("type", "id", "name", "input")
        elif kind == "tool_result":
            part = self.result(block, path)
            known = ("type", "tool_use_id", "content", "is_error")
        rest = said(block, known)
        if part is not None and rest:
            self.drafts.lose(Phrase("{keys} of a block", keys=quoted(rest)), path)
        return part

    def result(self, block: Wire, path: Path) -> Wire:
        content: Any = block.get("content")
        parts = self.blocks(content, (*path, "content"))
        content = parts if isinstance(content, list) else plain_content(parts)
        return result_part(
            text_of(block.get("tool_use_id")), content, block.get("is_error") is True
        )


def _image(source: Wire) -> Wire | None:
    if source.get("type") == "url" and isinstance(source.get("url"), str):
        return image_part(ANY_IMAGE, url=source["url"])
    data, mime_type = source.get("data"), source.get("media_type")
    if isinstance(data, str) and isinstance(mime_type, str):
        return image_part(mime_type, data=data)
    return None


# -- writing --------------------------------------------------------------------------------


def write(conversation: Conversation, asked: Asked) -> tuple[Wire, Conversation]:
    """The request, and the conversation with what it cannot say added to its losses."""
    losses = Losses()
    writer = _Writer(losses)
    for turn in arranged(conversation.messages, losses):
        writer.turn(turn)
    writer.finish()
    rest = dict(carried(conversation, SERVICE))
    carried_model, carried_length = rest.pop("model", None), rest.pop("max_tokens", None)
    request: Wire = {
        "model": asked.model or carried_model or NO_MODEL,
        "max_tokens": asked.max_output_tokens or carried_length or DEFAULT_MAX_TOKENS,
    }
    if writer.system:
        request["system"] = _content(writer.system)
    request["messages"] = writer.messages
    if asked.temperature is not None:
        # Requests had one once.
        losses.found.append(
            Loss(
                Phrase(
                    "there is no place for the temperature {temperature}",
                    temperature=str(asked.temperature),
                )
            )
        )
    losses_after = (*conversation.losses, *losses.found)
    return request | rest, replace(conversation, losses=losses_after)


def is_said(message: Message, key: str) -> bool:
    """Whether a request has a place for a key of a message's meta."""
    return is_carried(key, (message.meta or {}).get(key), SERVICE)


class _Writer:
    """Puts turns together to messages whose roles alternate."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        self.system: list[Wire] = []
        self.messages: list[Wire] = []
        self._has_results = False
        """Whether nothing but results stands in the last message: then more may join it."""
        self._last_index = self._system_index = -1
        forbidden = r"[^A-Za-z0-9_-]"
        self.names = CallNames(Names(forbidden, 64, "call"), Names(forbidden, 128, "tool"), losses)

    def turn(self, turn: Turn) -> None:
        if turn.role == "system":
            self._add_system(turn)
            return
        blocks: list[Wire] = []
        results: list[Wire] = []
        for place, part in enumerate(turn.parts):
            if not isinstance(part, ToolCallPart):
                if results or any(block["type"] == "tool_use" for block in blocks):
                    self.losses.add(turn.index, Phrase("text behind a call is moved before it"))
                    calls = [n for n, b in enumerate(blocks) if b["type"] == "tool_use"]
                    blocks[calls[0] : calls[0]] = self.block(part, turn.index)
                else:
                    blocks += self.block(part, turn.index)
                continue
            call_id = self.names.call(turn.index, part.payload.tool_call_id)
            blocks.append(self.call(turn.index, part, call_id))
            if place in turn.results:
                result = turn.results[place]
                self.names.answer(result.index, part.payload.tool_call_id, call_id)
                results.append(self.result(result.index, result.result.payload, call_id))
        if not blocks:
            self.losses.add(turn.index, Phrase("a message that says nothing is left out"))
            return
        self._add(turn.role, blocks, turn.index)
        if results:
            self._add("user", results, turn.index)
            self._has_results = True

    def _add_system(self, turn: Turn) -> None:
        if self.messages:
            self.losses.add(turn.index, Phrase("a system message is moved before the conversation"))
        if self.system:
            self._join(self._system_index, turn.index)
        blocks = [block for part in turn.parts for block in self.block(part, turn.index)]
        if not blocks:
            self.losses.add(turn.index, Phrase("a message that says nothing is left out"))
        self.system += blocks
        self._system_index = turn.index

    def _join(self, before: int, index: int) -> None:
        self.losses.add(before, Phrase("the message behind it is joined with it"))
        self.losses.add(index, Phrase("it is joined with the message before it"))

    def _add(self, role: str, blocks: list[Wire], index: int) -> None:
        if not self.messages and role == "assistant":
            what = Phrase(
                "the assistant cannot speak first: "
                "a message of the user's, `{message}`, is put before it",
                message=OPENING,
            )
            self.losses.add(index, what)
            self.messages.append({"role": "user", "content": OPENING})
        last = self.messages[-1] if self.messages else None
        if last is None or last["role"] != role:
            self.messages.append({"role": role, "content": blocks})
        else:
            if not self._has_results and self._last_index != index:
                self._join(self._last_index, index)
            last["content"] = [*_blocks(last["content"]), *blocks]
        self._has_results = False
        self._last_index = index

    def finish(self) -> None:
        """A text alone is written as such; the very last one must not end in blanks."""
        last = self.messages[-1] if self.messages else None
        if last is not None and last["role"] == "assistant":
            block = last["content"][-1]
            if block["type"] == "text" and block["text"] != block["text"].rstrip(_BLANKS):
                self.losses.add(self._last_index, Phrase("blanks at the very end are cut off"))
                block["text"] = block["text"].rstrip(_BLANKS)
        for message in self.messages:
            message["content"] = _content(_blocks(message["content"]))

    # -- blocks

    def call(self, index: int, part: ToolCallPart, call_id: str) -> Wire:
        call = part.payload
        arguments: Mapping[str, Any] | None = call.arguments
        if arguments is None:
            self.losses.add(
                index, Phrase("the arguments of `{call}` are no object", call=call.tool_call_id)
            )
            arguments = {"text": call.raw_args_text or ""}
        elif call.raw_args_text is not None:
            self.losses.add(index, no_arguments_text(call.tool_call_id))
        name = self.names.tool(index, call.tool_name)
        return {"type": "tool_use", "id": call_id, "name": name, "input": dict(arguments)}

    def result(self, index: int, result: ToolResult, call_id: str) -> Wire:
        content: Any = result.content
        if isinstance(content, Mapping):
            self.losses.add(index, Phrase("a result that is an object becomes JSON text"))
            content = json.dumps(content, ensure_ascii=False)
        elif not isinstance(content, str):
            content = [block for part in content for block in self.block(part, index)]
            if not content:
                self.losses.add(index, Phrase("a result without parts becomes an empty text"))
        wire: Wire = {"type": "tool_result", "tool_use_id": call_id, "content": content or ""}
        return wire | ({"is_error": True} if result.is_error else {})

    def block(self, part: MessagePart, index: int) -> list[Wire]:
        """A block of a message's content; none for what has no place in it."""
        if isinstance(part, ThinkingPart):
            signature = (part.payload.model_extra or {}).get("signature")
            if isinstance(signature, str):
                text = part.payload.text
                return [{"type": "thinking", "thinking": text, "signature": signature}]
            self.losses.add(index, Phrase("thinking that is not signed is not sent"))
            return []
        if isinstance(part, ImagePart):
            return [self.image(part, index)]
        if isinstance(part, FileRefPart):
            self.losses.add(index, Phrase("a file is written as its name"))
        elif not isinstance(part, TextPart):
            self.losses.add(
                index, Phrase("a part of kind `{kind}` is written as text", kind=part.kind)
            )
        text = as_markdown(part)
        if not text.strip(_BLANKS):
            self.losses.add(index, Phrase("a text that is blank is left out"))
            return []
        return [{"type": "text", "text": text}]

    def image(self, part: ImagePart, index: int) -> Wire:
        image = part.payload
        if image.data is not None:
            if image.mime_type in _IMAGE_TYPES:
                if image.url is not None:
                    self.losses.add(
                        index, Phrase("an image is sent by its data, without its address")
                    )
                media = {"type": "base64", "media_type": image.mime_type, "data": image.data}
                return {"type": "image", "source": media}
            self.losses.add(
                index, Phrase("an image of the type `{type}` becomes a link", type=image.mime_type)
            )
            return {"type": "text", "text": as_markdown(part)}
        if image.mime_type != ANY_IMAGE:
            self.losses.add(
                index, Phrase("that an image is of the type `{type}`", type=image.mime_type)
            )
        return {"type": "image", "source": {"type": "url", "url": image.url}}


def _blocks(content: Any) -> list[Wire]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _content(blocks: Sequence[Wire]) -> Any:
    if not blocks:
        return ""
    if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return blocks[0]["text"]
    return list(blocks)

"""Reads requests to Anthropic's Messages API, and responses.

The other keys of a request (its model, its tools) are kept in the first message.
"""

import json
from base64 import b64encode
from typing import Any

from msgls.conversation.conversation import Conversation
from msgls.conversation.parts import (
    Wire,
    call_part,
    dict_of,
    file_part,
    image_part,
    list_of,
    remaining,
    result_content,
    result_part,
    text_of,
    text_part,
)
from msgls.conversation.readers.drafts import Drafts, Places, answer_meta, service_call
from msgls.formats.images import image_at
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase

SERVICE = "anthropic"
DOCUMENT = "document"
"""The name of a document without a title."""

_SERVICE_CALLS = ("server_tool_use", "mcp_tool_use")
"""Calls that the service executes itself: their results are blocks of the same answer."""
_ENCRYPTED = "encrypted_content"
_ROLES = {role: role for role in ("user", "assistant", "system")}

_RESPONSE_KEYS = ("id", "type", "model", "usage", "stop_reason")

WHAT = Phrase("a request with `messages`, a response of type `message`, or a list of messages")


def is_response(value: object) -> bool:
    """Whether it is a single response."""
    answer = dict_of(value)
    return answer.get("type") == "message" and isinstance(answer.get("content"), list)


def is_conversation(value: object) -> bool:
    """Whether it is a list, an object with a list of messages, or a response."""
    has_messages = isinstance(dict_of(value).get("messages"), list)
    return isinstance(value, list) or has_messages or is_response(value)


def read(value: object, places: Places, path: Path = ()) -> Conversation:
    """The conversation of a request, of a response, or of a list of messages."""
    reader = _Reader(Drafts(places))
    drafts = reader.drafts
    if is_response(value):
        response = dict_of(value)
        about = answer_meta(response, response.get("stop_reason"))
        reader.message(remaining(response, _RESPONSE_KEYS), path)
        drafts.update_last_answer(about)
        return drafts.conversation()
    rest: Wire = {}
    messages, below = list_of(value), path
    if isinstance(value, dict):
        reader.system(value.get("system"), (*path, "system"))
        messages, below = list_of(value.get("messages")), (*path, "messages")
        rest = remaining(value, ["messages", "system"])
    for number, message in enumerate(messages):
        reader.message(message, (*below, number))
    drafts.carry_request(SERVICE, rest, path)
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
            self.drafts.lose(Phrase("this is not a message"), path)
            return
        role = self.drafts.role_of(text_of(message.get("role")), _ROLES, path)
        rest = remaining(message, ["role", "content"])
        self.drafts.lose_keys(Phrase("not kept: {keys} of a message"), rest, path)
        parts = self.blocks(message.get("content"), (*path, "content"))
        self.drafts.add_answered(role, parts, path, {})

    def blocks(self, content: object, path: Path) -> list[Wire]:
        return self.drafts.blocks(content, path, self.block, lambda block: block.get("title"))

    def block(self, block: Wire, path: Path) -> tuple[Wire | None, tuple[str, ...]]:
        """The part of a block, and the keys that are in it."""
        kind = text_of(block.get("type"))
        if kind == "text" and isinstance(block.get("text"), str):
            return text_part(block["text"]), ("text",)
        if kind == "thinking" and isinstance(block.get("thinking"), str):
            part = text_part(block["thinking"], kind)
            if isinstance(block.get("signature"), str):
                part["payload"]["signature"] = block["signature"]
            return part, ("thinking", "signature")
        if kind == "image":
            return _image(dict_of(block.get("source"))), ("source",)
        if kind == "document":
            title = text_of(block.get("title"))
            return _document(dict_of(block.get("source")), title), ("source", "title")
        if kind == "search_result":
            self.drafts.lose(Phrase("search results become JSON text"), path)
            return text_part(_json(block)), tuple(block)
        if kind in ("tool_use", *_SERVICE_CALLS) and isinstance(block.get("name"), str):
            if kind in _SERVICE_CALLS:
                self.drafts.lose(service_call(block["name"]), path)
            part = call_part(text_of(block.get("id")), block["name"], block.get("input"))
            return part, ("id", "name", "input")
        if kind.endswith("tool_result"):
            return self.result(block, path), ("tool_use_id", "content", "is_error")
        return None, ()

    def result(self, block: Wire, path: Path) -> Wire:
        content: Any = block.get("content")
        call_id = text_of(block.get("tool_use_id"))
        is_error = block.get("is_error") is True
        if isinstance(content, dict):
            # The result, or the error, of a tool that the service executed.
            is_error = is_error or text_of(content.get("type")).endswith("_error")
            return result_part(call_id, self.readable(content, path), is_error)
        if block.get("type") not in ("tool_result", "mcp_tool_result"):
            found = [self.readable(dict_of(one), path) for one in list_of(content)]
            texts = [text_part(_json(one)) for one in found]
            return result_part(call_id, result_content(texts), is_error)
        parts = self.blocks(content, (*path, "content"))
        content = parts if isinstance(content, list) else result_content(parts)
        return result_part(call_id, content, is_error)

    def readable(self, found: Wire, path: Path) -> Wire:
        """The result of a tool of the service, without encrypted content."""
        encrypted = found.keys() & {_ENCRYPTED}
        self.drafts.lose_keys(Phrase("not kept: {keys} of a block"), encrypted, path)
        return {key: value for key, value in found.items() if key != _ENCRYPTED}


def _json(value: Wire) -> str:
    return json.dumps(value, ensure_ascii=False)


def _document(source: Wire, title: str) -> Wire | None:
    """A document as a file: its title, and its address, id or content."""
    kind, data, file_id = [text_of(source.get(key)) for key in ("type", "data", "file_id")]
    if file_id:
        return file_part(title or file_id, anthropicFileId=file_id)
    if kind == "url" and text_of(source.get("url")):
        return file_part(source["url"], "application/pdf")
    if not data:
        return None
    mime_type = source.get("media_type")
    if kind == "text":
        data = b64encode(data.encode("utf-8", "surrogatepass")).decode("ascii")
    return file_part(title or DOCUMENT, mime_type, None, data=data)


def _image(source: Wire) -> Wire | None:
    if source.get("type") == "url" and isinstance(source.get("url"), str):
        return image_at(source["url"])
    data, mime_type = source.get("data"), source.get("media_type")
    if isinstance(data, str) and isinstance(mime_type, str):
        return image_part(mime_type, data=data)
    return None

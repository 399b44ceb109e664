"""Reads requests to OpenAI's Chat Completions API, and responses.

The other keys of a request (its model, its tools) are kept in the first message. Of several
choices the first is the answer; the others are excluded from what the model sees.
"""

from __future__ import annotations

from msgls.conversation.conversation import Conversation
from msgls.conversation.parts import (
    Wire,
    call_part,
    dict_of,
    file_part,
    held_file,
    list_of,
    refusal_part,
    remaining,
    result_content,
    result_part,
    text_of,
    text_part,
)
from msgls.conversation.readers.drafts import Drafts, Places, answer_meta, time_of_seconds
from msgls.conversation.visibility import EXCLUDED, HISTORY
from msgls.formats.images import image_at
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase, as_code

SERVICE = "openai"

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
MESSAGE_KEYS = (
    "role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal",
)  # fmt: skip
_CALL_KEYS = ("id", "type", "function", "custom", "index")
# Keys of reasoning in compatible services.
_THOUGHTS = ("reasoning_content", "reasoning")
_NOT_KEPT = Phrase("not kept: {keys} of a block")
_RESPONSE_KEYS = ("choices", "id", "object", "created", "model", "usage")

WHAT = Phrase("a request with `messages`, a response with `choices`, or a list of messages")


def is_response(value: object) -> bool:
    """Whether it is an object with choices."""
    return isinstance(dict_of(value).get("choices"), list)


def is_conversation(value: object) -> bool:
    """Whether it is a list, or an object with a list of messages or choices."""
    has_messages = isinstance(dict_of(value).get("messages"), list)
    return isinstance(value, list) or has_messages or is_response(value)


def read(value: object, places: Places, path: Path = ()) -> Conversation:
    """The conversation of a request, of a response, or of a list of messages."""
    drafts = Drafts(places)
    if is_response(value) and "messages" not in dict_of(value):
        _read_response(dict_of(value), _Reader(drafts), path)
        return drafts.conversation()
    if isinstance(value, dict):
        messages, below = list_of(value.get("messages")), (*path, "messages")
    else:
        messages, below = list_of(value), path
    reader = _Reader(drafts)
    for number, message in enumerate(messages):
        reader.message(message, (*below, number))
    rest = remaining(value, ["messages"]) if isinstance(value, dict) else {}
    drafts.carry_request(SERVICE, rest, path)
    return drafts.conversation()


def _read_response(response: Wire, reader: _Reader, path: Path) -> None:
    time = time_of_seconds(response.get("created"))
    left = dict.fromkeys(remaining(response, _RESPONSE_KEYS))
    for number, choice in enumerate(map(dict_of, response["choices"])):
        about = answer_meta(response if number == 0 else {}, choice.get("finish_reason"))
        about |= {HISTORY: EXCLUDED} if number else {}
        reader.message(choice.get("message"), (*path, "choices", number, "message"), about, time)
        left |= dict.fromkeys(remaining(choice, ["index", "message", "finish_reason"]))
    reader.drafts.lose_keys(Phrase("not kept: {keys} of a response"), left, path)


class _Reader:
    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts
        self.legacy_calls = 0

    def message(
        self, message: object, path: Path, about: Wire | None = None, time: str | None = None
    ) -> None:
        if not isinstance(message, dict):
            self.drafts.lose(Phrase("this is not a message"), path)
            return
        role = message.get("role")
        meta: Wire = dict(about or {})
        if isinstance(message.get("name"), str):
            meta["name"] = message["name"]
        thoughts = [key for key in _THOUGHTS if text_of(message.get(key))][:1]
        rest = remaining(message, [*MESSAGE_KEYS, *thoughts])
        if rest:
            meta[SERVICE] = rest
        parts = [text_part(message[key], "thinking") for key in thoughts]
        parts += self.content(message.get("content"), (*path, "content"))
        refusal = message.get("refusal")
        if isinstance(refusal, str) and refusal:
            parts.append(refusal_part(refusal))
        if role in ("tool", "function"):
            call_id = text_of(message.get("tool_call_id")) or self._legacy_id(role)
            content = parts if isinstance(message.get("content"), list) else result_content(parts)
            self.drafts.add("tool", [result_part(call_id, content)], path, meta)
            return
        ours = self.drafts.role_of(role, _ROLES, path)
        if role == "developer":
            meta["role"] = role
        parts += self.calls(message, path)
        self.drafts.add(ours, parts, path, meta, time)

    def _legacy_id(self, role: object) -> str:
        return f"function-{self.legacy_calls}" if role == "function" else ""

    def calls(self, message: Wire, path: Path) -> list[Wire]:
        parts = []
        for number, call in enumerate(list_of(message.get("tool_calls"))):
            call, place = dict_of(call), (*path, "tool_calls", number)
            custom = dict_of(call.get("custom"))
            function = custom or dict_of(call.get("function"))
            if not isinstance(function.get("name"), str):
                kind = call.get("type")
                what = Phrase("a call of the type {kind} was left out", kind=as_code(kind))
                self.drafts.lose(what, place)
                continue
            given = {"input": text_of(custom.get("input"))} if custom else function.get("arguments")
            parts.append(call_part(text_of(call.get("id")), function["name"], given))
            self.drafts.lose_keys(_NOT_KEPT, remaining(call, _CALL_KEYS), place)
        legacy = message.get("function_call")
        if isinstance(legacy, dict) and isinstance(legacy.get("name"), str):
            self.legacy_calls += 1
            call_id = f"function-{self.legacy_calls}"
            parts.append(call_part(call_id, legacy["name"], legacy.get("arguments")))
            self.drafts.lose(Phrase("`function_call` becomes a tool call"), path)
        return parts

    def content(self, content: object, path: Path) -> list[Wire]:
        if content is not None and not isinstance(content, str | list):
            self.drafts.lose(Phrase("`content` is neither a string nor a list"), path)
        return self.drafts.blocks(
            content,
            path,
            lambda item, _: (_part(item), [text_of(item.get("type"))]),
            lambda item: dict_of(item.get("file")).get("filename"),
        )


def _part(item: Wire) -> Wire | None:
    kind = item.get("type")
    if kind == "text" and isinstance(item.get("text"), str):
        return text_part(item["text"])
    if kind == "refusal" and isinstance(item.get("refusal"), str):
        return refusal_part(item["refusal"])
    if kind == "image_url":
        image = dict_of(item.get("image_url"))
        url = image.get("url")
        if isinstance(url, str):
            part = image_at(url)
            part["payload"] |= remaining(image, ["url"])
            return part
    if kind == "file":
        file = dict_of(item.get("file"))
        name, file_id = text_of(file.get("filename")), text_of(file.get("file_id"))
        if file_id:
            return file_part(name or file_id, openaiFileId=file_id)
        return held_file(name, text_of(file.get("file_data")))
    return None

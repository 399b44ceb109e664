"""Writes requests to OpenAI's Chat Completions API.

Owns the mapping of each message, and its losses.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgls.conversation.conversation import Conversation, Written
from msgls.conversation.losses import named, written_as_name
from msgls.conversation.markdown import as_markdown
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
from msgls.conversation.parts import Wire, remaining
from msgls.conversation.readers.openai import MESSAGE_KEYS, SERVICE
from msgls.conversation.requests import (
    NO_MODEL,
    NO_OPTIONS,
    RequestOptions,
    carried_request,
    holds_request_only,
    json_text,
)
from msgls.conversation.writers.turns import (
    CallNames,
    Losses,
    Names,
    Turn,
    arranged,
    can_send_image,
    sent_content,
)
from msgls.formats.images import ALT, address_of
from msgls.formats.values import DATA, REFUSAL
from msgls.text.phrases import Phrase

_NAME = re.compile(r"[^\s<|\\/>]{1,64}")


def write(conversation: Conversation, options: RequestOptions = NO_OPTIONS) -> Written:
    """The request."""
    losses = Losses()
    writer = _Writer(conversation.messages, losses)
    messages = [
        wire for turn in arranged(conversation.messages, losses) for wire in writer.turn(turn)
    ]
    rest = dict(carried_request(conversation, SERVICE))
    model = options.model or rest.pop("model", None) or NO_MODEL
    request: Wire = {"model": model, "messages": messages}
    if options.max_output_tokens is not None:
        request["max_completion_tokens"] = options.max_output_tokens
    if options.temperature is not None:
        request["temperature"] = options.temperature
    rest.pop("model", None)
    return Written(json_text(request | rest), tuple(losses.found))


def keeps_metadata(message: Message, key: str) -> bool:
    """Whether a request keeps a key of a message's ``meta``."""
    value = (message.meta or {}).get(key)
    if key == "name":
        return message.role != "tool" and isinstance(value, str) and bool(_NAME.fullmatch(value))
    if key == "role":
        return message.role == "system" and value == "developer"
    if key == SERVICE:
        return isinstance(value, Mapping) and not value.keys() & set(MESSAGE_KEYS)
    return holds_request_only(key, value, SERVICE)


def keeps_extra(kind: str, key: str) -> bool:
    """Whether an additional key of a part is kept, or is lost together with its part."""
    is_file = kind == "file_ref" and key in (DATA, "openaiFileId")
    return kind == "thinking" or key == REFUSAL or (kind == "image" and key != ALT) or is_file


class _Writer:
    def __init__(self, messages: Sequence[Message], losses: Losses) -> None:
        self.messages = messages
        self.losses = losses
        self.names = CallNames(
            # Ids may contain dots, and have at most 40 characters.
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
        """The metadata of a message that a request has keys for."""
        message = self.messages[turn.index]
        about: Wire = {}
        if message.role == turn.role:
            meta = message.meta or {}
            about = (
                {"name": meta["name"]} if "name" in meta and keeps_metadata(message, "name") else {}
            )
            if SERVICE in meta and keeps_metadata(message, SERVICE):
                about |= meta[SERVICE]
        return about

    def assistant(self, turn: Turn) -> list[Wire]:
        items: list[Wire] = []
        calls: list[Wire] = []
        results: list[Wire] = []
        for place, part in enumerate(turn.parts):
            if not isinstance(part, ToolCallPart):
                if calls:
                    self.losses.add(turn.index, Phrase("text after a call is moved before it"))
                items += self.item(part, turn.index, is_answer=True)
                continue
            call_id = self.names.call(turn.index, part.payload.tool_call_id)
            calls.append(self.call(turn.index, part, call_id))
            if place in turn.results:
                result = turn.results[place]
                results.append(self.result(result.index, result.result.payload, call_id))
        if not items and not calls and any(isinstance(p, ThinkingPart) for p in turn.parts):
            # It is only thinking, whose loss is already reported.
            return []
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
                index, Phrase("the failure of the tool call `{call}` is not kept", call=call)
            )
        content = sent_content(result, index, self.losses, self.text)
        return {"role": "tool", "tool_call_id": call_id, "content": content}

    def text(self, part: MessagePart, index: int) -> list[Wire]:
        """A part as text, where the API allows nothing else."""
        if isinstance(part, FileRefPart):
            self.losses.add(index, written_as_name(part))
        elif not isinstance(part, TextPart):
            self.losses.add(index, Phrase("{what} is written as text", what=named(part)))
        return [{"type": "text", "text": as_markdown(part)}]

    def item(self, part: MessagePart, index: int, is_answer: bool = False) -> list[Wire]:
        """The content item for a part; none if the API has none."""
        if isinstance(part, ThinkingPart):
            self.losses.add(index, Phrase("thinking is not sent"))
            return []
        if isinstance(part, ImagePart):
            return [self.image(part, index)]
        if isinstance(part, FileRefPart):
            file = _file(part)
            if file is not None:
                return [file]
            self.losses.add(index, written_as_name(part))
        text = as_markdown(part)
        if (part.payload.model_extra or {}).get(REFUSAL) is True and is_answer:
            return [{"type": "refusal", "refusal": text}]
        if not text:
            self.losses.add(index, Phrase("an empty text is left out"))
        return [{"type": "text", "text": text}] if text else []

    def image(self, part: ImagePart, index: int) -> Wire:
        image = part.payload
        if not can_send_image(image, index, self.losses):
            return {"type": "text", "text": as_markdown(part)}
        extra = remaining(image.model_extra or {}, ["url", ALT])
        return {"type": "image_url", "image_url": {"url": address_of(image.to_wire())} | extra}


def _file(part: FileRefPart) -> Wire | None:
    """The item for a file that is uploaded, or whose content is known."""
    about = part.payload.model_extra or {}
    data, mime_type = about.get(DATA), part.payload.mime_type
    if isinstance(about.get("openaiFileId"), str):
        return {"type": "file", "file": {"file_id": about["openaiFileId"]}}
    if not isinstance(data, str) or mime_type is None:
        return None
    address = f"data:{mime_type};base64,{data}"
    return {"type": "file", "file": {"filename": part.payload.path, "file_data": address}}


def _content(items: list[Wire]) -> Any:
    if not items:
        return ""
    if len(items) == 1 and items[0]["type"] == "text":
        return items[0]["text"]
    return items

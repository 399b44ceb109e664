"""Messages from elsewhere, made fit for the format that they are to be written in.

Owns what a format's own files always have and others need not: ids that nothing is said
against, results whose calls are there, the fields of a header. What is changed is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgls.conversation.comparison import with_derived_run
from msgls.conversation.conversation import EPOCH, Conversation, Loss
from msgls.conversation.messages import Message, ToolCallPart, ToolResultPart
from msgls.conversation.readers.chatbuilder import FIELDS
from msgls.conversation.writers.chatbuilder import as_markdown
from msgls.formats.chatbuilder.fields import (
    CREATED,
    REQUIRED,
    UUID,
    author,
    derived_uuid,
    is_time,
    new_value,
)
from msgls.formats.msgmd.content import open_fence
from msgls.text.phrases import Phrase

Wire = dict[str, Any]

_ID = re.compile(r"[^\s.\[\]^]+")
_CELL_META = frozenset({"type", "agent", "definition", "attributes", "results", "orphan"})
_SAID_IN_FIELDS = ("agent", "language", "name", "time", "title")
_BREAK = re.compile(r"[\r\n]+")
_EXCERPT = 70


# -- message files ----------------------------------------------------------------------------


def fit_for_message_file(conversation: Conversation) -> Conversation:
    """A conversation of which a message file can be written that has no error in it."""
    messages = list(conversation.messages)
    losses: list[Loss] = []
    _fit_ids(messages, losses)
    _fit_results(messages, losses)
    _fit_end(messages, losses)
    if not losses:
        return conversation
    return replace(conversation, messages=tuple(messages), losses=(*conversation.losses, *losses))


def _was_cell(message: Message) -> bool:
    return not _CELL_META.isdisjoint(message.meta or {})


def _fit_ids(messages: list[Message], losses: list[Loss]) -> None:
    taken: set[str] = set()
    for index, message in enumerate(messages):
        given = (message.meta or {}).get("id")
        if given is None or _was_cell(message):
            continue
        if isinstance(given, str) and _ID.fullmatch(given) and given not in taken:
            taken.add(given)
            continue
        meta = {key: value for key, value in (message.meta or {}).items() if key != "id"}
        messages[index] = message.model_copy(update={"meta": meta or None})
        losses.append(Loss(Phrase("the id `{id}` becomes another", id=str(given)), None, index))


def _fit_results(messages: list[Message], losses: list[Loss]) -> None:
    """A result that nothing asked for becomes what somebody said."""
    calls: set[str] = set()
    for index, message in enumerate(messages):
        calls |= {p.payload.tool_call_id for p in message.parts if isinstance(p, ToolCallPart)}
        if message.role != "tool" or _was_cell(message):
            continue
        results = [part for part in message.parts if isinstance(part, ToolResultPart)]
        strays = [part for part in results if part.payload.tool_call_id not in calls]
        if not strays or len(strays) < len(message.parts):
            continue
        wire = message.to_wire()
        text = "\n\n".join(map(as_markdown, strays))
        wire |= {"role": "user", "parts": [{"kind": "text", "payload": {"text": text}}]}
        messages[index] = Message.from_wire(wire)
        call = strays[0].payload.tool_call_id
        what = Phrase("no call `{call}` is there: its result becomes a message", call=call)
        losses.append(Loss(what, None, index))


def _fit_end(messages: list[Message], losses: list[Loss]) -> None:
    """The last text closes the fence that it opens: whoever appends must not be swallowed."""
    if not messages or not messages[-1].parts:
        return
    wire = messages[-1].to_wire()
    payload = wire["parts"][-1]["payload"]
    text = payload.get("text") or payload.get("content")
    fence = open_fence(text) if isinstance(text, str) else ""
    if fence:
        payload["text" if "text" in payload else "content"] = f"{text}\n{fence}"
        messages[-1] = Message.from_wire(wire)
        what = Phrase("an open fence is closed, so that it ends with its message")
        losses.append(Loss(what, None, len(messages) - 1))


# -- ChatBuilder ------------------------------------------------------------------------------


def fit_for_chatbuilder(conversation: Conversation) -> Conversation:
    """A conversation whose messages have the seven fields, unless they have any already."""
    messages = [_with_fields(n, message) for n, message in enumerate(conversation.messages)]
    return replace(conversation, messages=with_derived_run(messages, conversation.messages))


def _with_fields(index: int, message: Message) -> Message:
    meta: Mapping[str, Any] = message.meta or {}
    if FIELDS in meta:
        return message
    role = message.role if message.role != "tool" else "user"
    said = "\n\n".join(map(as_markdown, message.parts))
    names = [n for key in ("agent", "name") if isinstance(n := meta.get(key), str) and n]
    lines = [line.strip(" \t#") for line in _BREAK.split(said)]
    known = {
        UUID: derived_uuid(f"{index} {role} {message.timestamp} {said}"),
        "Component": _text(meta, "title"),
        "Description": _first(lines)[:_EXCERPT].strip(),
        "Language": _text(meta, "language"),
        # A time that nobody knows is the one that stands for none.
        CREATED: message.timestamp if is_time(message.timestamp) else EPOCH,
        "Authors": author(names[0] if names else ""),
    }
    default = f"A message of the role {role}"
    fields = {key: known.get(key) or new_value(key, role, default) for key in REQUIRED}
    rest = {key: value for key, value in meta.items() if key not in _SAID_IN_FIELDS}
    return message.model_copy(update={"meta": {**rest, FIELDS: fields}})


def _text(meta: Mapping[str, Any], key: str) -> str:
    value = meta.get(key)
    return _BREAK.sub(" ", value).strip() if isinstance(value, str) else ""


def _first(lines: Sequence[str]) -> str:
    return next((line for line in lines if line), "")

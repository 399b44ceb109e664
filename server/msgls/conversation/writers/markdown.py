"""Writes Markdown for people: for a wiki, a gist, a mail.

Owns the layout of the page. It is not read back: metadata besides role, agent, title and time
is a loss.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgls.conversation.conversation import EPOCH, Conversation, Written
from msgls.conversation.markdown import as_markdown, fenced
from msgls.conversation.messages import Message, MessagePart
from msgls.conversation.requests import NO_OPTIONS, RequestOptions
from msgls.formats.images import ALT

_ROLES = {"system": "System", "user": "User", "assistant": "Assistant", "tool": "Tool"}
_SHOWN = frozenset(
    {"agent", "time", "timestamp", "title", "type", "language", "role", "executionOf", "n"}
)
_BREAK = re.compile(r"\r\n|\n|\r")


def write(conversation: Conversation, options: RequestOptions = NO_OPTIONS) -> Written:
    """The page."""
    blocks = [
        block
        for message in conversation.messages
        for block in [f"## {_heading(message)}", *_parts(message)]
    ]
    text = "\n\n".join([block for block in blocks if block])
    text += "\n" if text else ""
    return Written(text)


def keeps_metadata(_message: Message, key: str) -> bool:
    """Whether the page shows a key of a message's ``meta``."""
    return key in _SHOWN


def keeps_extra(kind: str, key: str) -> bool:
    """Whether the page shows an additional key of a part."""
    return kind == "image" and key == ALT


def _heading(message: Message) -> str:
    meta = message.meta or {}
    words = [_ROLES[message.role]]
    own = meta.get("role")
    if isinstance(own, str):
        words = [own.capitalize()]
    if isinstance(meta.get("executionOf"), str):
        words = [f"Output {meta.get('n', '')} of {meta['executionOf']}"]
    agent, title = meta.get("agent"), meta.get("title")
    words += [f"({agent})"] if isinstance(agent, str) else []
    line = " ".join(words)
    line += f": {title}" if isinstance(title, str) and title else ""
    line += f" · {message.timestamp}" if message.timestamp != EPOCH else ""
    return _BREAK.sub(" ", line)


def _parts(message: Message) -> Iterator[str]:
    for part in message.parts:
        yield _part(part, (message.meta or {}).get("executionOf") is not None)


def _part(part: MessagePart, is_output: bool) -> str:
    match part.kind:
        case "thinking":
            return "\n".join([f"> {line}".rstrip() for line in _BREAK.split(part.payload.text)])
        case "text":
            return fenced(part.payload.text) if is_output else part.payload.text
        case "tool_call":
            call = part.payload
            arguments: Any = call.raw_args_text if call.arguments is None else call.arguments
            return f"**Calls** `{call.tool_name}` ({call.tool_call_id})\n\n{_data(arguments)}"
        case "tool_result":
            result = part.payload
            word = "Error" if result.is_error else "Result"
            return f"**{word}** of {result.tool_call_id}\n\n{_data(result.content)}"
        case _:
            return as_markdown(part)


def _data(content: Any) -> str:
    if isinstance(content, str):
        return fenced(content)
    if isinstance(content, Mapping):
        return fenced(json.dumps(content, ensure_ascii=False, indent=2), "json")
    return "\n\n".join([_part(part, True) for part in content])

"""Requests, judged by the types of the services' own packages."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter


@cache
def _adapter(service: str) -> TypeAdapter[Any]:
    if service == "openai":
        from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

        return TypeAdapter(CompletionCreateParamsNonStreaming)
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    return TypeAdapter(MessageCreateParamsNonStreaming)


def validated(service: str, request: Mapping[str, Any]) -> Any:
    """The request as its package understands it, all the way down; raises ``ValidationError``.

    What the types do not know is missing from it.
    """
    return _consumed(_adapter(service).validate_python(request))


def _consumed(value: Any) -> Any:
    """The types say ``Iterable``, and pydantic looks at what is in one when it is asked for."""
    if isinstance(value, Mapping):
        return {key: _consumed(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [_consumed(item) for item in value]
    return value


def problems(service: str, request: Mapping[str, Any]) -> list[str]:
    """What the service would refuse although its types allow it."""
    return _openai(request["messages"]) if service == "openai" else _anthropic(request["messages"])


def _openai(messages: list[dict[str, Any]]) -> list[str]:
    found: list[str] = []
    waiting: list[str] = []
    for number, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                found.append(f"{number}: a result that nobody waits for")
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            found.append(f"{number}: calls {waiting} are not answered")
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        if len(set(waiting)) < len(waiting):
            found.append(f"{number}: two calls of one id")
    return found


def _anthropic(messages: list[dict[str, Any]]) -> list[str]:
    found: list[str] = []
    waiting: list[str] = []
    for number, message in enumerate(messages):
        if message["role"] != ("assistant" if number % 2 else "user"):
            found.append(f"{number}: roles do not alternate")
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        kinds = [block["type"] for block in blocks]
        if not kinds:
            found.append(f"{number}: no content")
        if any(b["type"] == "text" and not b["text"].strip(" \t\r\n") for b in blocks):
            found.append(f"{number}: a blank text")
        answered = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        if sorted(answered) != sorted(waiting):
            found.append(f"{number}: {answered} answer {waiting}")
        if "tool_result" in kinds[len(answered) :]:
            found.append(f"{number}: something stands before a result")
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if len(set(waiting)) < len(waiting):
            found.append(f"{number}: two calls of one id")
    return found

"""What readers of foreign JSON share: draft messages, and the locations of values.

Owns the location of a value by its path, messages with derived run ids, and losses with
their lines. A reader walks parsed data and never fails: what it does not understand is
a loss.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from msgls.conversation.conversation import EPOCH, Conversation, Loss, derive_run_id
from msgls.conversation.messages import Message
from msgls.formats.images import data_in
from msgls.formats.jsontree import JsonValue, Path, parse
from msgls.formats.strictjson import strict_loads
from msgls.formats.values import REFUSAL
from msgls.text.lines import line_starts
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

Wire = dict[str, Any]

_USAGE_KEYS = (
    "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "total_tokens",
)  # fmt: skip
# A tree with positions takes many times the memory of its text.
_LONGEST_WITH_PLACES = 16_000_000


class Places:
    """The locations of the values of a JSON text; unknown if the text is too long."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._members: dict[int, dict[str, JsonValue]] = {}

    @cached_property
    def _root(self) -> JsonValue | None:
        if len(self._text) > _LONGEST_WITH_PLACES:
            return None
        return parse(self._text).root

    @cached_property
    def _starts(self) -> list[int]:
        return line_starts(self._text)

    def span(self, path: Path) -> Span | None:
        """The span of the value at ``path``."""
        value = self._root
        for step in path:
            if value is None:
                return None
            value = self._step(value, step)
        return None if value is None else value.span

    def _step(self, value: JsonValue, step: str | int) -> JsonValue | None:
        if isinstance(step, int):
            return value.items[step] if step < len(value.items) else None
        known = self._members.get(id(value))
        if known is None:
            known = {member.key: member.value for member in value.members}
            self._members[id(value)] = known
        return known.get(step)

    def line(self, path: Path) -> int | None:
        """The line of a value, from 0."""
        span = self.span(path)
        return None if span is None else bisect_right(self._starts, span.start) - 1


class Drafts:
    """A conversation that is built message by message."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._wires: list[Wire] = []
        self._times: list[str] = []
        self._sources: list[tuple[Span, ...]] = []
        self._losses: list[Loss] = []

    def __len__(self) -> int:
        return len(self._wires)

    def add(
        self,
        role: str,
        parts: Iterable[Wire],
        path: Path,
        meta: Mapping[str, Any] | None = None,
        time: str | None = None,
    ) -> None:
        """Add a message, read from ``path``."""
        wire: Wire = {"role": role, "parts": list(parts)}
        if meta:
            wire["meta"] = dict(meta)
        self._wires.append(wire)
        self._times.append(time or EPOCH)
        span = self._places.span(path)
        self._sources.append(() if span is None else (span,))

    def lose(self, what: Phrase, path: Path) -> None:
        """Add a loss of something at ``path``."""
        self._losses.append(Loss(what, self._places.line(path)))

    def lose_kind(self, kind: str, path: Path, name: str = "") -> None:
        """Add the loss of content of an unknown type."""
        what = Phrase("content of the type {kind} was left out", kind=kind)
        if name:
            what = Phrase("`{name}`, of the type {kind}, was left out", name=name, kind=kind)
        self.lose(what, path)

    def lose_metadata(
        self, of_messages: Collection[str], of_conversation: Collection[str], path: Path
    ) -> None:
        """Add the loss of keys of messages, and of the conversation at ``path``."""
        if of_messages:
            keys = quoted(of_messages)
            self.lose(Phrase("not kept: metadata of messages ({keys})", keys=keys), path)
        if of_conversation:
            keys = quoted(of_conversation)
            self.lose(Phrase("not kept: metadata of the conversation ({keys})", keys=keys), path)

    def carry(self, key: str, value: object) -> bool:
        """Keep a value of the whole file in the first message; returns whether there is one."""
        if not self._wires:
            return False
        self._wires[0].setdefault("meta", {})[key] = value
        return True

    def update_last_answer(self, about: Mapping[str, Any]) -> None:
        """Add metadata of a response to the last assistant message.

        An answer that a tool interrupts becomes several messages: the last one is its end.
        """
        answers = [wire for wire in self._wires if wire["role"] == "assistant"]
        if answers and about:
            answers[-1].setdefault("meta", {}).update(about)

    def conversation(self) -> Conversation:
        """The finished conversation."""
        run_id = derive_run_id(self._wires)
        messages = [
            Message.from_wire({"runId": run_id, "timestamp": time, **wire})
            for wire, time in zip(self._wires, self._times, strict=True)
        ]
        return Conversation(tuple(messages), tuple(self._sources), tuple(self._losses))


# -- parts ----------------------------------------------------------------------------------


def text_part(text: str, kind: str = "text") -> Wire:
    """A part that says ``text``."""
    return {"kind": kind, "payload": {"text": text}}


def refusal_part(text: str) -> Wire:
    """A part by which a model refuses to answer."""
    return {"kind": "text", "payload": {"text": text, REFUSAL: True}}


def image_part(mime_type: str, data: str | None = None, url: str | None = None) -> Wire:
    """A part that shows an image."""
    payload = {"mimeType": mime_type}
    payload |= {} if data is None else {"data": data}
    payload |= {} if url is None else {"url": url}
    return {"kind": "image", "payload": payload}


def file_part(path: str, mime_type: object = None, size: object = None, **more: str) -> Wire:
    """A part that names a file; ``more`` is its content, or its id at a service."""
    payload: Wire = {"path": path}
    if isinstance(mime_type, str) and mime_type:
        payload["mimeType"] = mime_type
    if isinstance(size, int) and not isinstance(size, bool):
        payload["size"] = size
    return {"kind": "file_ref", "payload": payload | more}


def held_file(name: str, address: str) -> Wire | None:
    """A part with the file in a ``data:`` URL."""
    held = data_in(address)
    return None if held is None else file_part(name or "file", held[0], data=held[1])


def call_part(call_id: str, name: str, arguments: object) -> Wire:
    """A part that calls a tool; arguments that are not an object, or JSON of one, stay text."""
    payload: Wire = {"toolCallId": call_id, "toolName": name}
    value = json_object(arguments) if isinstance(arguments, str) else arguments
    if isinstance(value, dict):
        payload["arguments"] = value
    else:
        payload["rawArgsText"] = arguments if isinstance(arguments, str) else ""
    return {"kind": "tool_call", "payload": payload}


def result_part(call_id: str, content: object, is_error: bool = False) -> Wire:
    """A part that answers a tool call."""
    payload = {"toolCallId": call_id, "isError": is_error, "content": content}
    return {"kind": "tool_result", "payload": payload}


def plain_content(parts: list[Wire]) -> Any:
    """The content of a result: a string for a single text, else parts."""
    if not parts:
        return ""
    if len(parts) == 1 and parts[0]["kind"] == "text":
        return parts[0]["payload"]["text"]
    return parts


def other_branches(count: int) -> Phrase:
    """The loss of messages on other branches."""
    if count == 1:
        return Phrase("1 message on other branches was left out")
    return Phrase("{count} messages on other branches were left out", count=count)


def service_call(name: str) -> Phrase:
    """The loss for a call that the service itself executed."""
    return Phrase("the tool call `{name}` of the service becomes an ordinary one", name=name)


# -- values ---------------------------------------------------------------------------------


def json_object(text: str) -> Wire | None:
    """The object in a text of strict JSON, if it is one."""
    try:
        value = strict_loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def list_of(value: object) -> list[Any]:
    """The value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def dict_of(value: object) -> Wire:
    """The value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def text_of(value: object) -> str:
    """The value if it is a string, else an empty string."""
    return value if isinstance(value, str) else ""


def remaining(value: Mapping[str, Any], known: Iterable[str]) -> Wire:
    """The members of an object besides the known keys, without null and empty values."""
    left_out = frozenset(known)
    return {
        key: item
        for key, item in value.items()
        if key not in left_out and item not in (None, "", [], {})
    }


def answer_meta(response: Wire, finish_reason: object) -> Wire:
    """The metadata of a response, under the keys of a message's ``meta``."""
    texts = {
        "modelId": response.get("model"),
        "requestId": response.get("id"),
        "finishReason": finish_reason,
    }
    about = {key: value for key, value in texts.items() if isinstance(value, str)}
    usage = dict_of(response.get("usage"))
    return about | ({"usage": _usage(usage)} if usage else {})


def _usage(usage: Wire) -> Wire:
    """Token usage with our keys; each service has its own."""
    given = usage.get("prompt_tokens", usage.get("input_tokens"))
    written = usage.get("completion_tokens", usage.get("output_tokens"))
    if not isinstance(given, int) or not isinstance(written, int):
        return usage
    total = usage.get("total_tokens", given + written)
    counts = {"inputTokens": given, "outputTokens": written, "totalTokens": total}
    return counts | remaining(usage, _USAGE_KEYS)


def time_of_seconds(value: object) -> str | None:
    """Seconds since 1970 as ISO 8601; ``None`` if it is not a valid time."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        moment = datetime.fromtimestamp(value, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return moment.isoformat().replace("+00:00", "Z")


def quoted(names: Iterable[str]) -> Phrase:
    """Names as a list of code."""
    return joined([f"`{name}`" for name in names])

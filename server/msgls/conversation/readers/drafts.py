"""What readers of foreign JSON share: draft messages, and the locations of values.

Owns the location of a value by its path, and losses with their lines. A reader walks parsed data
and never fails: what it does not understand is a loss.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from msgls.conversation.conversation import Conversation, Loss, from_wires
from msgls.conversation.parts import Wire, dict_of, list_of, remaining, text_of, text_parts
from msgls.conversation.requests import REQUEST_META
from msgls.formats.jsontree import JsonValue, Path, parse
from msgls.text.lines import line_starts
from msgls.text.phrases import Phrase, as_code, joined
from msgls.text.spans import Span

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
        if time:
            wire["timestamp"] = time
        self._wires.append(wire)
        span = self._places.span(path)
        self._sources.append(() if span is None else (span,))

    def add_answered(
        self, role: str, parts: Sequence[Wire], path: Path, meta: Wire, time: str | None = None
    ) -> None:
        """Add a message; each result among its parts becomes a message of its own."""
        first, done = len(self), 0
        for number, part in enumerate(parts):
            if part["kind"] == "tool_result":
                if parts[done:number]:
                    self.add(role, parts[done:number], path, meta, time)
                self.add("tool", [part], path, None, time)
                done = number + 1
        if parts[done:] or len(self) == first:
            self.add(role, parts[done:], path, meta, time)

    def blocks(
        self,
        content: object,
        path: Path,
        part_of: Callable[[Wire, Path], tuple[Wire | None, Iterable[str]]],
        name_of: Callable[[Wire], object],
    ) -> list[Wire]:
        """The parts of a content: a text, or a list of blocks; what is not kept is a loss.

        ``part_of`` returns the part of a block and the keys that are in it; ``name_of`` what names
        a block of an unknown type in the loss.
        """
        if isinstance(content, str):
            return text_parts(content)
        parts = []
        for number, block in enumerate(map(dict_of, list_of(content))):
            place = (*path, number)
            part, known = part_of(block, place)
            if part is None:
                self.lose_kind(as_code(block.get("type")), place, text_of(name_of(block)))
            else:
                parts.append(part)
                rest = remaining(block, ("type", *known))
                self.lose_keys(Phrase("not kept: {keys} of a block"), rest, place)
        return parts

    def role_of(self, given: object, roles: Mapping[str, str], path: Path) -> str:
        """Our role for that of a message; an unknown one is a loss, and treated as the user's."""
        if text_of(given) not in roles:
            what = Phrase("unknown role {role}: it is treated as the user's", role=as_code(given))
            self.lose(what, path)
        return roles.get(text_of(given), "user")

    def lose(self, what: Phrase, path: Path) -> None:
        """Add a loss of something at ``path``."""
        self._losses.append(Loss(what, self._places.line(path)))

    def lose_keys(self, what: str, keys: Iterable[str], path: Path) -> None:
        """Add the loss of some keys, if there are any; ``what`` is a phrase with ``{keys}``."""
        names = [*keys]
        if names:
            self.lose(Phrase(what, keys=quoted(names)), path)

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
        self.lose_keys(Phrase("not kept: metadata of messages ({keys})"), of_messages, path)
        of_all = Phrase("not kept: metadata of the conversation ({keys})")
        self.lose_keys(of_all, of_conversation, path)

    def carry(self, key: str, value: object) -> bool:
        """Keep a value of the whole file in the first message; returns whether there is one."""
        if not self._wires:
            return False
        self._wires[0].setdefault("meta", {})[key] = value
        return True

    def carry_request(self, service: str, rest: Wire, path: Path) -> None:
        """Keep the other keys of a request to ``service`` in the first message."""
        if rest and not self.carry(REQUEST_META, {service: rest}):
            self.lose_keys(Phrase("there is no message to hold {keys}"), rest, path)

    def update_last_answer(self, about: Mapping[str, Any]) -> None:
        """Add metadata of a response to the last assistant message.

        An answer that a tool interrupts becomes several messages: the last one is its end.
        """
        answers = [wire for wire in self._wires if wire["role"] == "assistant"]
        if answers and about:
            answers[-1].setdefault("meta", {}).update(about)

    def conversation(self) -> Conversation:
        """The finished conversation."""
        return from_wires(self._wires, self._sources, self._losses)


# -- losses and metadata -----------------------------------------------------------------


def other_branches(count: int) -> Phrase:
    """The loss of messages on other branches."""
    if count == 1:
        return Phrase("1 message on other branches was left out")
    return Phrase("{count} messages on other branches were left out", count=count)


def service_call(name: str) -> Phrase:
    """The loss for a call that the service itself executed."""
    return Phrase("the tool call `{name}` of the service becomes an ordinary one", name=name)


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

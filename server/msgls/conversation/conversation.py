"""The canonical conversation: every format is read into it and written from it.

Owns messages together with their source spans and losses, and the default values
for a run id and a timestamp that a source does not have. Both depend on the
content alone, so that the same text yields the same messages.

Must not know any format, and must not read clocks or random numbers.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from msgls.conversation.messages import Message
from msgls.formats.agents import Agent
from msgls.text.spans import Span

EPOCH = "1970-01-01T00:00:00Z"
"""The timestamp of a message whose source has none."""

CARRIED_META = ("file", "request")
"""Keys for metadata of the whole conversation, in the ``meta`` of the first message."""
_DERIVED = frozenset({"runId", "timestamp"})


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that was lost in a conversion, described for users."""

    what: str
    line: int | None = None
    """The line of the source, from 0; ``None`` if it is not about a single line."""
    message_index: int | None = None
    """The index of the message that it is about; ``None`` if it is about none."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, each with the spans of the source text that it came from.

    ``sources[i]`` are absolute spans, in order; it is empty for a message that
    is not in the text.
    """

    messages: tuple[Message, ...]
    sources: tuple[tuple[Span, ...], ...]
    losses: tuple[Loss, ...] = ()
    agents: tuple[Agent, ...] = ()
    """The agents; a later entry for the same agent takes precedence."""
    default_agent: str | None = None
    """The agent that answers if none is named."""

    def __post_init__(self) -> None:
        if len(self.messages) != len(self.sources):
            raise ValueError(
                f"{len(self.messages)} messages, but sources for {len(self.sources)} of them"
            )


class Written(NamedTuple):
    """A conversation as text, and what was lost in it."""

    text: str
    losses: tuple[Loss, ...] = ()


def derive_run_id(messages_without_run: Sequence[Mapping[str, object]]) -> str:
    """The run id of messages, in wire form, whose source has none.

    It depends on their content alone, and not on the order of keys. Everything
    beyond ASCII is escaped, because lone surrogates cannot be encoded.
    """
    canonical = json.dumps(
        [dict(message) for message in messages_without_run],
        sort_keys=True,
        ensure_ascii=True,
        separators=(",", ":"),
    )
    return "run-" + hashlib.sha256(canonical.encode("ascii")).hexdigest()[:16]


def from_wires(
    wires: Sequence[Mapping[str, Any]],
    sources: Iterable[tuple[Span, ...]],
    losses: Iterable[Loss] = (),
    agents: tuple[Agent, ...] = (),
    default_agent: str | None = None,
) -> Conversation:
    """The conversation of messages in wire form; a missing run id or timestamp is derived."""
    run_id = derive_run_id([{k: v for k, v in wire.items() if k not in _DERIVED} for wire in wires])
    derived = {"runId": run_id, "timestamp": EPOCH}
    messages = tuple([Message.from_wire({**derived, **wire}) for wire in wires])
    return Conversation(messages, tuple(sources), tuple(losses), agents, default_agent)


def derived_run_of(messages: Sequence[Message]) -> str:
    """The run id that is derived for these messages; empty if they cannot be JSON."""
    wires = [message.to_wire() for message in messages]
    for wire in wires:
        for key in _DERIVED:
            del wire[key]
    try:
        return derive_run_id(wires)
    except (RecursionError, ValueError, TypeError):
        return ""  # Such messages were not read from a text.

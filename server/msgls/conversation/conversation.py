"""The canonical conversation: readers make it of every format, and writers make every format of it.

Owns the bundle of messages, where each came from and what was lost on the way,
and the two values that stand in where a source names no run and no time. Both
depend on nothing but the content, so that the same text gives the same messages.

Must not know any format, and must not read clocks or random numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgls.conversation.messages import Message
from msgls.formats.agents import Agent
from msgls.text.spans import Span

EPOCH = "1970-01-01T00:00:00Z"
"""The timestamp of a message whose source has none."""

CARRIED_META = ("file", "request")
"""Metadata of the whole conversation, which the first message carries."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss: something in the source that the messages cannot express."""

    what: str
    line: int | None = None
    """The line of the source, from 0; ``None`` where no single line is to blame."""
    message_index: int | None = None
    """The message that it is missing from; ``None`` where it belongs to none."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, each with the spans of the source text that it came from.

    ``sources[i]`` are absolute spans, in order; it is empty for a message that
    stands nowhere in the text.
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
    """A conversation as text, and what of it the text does not say."""

    text: str
    losses: tuple[Loss, ...] = ()


def derive_run_id(messages_without_run: Sequence[Mapping[str, object]]) -> str:
    """The run id of messages, in wire form, whose source names no run.

    It depends on their content alone, and not on the order of keys. Escaping
    everything beyond ASCII is what lets lone surrogates through.
    """
    canonical = json.dumps(
        [dict(message) for message in messages_without_run],
        sort_keys=True,
        ensure_ascii=True,
        separators=(",", ":"),
    )
    return "run-" + hashlib.sha256(canonical.encode("ascii")).hexdigest()[:16]


def derived_run_of(messages: Sequence[Message]) -> str:
    """The run id that a source without one gives to these messages; empty where none can."""
    wires = [message.to_wire() for message in messages]
    for wire in wires:
        del wire["runId"], wire["timestamp"]
    try:
        return derive_run_id(wires)
    except (RecursionError, ValueError, TypeError):
        return ""  # No source of text has made such messages.

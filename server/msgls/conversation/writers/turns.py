"""Arranges messages into turns as chat services require: valid roles, results with their calls.

Owns the arrangement that all services share; how a turn is written is up to each service.
What is moved or changed is reported as a loss. Names and ids are made valid for a service
here, each consistently.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from msgls.conversation.comparison import derived_runs_of
from msgls.conversation.conversation import EPOCH, Loss
from msgls.conversation.losses import (
    Unplaced,
    extras_of,
    metadata_names,
    named,
    unplaced_keys,
    unplaced_losses,
)
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import (
    PARTS_ALLOWED,
    ImagePayload,
    Message,
    MessagePart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
)
from msgls.conversation.parts import Wire
from msgls.conversation.requests import IMAGE_TYPES
from msgls.formats.images import image_type
from msgls.text.phrases import Phrase


class Losses:
    """Collects the losses of messages."""

    def __init__(self) -> None:
        self.found: list[Loss] = []

    def add(self, index: int, what: Phrase) -> None:
        """Add a loss about the message at that index, without repeating it."""
        loss = Loss(what, None, index)
        if loss not in self.found[-8:]:
            self.found.append(loss)


@dataclass(slots=True)
class Turn:
    """Parts of one message that are sent together."""

    index: int
    """The index of its message."""
    role: Role
    parts: list[MessagePart] = field(default_factory=list)
    results: dict[int, Turn] = field(default_factory=dict)
    """The turns that answer its calls, by the index of the call among its parts."""

    @property
    def result(self) -> ToolResultPart:
        """The only part of a tool's turn."""
        part = self.parts[0]
        assert isinstance(part, ToolResultPart)
        return part


def arranged(messages: Sequence[Message], losses: Losses) -> list[Turn]:
    """The turns of a conversation; results are attached to the turn with their call."""
    turns: list[Turn] = []
    for index, message in enumerate(messages):
        turns += _split(index, message, losses)
    strays = _pair(turns, losses)
    last = max((n for n, t in enumerate(turns) if t.role != "tool" or id(t) in strays), default=-1)
    numbers = {id(turn): number for number, turn in enumerate(turns)}
    counts = list(accumulate([turn.role != "tool" for turn in turns]))
    arranged: list[Turn] = []
    for number, turn in enumerate(turns):
        if turn.role != "tool":
            _unanswered_to_text(turn, number == last, losses)
            _report_moved(turn, numbers, counts, losses)
            arranged.append(turn)
        elif id(turn) in strays:
            arranged.append(Turn(turn.index, "user", [TextPart.of(as_markdown(turn.result))]))
    return arranged


# -- parts that all services take alike -------------------------------------------------------


def sent_content(
    result: ToolResult, index: int, losses: Losses, block: Callable[[MessagePart, int], list[Wire]]
) -> str | list[Wire]:
    """The content of a result: text, or a block for each part; an object becomes JSON text."""
    content = result.content
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        losses.add(index, Phrase("a result that is an object becomes JSON text"))
        return json.dumps(content, ensure_ascii=False)
    blocks = [one for part in content for one in block(part, index)]
    if not blocks:
        losses.add(index, Phrase("a result without parts becomes an empty text"))
    return blocks or ""


def can_send_image(image: ImagePayload, index: int, losses: Losses) -> bool:
    """Whether services take an image as one, and not as a link; adds what is lost of it."""
    kind = image.mime_type
    if image.data is None:
        if kind != image_type(image.url or ""):
            losses.add(index, Phrase("the type `{type}` of an image is not kept", type=kind))
    elif kind not in IMAGE_TYPES:
        losses.add(index, Phrase("an image of the type `{type}` becomes a link", type=kind))
        return False
    elif image.url is not None:
        losses.add(index, Phrase("an image is sent by its data, without its address"))
    return True


# -- roles ----------------------------------------------------------------------------------


def _split(index: int, message: Message, losses: Losses) -> list[Turn]:
    """The turns of a message: each result is a turn of its own."""
    turns: list[Turn] = []
    fallback: Role = "user" if message.role == "tool" else message.role
    allowed = PARTS_ALLOWED[fallback]
    for part in message.parts:
        if isinstance(part, ToolResultPart):
            if message.role != "tool":
                losses.add(index, Phrase("a tool result inside it becomes a separate message"))
            turns.append(Turn(index, "tool", [part]))
            continue
        if message.role == "tool":
            losses.add(index, Phrase("{what} becomes a user message", what=named(part)))
        elif part.kind not in allowed:
            losses.add(index, Phrase("{what} is written as text", what=named(part)))
        if not turns or turns[-1].role != fallback:
            turns.append(Turn(index, fallback))
        fits = part.kind in allowed
        turns[-1].parts.append(part if fits else TextPart.of(as_markdown(part)))
    if not turns and message.role != "tool":
        turns.append(Turn(index, message.role))
    elif not turns:
        losses.add(index, Phrase("a tool message without a result is left out"))
    return turns


# -- pairing --------------------------------------------------------------------------------


def _pair(turns: Iterable[Turn], losses: Losses) -> set[int]:
    """Attach results to their calls; returns the turns (by identity) that answer no call."""
    waiting: dict[str, deque[tuple[Turn, int]]] = {}
    strays: set[int] = set()
    for turn in turns:
        for place, part in enumerate(turn.parts):
            if isinstance(part, ToolCallPart):
                waiting.setdefault(part.payload.tool_call_id, deque()).append((turn, place))
        if turn.role != "tool":
            continue
        call_id = turn.result.payload.tool_call_id
        if waiting.get(call_id):
            owner, place = waiting[call_id].popleft()
            owner.results[place] = turn
        else:
            strays.add(id(turn))
            what = Phrase("there is no open call for this result: it becomes text")
            if call_id:
                what = Phrase(
                    "there is no open call `{call_id}` for this result: it becomes text",
                    call_id=call_id,
                )
            losses.add(turn.index, what)
    return strays


def _unanswered_to_text(turn: Turn, is_last: bool, losses: Losses) -> None:
    """Turn calls without a result into text, except in the last turn: results may follow."""
    calls = [n for n, part in enumerate(turn.parts) if isinstance(part, ToolCallPart)]
    missing = [place for place in calls if place not in turn.results]
    if not missing or (is_last and len(missing) == len(calls)):
        return
    for place in missing:
        part = turn.parts[place]
        assert isinstance(part, ToolCallPart)
        call_id = part.payload.tool_call_id
        losses.add(
            turn.index,
            Phrase("the call `{call_id}` has no result: it becomes text", call_id=call_id),
        )
        turn.parts[place] = TextPart.of(as_markdown(part))


def _report_moved(
    owner: Turn, numbers: Mapping[int, int], counts: Sequence[int], losses: Losses
) -> None:
    """Report results that are moved before other messages, or reordered.

    ``numbers`` has the index of each turn, and ``counts`` the number of turns up to each that are
    not results.
    """
    wanted = [owner.results[place] for place in sorted(owner.results)]
    found = sorted(wanted, key=lambda turn: numbers[id(turn)])
    for turn in found:
        if counts[numbers[id(turn)]] > counts[numbers[id(owner)]]:
            losses.add(turn.index, Phrase("this result is moved to its call"))
    if [*map(id, found)] != [*map(id, wanted)]:
        losses.add(owner.index, Phrase("results are put in the order of their calls"))


# -- names ----------------------------------------------------------------------------------


class Names:
    """Maps names to names that a service accepts; different names stay different."""

    def __init__(self, forbidden: str, max_length: int, default: str) -> None:
        self._forbidden = re.compile(forbidden)
        self._max_length = max_length
        self._default = default
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}
        """The next suffix to try for a name: smaller ones are taken."""

    def of(self, name: str) -> str:
        """The name for the service, the same each time."""
        if name not in self._given:
            self._given[name] = self.fresh(name)
        return self._given[name]

    def fresh(self, name: str) -> str:
        """A name for the service that was not used before."""
        first = self._forbidden.sub("_", name)[: self._max_length] or self._default
        candidate, number = first, self._numbers.get(first, 2)
        while candidate in self._taken:
            ending = f"_{number}"
            candidate = first[: self._max_length - len(ending)] + ending
            number += 1
        self._taken.add(candidate)
        self._numbers[first] = number
        return candidate


class CallNames:
    """The ids of calls and the names of tools, as a service accepts them."""

    def __init__(self, ids: Names, tools: Names, losses: Losses) -> None:
        self._ids = ids
        self._tools = tools
        self._losses = losses

    def call(self, index: int, call_id: str) -> str:
        """The id of a new call."""
        return self._reported(index, Phrase("the id"), call_id, self._ids.fresh(call_id))

    def tool(self, index: int, name: str) -> str:
        """The name of a tool."""
        return self._reported(index, Phrase("the tool"), name, self._tools.of(name))

    def _reported(self, index: int, what: Phrase, name: str, given: str) -> str:
        """``given``, after reporting a change of the name."""
        if given != name:
            self._losses.add(
                index,
                Phrase("{what} `{name}` becomes `{given}`", what=what, name=name, given=given),
            )
        return given


# -- metadata that requests cannot hold --------------------------------------------------------


def unplaced_meta(
    messages: Sequence[Message],
    keeps_metadata: Callable[[Message, str], bool],
    keeps_extra: Callable[[str, str], bool],
) -> list[Loss]:
    """Losses for the metadata of messages, except keys that the target keeps.

    ``keeps_extra`` is called with the kind of a part and an additional key of it.
    """
    derived = derived_runs_of(messages)
    found: list[Unplaced] = []
    for index, message in enumerate(messages):
        keys = [key for key in message.meta or {} if not keeps_metadata(message, key)]
        found += unplaced_keys(index, message, keys)
        own = [] if message.run_id in derived else ["runId"]
        own += (
            []
            if message.timestamp == EPOCH or keeps_metadata(message, "timestamp")
            else ["timestamp"]
        )
        own += message.model_extra or {}
        extras = dict.fromkeys(extras_of(message.parts))
        own += [key for kind, key in extras if not keeps_extra(kind, key)]
        found += [(index, name) for key in own for name in metadata_names(key, None)]
    return unplaced_losses(found)

"""Turns as chat services require them: every part with a fitting role, every result at its call.

Owns the arrangement that all services share, and nothing of how one of them writes it.
What has to be moved, or said in another way, is named as a loss. Names and ids that a
service restricts are made to fit here, each of them the same way wherever it stands.
"""

from __future__ import annotations

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
    named,
    said_of,
    things_said,
    without_place,
)
from msgls.conversation.markdown import as_markdown
from msgls.conversation.messages import (
    PARTS_ALLOWED,
    Message,
    MessagePart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from msgls.text.phrases import Phrase


class Losses:
    """What cannot be said, message by message."""

    def __init__(self) -> None:
        self.found: list[Loss] = []

    def add(self, index: int, what: Phrase) -> None:
        """Name something of the message with that index, once."""
        loss = Loss(what, None, index)
        if loss not in self.found[-8:]:
            self.found.append(loss)


@dataclass(slots=True)
class Turn:
    """Parts of one message that stay together."""

    index: int
    """The message that it comes from."""
    role: Role
    parts: list[MessagePart] = field(default_factory=list)
    results: dict[int, Turn] = field(default_factory=dict)
    """The turns that answer its calls, by the place of the call among its parts."""

    @property
    def result(self) -> ToolResultPart:
        """The one part of a tool's turn."""
        part = self.parts[0]
        assert isinstance(part, ToolResultPart)
        return part


def arranged(messages: Sequence[Message], losses: Losses) -> list[Turn]:
    """The turns of a conversation; results are with the turn that asks for them, as ``results``."""
    turns: list[Turn] = []
    for index, message in enumerate(messages):
        turns += _split(index, message, losses)
    strays = _pair(turns, losses)
    last = max((n for n, t in enumerate(turns) if t.role != "tool" or id(t) in strays), default=-1)
    numbers = {id(turn): number for number, turn in enumerate(turns)}
    said = list(accumulate([turn.role != "tool" for turn in turns]))
    arranged: list[Turn] = []
    for number, turn in enumerate(turns):
        if turn.role != "tool":
            _say_unanswered(turn, number == last, losses)
            _name_moved(turn, numbers, said, losses)
            arranged.append(turn)
        elif id(turn) in strays:
            arranged.append(Turn(turn.index, "user", [TextPart.of(as_markdown(turn.result))]))
    return arranged


# -- roles ----------------------------------------------------------------------------------


def _split(index: int, message: Message, losses: Losses) -> list[Turn]:
    """The turns of a message: each result is one of its own."""
    turns: list[Turn] = []
    fallback: Role = "user" if message.role == "tool" else message.role
    allowed = PARTS_ALLOWED[fallback]
    for part in message.parts:
        if isinstance(part, ToolResultPart):
            if message.role != "tool":
                losses.add(index, Phrase("a result in it becomes a separate message"))
            turns.append(Turn(index, "tool", [part]))
            continue
        if message.role == "tool":
            losses.add(index, Phrase("{what} becomes a message of the user's", what=named(part)))
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
    """Give every call its result; the turns (by identity) that answer no call are left."""
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


def _say_unanswered(turn: Turn, is_last: bool, losses: Losses) -> None:
    """Calls without a result become text, but for those of the last turn: theirs may come."""
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


def _name_moved(
    owner: Turn, numbers: Mapping[int, int], said: Sequence[int], losses: Losses
) -> None:
    """Name the results that other messages stood before, or that stood in another order.

    ``numbers`` has the place of each turn, and ``said`` how many up to there are no results.
    """
    wanted = [owner.results[place] for place in sorted(owner.results)]
    found = sorted(wanted, key=lambda turn: numbers[id(turn)])
    for turn in found:
        if said[numbers[id(turn)]] > said[numbers[id(owner)]]:
            losses.add(turn.index, Phrase("this result is moved to its call"))
    if [*map(id, found)] != [*map(id, wanted)]:
        losses.add(owner.index, Phrase("results are put in the order of their calls"))


# -- names ----------------------------------------------------------------------------------


class Names:
    """Names that a service takes, in place of any others; two never become the same."""

    def __init__(self, forbidden: str, most: int, stand_in: str) -> None:
        self._forbidden = re.compile(forbidden)
        self._most = most
        self._stand_in = stand_in
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}
        """What comes after a name when it is needed again: those before are taken."""

    def of(self, name: str) -> str:
        """What the service is told for a name, the same each time."""
        if name not in self._given:
            self._given[name] = self.fresh(name)
        return self._given[name]

    def fresh(self, name: str) -> str:
        """One that was not given before."""
        first = self._forbidden.sub("_", name)[: self._most] or self._stand_in
        candidate, number = first, self._numbers.get(first, 2)
        while candidate in self._taken:
            ending = f"_{number}"
            candidate = first[: self._most - len(ending)] + ending
            number += 1
        self._taken.add(candidate)
        self._numbers[first] = number
        return candidate


class CallNames:
    """The ids of calls and the names of tools, as a service takes them."""

    def __init__(self, ids: Names, tools: Names, losses: Losses) -> None:
        self._ids = ids
        self._tools = tools
        self._losses = losses

    def call(self, index: int, call_id: str) -> str:
        """The id of a new call."""
        return self._told(index, Phrase("the id"), call_id, self._ids.fresh(call_id))

    def tool(self, index: int, name: str) -> str:
        """The name of a tool."""
        return self._told(index, Phrase("the tool"), name, self._tools.of(name))

    def _told(self, index: int, what: Phrase, name: str, given: str) -> str:
        if given != name:
            self._losses.add(
                index,
                Phrase("{what} `{name}` becomes `{given}`", what=what, name=name, given=given),
            )
        return given


# -- what no request has a place for --------------------------------------------------------


def unplaced_meta(
    messages: Sequence[Message],
    is_said: Callable[[Message, str], bool],
    is_extra_said: Callable[[str, str], bool],
) -> list[Loss]:
    """What messages say of themselves, unless ``is_said`` knows a place for it.

    ``is_extra_said`` is asked of what a part of some kind says beyond what that kind has.
    """
    derived = derived_runs_of(messages)
    found: list[Unplaced] = []
    for index, message in enumerate(messages):
        keys = [key for key in message.meta or {} if not is_said(message, key)]
        found += said_of(index, message, keys)
        own = [] if message.run_id in derived else ["runId"]
        own += [] if message.timestamp == EPOCH or is_said(message, "timestamp") else ["timestamp"]
        own += message.model_extra or {}
        extras = dict.fromkeys(extras_of(message.parts))
        own += [key for kind, key in extras if not is_extra_said(kind, key)]
        found += [(index, thing) for key in own for thing in things_said(key, None)]
    return without_place(found)

"""The parts of ``agents.json``: its agents, their boot messages, and what does not fit.

Owns the way from JSON to agents and tasks. Each agent is read by itself, from its own
text, and what was read is remembered by that text: a keystroke in one agent reads that
one again, and of the others only where they begin. Everything works on a text that is
broken, too: what the tree still shows is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from msgls.formats.jsonnodes import json_nodes_at
from msgls.formats.jsontree import JsonError, JsonTree, JsonValue, Member, Path, parse, strict_error
from msgls.formats.prose import is_relative
from msgls.formats.strictjson import strict_loads
from msgls.syntax.cells import Cell, CellKind, NoParts, lazy
from msgls.syntax.names import Name, NameKind, Use
from msgls.syntax.nodes import Link, Node, NodeKind
from msgls.text.patterns import lazy_pattern
from msgls.text.similar import closest
from msgls.text.spans import Span

if TYPE_CHECKING:
    from msgls.formats.agentsjson.boot import ShapeProblem


AGENTS_KEY = "agents"
BOOT = "bootMessage"
_BOOT_KEY = f'"{BOOT}"'
# Where the models look no further, nothing needs to be read.
_DEEPEST = 32
_BLANKS = lazy_pattern(r"[ \t\r\n\ufeff]*")
_decoder = json.JSONDecoder()


class TaskEntry(NamedTuple):
    """An available task as it is in the text."""

    value: JsonValue
    name: Member | None
    task: Member | None


class Agent:
    """One agent, read from its own text; all spans are relative to that."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree: JsonTree = parse(text)
        self.value: JsonValue = self.tree.root or JsonValue("missing", Span(0, 0))
        self.memo: dict[str, Any] = {}
        """The problems that rules found in it, by code: they depend on the text alone."""

    @lazy
    def name(self) -> str | None:
        """Its name."""
        return self.text_of(self.value.member("name"))

    @lazy
    def boot(self) -> Member | None:
        """The member ``bootMessage`` of its metadata, whatever it holds."""
        metadata = self.value.member("metadata")
        return None if metadata is None else metadata.value.member(BOOT)

    @lazy
    def boot_message(self) -> JsonValue | None:
        """The boot message, if it is an object."""
        boot = self.boot
        return None if boot is None or boot.value.kind != "object" else boot.value

    @lazy
    def mentions_boot_message(self) -> bool:
        """Whether the key is anywhere in it, at its place or not; or one that means it."""
        if _BOOT_KEY in self.text:
            return any(
                member.key == BOOT for value in self.value.walk() for member in value.members
            )
        metadata = self.value.member("metadata")
        likely = [*self.value.members, *([] if metadata is None else metadata.value.members)]
        return any(closest(member.key, (BOOT,), most=2) for member in likely)

    def available_tasks(self) -> Iterator[TaskEntry]:
        """The available tasks of its boot message that are objects."""
        boot = self.boot_message
        tasks = None if boot is None else boot.member("availableTasks")
        for value in [] if tasks is None else tasks.value.items:
            if value.kind == "object":
                yield TaskEntry(value, value.member("name"), value.member("task"))

    def string(self, value: JsonValue) -> str | None:
        """The text of a string; ``None`` if it is not one, or broken."""
        said = self.data(value) if value.kind == "string" else None
        return said if isinstance(said, str) else None

    def text_of(self, member: Member | None) -> str | None:
        """The text that a member holds, if it is there and holds one."""
        return None if member is None else self.string(member.value)

    def data(self, value: JsonValue, depth: int = 0) -> Any:
        """The data that a value says, as far down as the models look."""
        if value.kind == "object":
            members = value.members if depth < _DEEPEST else []
            return {member.key: self.data(member.value, depth + 1) for member in members}
        if value.kind == "array":
            items = value.items if depth < _DEEPEST else []
            return [self.data(item, depth + 1) for item in items]
        try:
            return strict_loads(value.span.of(self.text))
        except (ValueError, RecursionError):
            return None

    @lazy
    def shape_problems(self) -> tuple[ShapeProblem, ...]:
        """The problems of the shape; in a broken text, only those that are certain."""
        from msgls.formats.agentsjson.boot import agent_problems

        found = agent_problems(self.data(self.value))
        return tuple([problem for problem in found if self._is_sure(problem)])

    def _is_sure(self, problem: ShapeProblem) -> bool:
        is_missing = problem.expected == "key"
        found = self.tree.find(problem.path[:-1] if is_missing else problem.path)
        if found is None or found.value.kind == "missing":
            return False
        return not is_missing or not self.is_broken(found.value)

    @lazy
    def errors(self) -> tuple[JsonError, ...]:
        """Where its text is not strict JSON."""
        return self.tree.errors

    def is_broken(self, value: JsonValue) -> bool:
        """Whether the text is broken in a value: what is missing may be there unread."""
        start, end = value.span
        return any(error.span.start <= end and error.span.end >= start for error in self.errors)


class _Remembered:
    """Agents by their texts, those that were asked for last. Bounded by what they hold."""

    def __init__(self, most_chars: int) -> None:
        self._agents: dict[str, Agent] = {}
        self._most_chars = most_chars
        self._chars = 0

    def read(self, text: str) -> Agent:
        """The agent of a text."""
        agent = self._agents.pop(text, None)
        if agent is None:
            agent = Agent(text)
            self._chars += len(text)
        # The last one asked for is the last one to go.
        self._agents[text] = agent
        while self._chars > self._most_chars and len(self._agents) > 1:
            oldest = next(iter(self._agents))
            del self._agents[oldest]
            self._chars -= len(oldest)
        return agent


# A tree takes some forty times as much as its text.
_remembered = _Remembered(most_chars=2_000_000)
read_agent = _remembered.read


class PlacedAgent(NamedTuple):
    """An agent and where its text is in the file."""

    agent: Agent
    start: int
    path: Path

    @property
    def span(self) -> Span:
        """All of its text."""
        return Span(self.start, self.start + len(self.agent.text))


class AgentsCell(Cell):
    """The whole file."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        length = sum(map(len, parts))
        super().__init__(CellKind.PREAMBLE, parts, None, {}, NoParts(length))

    @lazy
    def tree(self) -> JsonTree:
        """Where everything is in the whole text. Costs what the file is long."""
        return parse(self.text)

    @lazy
    def errors(self) -> tuple[JsonError, ...]:
        """Where the text is not strict JSON."""
        return () if strict_error(self.text) is None else self.tree.errors

    @lazy
    def agents(self) -> tuple[PlacedAgent, ...]:
        """Every agent, in order."""
        spans = element_spans(self.text) if not self.errors else None
        if spans is None:
            found = self.tree.find((AGENTS_KEY,))
            items = [] if found is None else found.value.items
            # In a broken text, all else may be a piece of an agent that got out of it.
            spans = [item.span for item in items if item.kind == "object" or not self.errors]
        return tuple(
            [
                PlacedAgent(read_agent(span.of(self.text)), span.start, (AGENTS_KEY, number))
                for number, span in enumerate(spans)
            ]
        )

    def nodes_at(self, at: int) -> list[Node]:
        """The nodes that a cursor is in."""
        return nodes_at(self, at)

    @lazy
    def links(self) -> tuple[Link, ...]:
        """Every place that names a file."""
        return links_in(self)

    @lazy
    def names(self) -> tuple[Name, ...]:
        """Every name that it says, in order."""
        return names_in(self)

    @lazy
    def has_boot_message(self) -> bool:
        """Whether any agent has one; if none has, the file is not checked."""
        return any(placed.agent.mentions_boot_message for placed in self.agents) or any(
            member.key == BOOT for member in self.beside_agents
        )

    @lazy
    def beside_agents(self) -> tuple[Member, ...]:
        """The members that stand beside the list of agents, if a boot message may be there."""
        inside = sum([placed.agent.text.count(_BOOT_KEY) for placed in self.agents])
        root = self.tree.root if self.text.count(_BOOT_KEY) > inside else None
        members = () if root is None else root.members
        return tuple([member for member in members if member.key != AGENTS_KEY])

    def agent_at(self, offset: int) -> PlacedAgent:
        """The agent that a place in the file lies in."""
        for placed in self.agents:
            if placed.start <= offset < placed.span.end:
                return placed
        raise LookupError("there is no agent at that offset")


def element_spans(text: str) -> list[Span] | None:
    """Where the elements of ``agents`` stand in strict JSON, found without a tree.

    Nothing where that takes a tree, after all.
    """
    try:
        return _element_spans(text)
    except (IndexError, ValueError, RecursionError):
        return None


def _element_spans(text: str) -> list[Span]:
    found: list[Span] = []
    at = _after_spaces(text, 0)
    if text[at] != "{":
        return found
    at = _after_spaces(text, at + 1)
    while text[at] == '"':
        key, at = _decoder.raw_decode(text, at)
        at = _after_spaces(text, _after_spaces(text, at) + 1)
        if key == AGENTS_KEY:
            found.clear()
        if key == AGENTS_KEY and text[at] == "[":
            at = _add_elements(text, at, found)
        else:
            _, at = _decoder.raw_decode(text, at)
        at = _after_spaces(text, at)
        if text[at] != ",":
            break
        at = _after_spaces(text, at + 1)
    return found


def _add_elements(text: str, at: int, found: list[Span]) -> int:
    """Add the elements of the array that begins at ``at``; where it ends."""
    at = _after_spaces(text, at + 1)
    while text[at] != "]":
        _, end = _decoder.raw_decode(text, at)
        found.append(Span(at, end))
        at = _after_spaces(text, end)
        if text[at] == ",":
            at = _after_spaces(text, at + 1)
    return at + 1


def _after_spaces(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return at if match is None else match.end()


# -- The nodes, links and names of ``agents.json``: agents, and the tasks of each.


def nodes_at(cell: AgentsCell, at: int) -> list[Node]:
    """The nodes that a cursor is in: in an agent, without a tree of the whole file."""
    agent = next((agent for agent in reversed(cell.agents) if agent.span.contains(at)), None)
    if agent is None:
        return list(json_nodes_at(cell.tree, at))
    found = json_nodes_at(agent.agent.tree, at - agent.start)
    inside = [node._replace(span=node.span.shift(agent.start)) for node in found]
    return [Node(NodeKind.OBJECT, agent.span), *inside]


def links_in(cell: AgentsCell) -> tuple[Link, ...]:
    """The ``path`` of each agent, where it leads to a file beside this one or below it."""
    found = []
    for placed in cell.agents:
        member = placed.agent.value.member("path")
        target = placed.agent.text_of(member)
        if member is None or target is None or not is_relative(target):
            continue
        span = member.value.inside.shift(placed.start)
        # What is escaped is not a path that could be written in its place as it is.
        if span.of(cell.text) == target:
            found.append(Link(span, target))
    return tuple(found)


def names_in(cell: AgentsCell) -> tuple[Name, ...]:
    """Every name that the file says, in order."""
    found = [name for placed in cell.agents for name in _names(placed)]
    return tuple(sorted(found, key=lambda name: name.reach))


def _names(placed: PlacedAgent) -> Iterator[Name]:
    agent, start = placed.agent, placed.start
    member = name_member(agent)
    if member is not None and agent.name:
        span = member.value.inside.shift(start)
        yield Name(NameKind.AGENT, agent.name, span, Use.DECLARES, span)
    for task in tasks(agent):
        if task.name_value is not None:
            span, reach = task.name_value.inside.shift(start), task.name_value.span.shift(start)
            yield Name(NameKind.TASK, task.name, span, Use.DECLARES, reach, str(start))


# -- The tasks that the boot message of an agent offers or starts.


class TaskPlace(NamedTuple):
    """A task of a boot message; spans are relative to its agent."""

    name: str
    shown: str
    """What the user sees of it, or its name again."""
    around: JsonValue
    """The available task, or the task itself."""
    task: JsonValue
    name_value: JsonValue | None
    is_next: bool
    """Whether it runs by itself."""


def name_member(agent: Agent) -> Member | None:
    """The name of an agent, if it has one."""
    member = agent.value.member("name")
    return member if member is not None and agent.name else None


def tasks(agent: Agent) -> Iterator[TaskPlace]:
    """The available tasks of an agent's boot message, then the next ones."""
    for entry in agent.available_tasks():
        task = entry.value if entry.task is None else entry.task.value
        member = None if entry.task is None else task.member("name")
        name, shown = agent.text_of(member) or "", agent.text_of(entry.name)
        name_value = None if member is None else member.value
        yield TaskPlace(name, shown or name, entry.value, task, name_value, False)
    boot = agent.boot_message
    following = None if boot is None else boot.member("nextTasks")
    for task in () if following is None else following.value.items:
        if task.kind == "object":
            member = task.member("name")
            name, name_value = agent.text_of(member) or "", None if member is None else member.value
            yield TaskPlace(name, name, task, task, name_value, True)

"""What stands at an offset of ``agents.json``: the way from the cursor to keys, values, agents.

Reads one agent where the cursor is in one, so that it costs what that one is long; only
outside of all agents the whole file is looked at. Spans are absolute: the file is one cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.agentsjson.cells import Agent, AgentsCell, Placed
from msgls.formats.jsontree import JsonTree, JsonValue, Member, Path
from msgls.text.spans import Span


class Step(NamedTuple):
    """A value on the way down to a place, and the key before it."""

    step: str | int
    member: Member | None
    value: JsonValue


class Place(NamedTuple):
    """Where the cursor is."""

    path: Path
    """From the top of the file."""
    steps: tuple[Step, ...]
    """From the root of ``tree``, outer ones first; spans are relative to ``start``."""
    root: JsonValue | None
    start: int
    offset: int
    placed: Placed | None
    """The agent that the cursor is in."""

    @property
    def key_span(self) -> Span | None:
        """The key under the cursor, if it is on one."""
        member = self.steps[-1].member if self.steps else None
        if member is None or not member.key_span.contains(self.offset - self.start):
            return None
        return member.key_span.shift(self.start)

    @property
    def value(self) -> JsonValue | None:
        """The innermost value around the cursor, if it is neither on a key nor behind one."""
        value = self.steps[-1].value if self.steps else self.root
        if value is None or self.key_span is not None:
            return None
        return value if value.span.contains(self.offset - self.start) else None


def cell_of(document: Document) -> AgentsCell | None:
    """All of the file."""
    first = document.first_cell()
    return first.cell if first is not None and isinstance(first.cell, AgentsCell) else None


def agent_around(cell: AgentsCell, offset: int) -> Placed | None:
    """The agent that a cursor is in; between two that touch, the later one."""
    found = [placed for placed in cell.agents if placed.span.contains(offset)]
    return found[-1] if found else None


def place_at(document: Document, offset: int) -> Place | None:
    """What stands at ``offset``."""
    cell = cell_of(document)
    if cell is None:
        return None
    placed = agent_around(cell, offset)
    if placed is None:
        return _place(cell.tree, (), 0, offset, None)
    return _place(placed.agent.tree, placed.path, placed.start, offset, placed)


def _place(tree: JsonTree, prefix: Path, start: int, offset: int, placed: Placed | None) -> Place:
    at = offset - start
    steps: list[Step] = []
    root = next((root for root in tree.roots if root.span.contains(at)), None)
    value = root
    while value is not None:
        inner = _inner(value, at)
        if inner is None:
            break
        steps.append(inner)
        value = inner.value
    path = (*prefix, *[step.step for step in steps])
    return Place(path, tuple(steps), root, start, offset, placed)


def _inner(value: JsonValue, at: int) -> Step | None:
    for member in value.members:
        if member.span.contains(at):
            return Step(member.key, member, member.value)
    for number, item in enumerate(value.items):
        if item.span.contains(at):
            return Step(number, None, item)
    return None


def inside(value: JsonValue) -> Span:
    """A string without its quotes; all else as it is."""
    start, end = value.span
    return Span(start + 1, end - 1) if value.kind == "string" and end - start > 1 else value.span


# -- agents -------------------------------------------------------------------------------


def name_member(agent: Agent) -> Member | None:
    """The name of an agent, if it has one."""
    member = agent.value.member("name")
    return member if member is not None and agent.name else None


def named(document: Document, name: str) -> Iterator[tuple[Placed, Span]]:
    """Every agent of that name, with the place of the name."""
    cell = cell_of(document)
    for placed in () if cell is None else cell.agents:
        member = name_member(placed.agent)
        if member is not None and placed.agent.name == name:
            yield placed, inside(member.value).shift(placed.start)


class Named(NamedTuple):
    """The name of an agent under the cursor."""

    text: str
    span: Span
    """Without quotes."""


def agent_name_at(document: Document, offset: int) -> Named | None:
    """The name of the agent, where the cursor is on it."""
    place = place_at(document, offset)
    if place is None or place.placed is None or place.value is None:
        return None
    agent = place.placed.agent
    member = name_member(agent)
    if member is None or member.value is not place.value or agent.name is None:
        return None
    span = inside(member.value).shift(place.start)
    return Named(agent.name, span) if span.contains(offset) else None


# -- tasks --------------------------------------------------------------------------------


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


def tasks(agent: Agent) -> Iterator[TaskPlace]:
    """The available tasks of an agent's boot message, then the next ones."""
    for entry in agent.available_tasks():
        task = entry.value if entry.task is None else entry.task.value
        shown = None if entry.name is None else agent.string(entry.name.value)
        member = None if entry.task is None else task.member("name")
        name = (None if member is None else agent.string(member.value)) or ""
        name_value = None if member is None else member.value
        yield TaskPlace(name, shown or name, entry.value, task, name_value, False)
    boot = agent.boot_message
    following = None if boot is None else boot.member("nextTasks")
    for task in () if following is None else following.value.items:
        member = task.member("name")
        name = (None if member is None else agent.string(member.value)) or ""
        if task.kind == "object":
            name_value = None if member is None else member.value
            yield TaskPlace(name, name, task, task, name_value, True)

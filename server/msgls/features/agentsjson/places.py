"""What stands at an offset of ``agents.json``: the way from the cursor to keys, values, agents.

Reads one agent where the cursor is in one, so that it costs what that one is long; only
outside of all agents the whole file is looked at. Spans are absolute: the file is one cell.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.agentsjson.cells import AgentsCell, Placed
from msgls.formats.jsontree import JsonTree, JsonValue, Member, Path
from msgls.syntax.names import NameKind
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


# -- agents -------------------------------------------------------------------------------


class Named(NamedTuple):
    """The name of an agent under the cursor."""

    text: str
    span: Span
    """Without quotes."""


def agent_name_at(document: Document, offset: int) -> Named | None:
    """The name of the agent, where the cursor is on it."""
    cell = cell_of(document)
    for name in () if cell is None else cell.names:
        if name.kind is NameKind.AGENT and name.reach.contains(offset):
            return Named(name.text, name.span)
    return None

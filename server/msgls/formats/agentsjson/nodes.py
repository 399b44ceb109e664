"""The nodes, links and names of ``agents.json``: agents, and the tasks of each."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.formats.agentsjson.cells import AgentsCell, Placed
from msgls.formats.agentsjson.tasks import name_member, tasks
from msgls.formats.jsonnodes import nodes_around
from msgls.formats.prose import is_relative
from msgls.syntax.names import Name, NameKind, Use
from msgls.syntax.nodes import Link, Node, NodeKind


def nodes_at(cell: AgentsCell, at: int) -> list[Node]:
    """The nodes that a cursor is in: in an agent, without a tree of the whole file."""
    agent = next((agent for agent in reversed(cell.agents) if agent.span.contains(at)), None)
    if agent is None:
        return list(nodes_around(cell.tree, at))
    found = nodes_around(agent.agent.tree, at - agent.start)
    inside = [node._replace(span=node.span.shift(agent.start)) for node in found]
    return [Node(NodeKind.OBJECT, agent.span), *inside]


def links_in(cell: AgentsCell) -> tuple[Link, ...]:
    """The ``path`` of each agent, where it leads to a file beside this one or below it."""
    found = []
    for placed in cell.agents:
        member = placed.agent.value.member("path")
        target = None if member is None else placed.agent.string(member.value)
        if member is None or target is None or not is_relative(target):
            continue
        span = member.value.inside.shift(placed.start)
        # What is escaped is no path that could be written in its place as it is.
        if span.of(cell.text) == target:
            found.append(Link(span, target))
    return tuple(found)


def names_in(cell: AgentsCell) -> tuple[Name, ...]:
    """Every name that the file says, in order."""
    found = [name for placed in cell.agents for name in _names(placed)]
    return tuple(sorted(found, key=lambda name: name.reach))


def _names(placed: Placed) -> Iterator[Name]:
    agent, start = placed.agent, placed.start
    member = name_member(agent)
    if member is not None and agent.name:
        span = member.value.inside.shift(start)
        yield Name(NameKind.AGENT, agent.name, span, Use.DECLARES, span)
    for task in tasks(agent):
        if task.name_value is not None:
            span, reach = task.name_value.inside.shift(start), task.name_value.span.shift(start)
            yield Name(NameKind.TASK, task.name, span, Use.DECLARES, reach, str(start))

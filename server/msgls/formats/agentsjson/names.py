"""The names that ``agents.json`` says: agents, and the tasks of each."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.formats.agentsjson.cells import AgentsCell, Placed
from msgls.formats.agentsjson.tasks import name_member, tasks
from msgls.syntax.names import Name, NameKind, Use


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

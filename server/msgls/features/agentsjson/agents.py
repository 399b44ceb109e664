"""The agents that an ``agents.json`` registers."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.agents import Agent, Origin
from msgls.formats.agentsjson.cells import AgentsCell


def involved_agents(snapshot: Snapshot) -> list[Agent]:
    """Every agent that has a name, each once, in the order of the file."""
    document = snapshot.document
    first = document.first_cell()
    if first is None or not isinstance(first.cell, AgentsCell):
        return []
    found: dict[str, Agent] = {}
    for placed in first.cell.agents:
        name = placed.agent.name
        if name and name not in found:
            line = document.position_of(placed.start).line
            found[name] = Agent(name, Origin.AGENTS_FILE, line=line)
    return list(found.values())


def registered_agents(snapshot: Snapshot) -> list[str]:
    """Their names."""
    return [agent.name for agent in involved_agents(snapshot)]

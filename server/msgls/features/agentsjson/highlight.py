"""Highlight in ``agents.json``: agents of the same name, and tasks of the same name in an agent."""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.agentsjson.places import agent_name_at, inside, named, place_at, tasks
from msgls.features.highlight import Highlight


def highlights(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> list[Highlight]:
    """The places, in order."""
    name = agent_name_at(document, offset)
    if name is not None:
        return [Highlight(span, gives=True) for _, span in named(document, name.text)]
    place = place_at(document, offset)
    if place is None or place.placed is None or place.value is None:
        return []
    found = list(tasks(place.placed.agent))
    own = [task.name for task in found if task.name_value is place.value]
    return [
        Highlight(inside(task.name_value).shift(place.start), gives=True)
        for task in found
        if task.name_value is not None and task.name in own
    ]

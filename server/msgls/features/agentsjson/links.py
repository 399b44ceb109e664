"""Links of ``agents.json``: the ``path`` of each agent, seen from the folder of the file."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.agentsjson.places import cell_of
from msgls.features.links import Link, PlacedLink
from msgls.features.proselinks import is_relative
from msgls.formats.agentsjson.cells import AgentsCell


def links(document: Document) -> Iterator[PlacedLink]:
    """Every path that leads to a file beside this one or below it."""
    first, cell = document.first_cell(), cell_of(document)
    if first is not None and cell is not None:
        for link in _links(cell):
            yield PlacedLink(first, link)


def _links(cell: AgentsCell) -> Iterator[Link]:
    for placed in cell.agents:
        member = placed.agent.value.member("path")
        target = None if member is None else placed.agent.string(member.value)
        if member is None or target is None or not is_relative(target):
            continue
        span = member.value.inside.shift(placed.start)
        # What is escaped is no path that could be written in its place as it is.
        if span.of(cell.text) == target:
            yield Link(span, target)

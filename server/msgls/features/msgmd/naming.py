"""Agents and tools by name: where a name is given, and where it is used.

Owns the search for them. What one name is registered as is an index look-up; where it is
used is found by one pass over the keys of the index, which holds the type of every
definition, so that only the cells which are meant are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.index import Index
from msgls.features.elsewhere import Elsewhere
from msgls.formats.base import Placed
from msgls.formats.msgmd.agents import agent_attribute, temporary_agents
from msgls.formats.msgmd.attributes import value_inside
from msgls.formats.msgmd.frontmatter import AgentEntry
from msgls.formats.msgmd.meaning import (
    TOOL,
    definition_of,
    frontmatter_of,
    is_language,
    is_registered,
)
from msgls.model.cells import Attribute, CellKind, Definition
from msgls.rules.base import Surroundings
from msgls.text.spans import Span

CELLS_AROUND = 200
"""How far a search goes that is made at every move of the cursor."""


class Held(NamedTuple):
    """A definition and the cell that holds it."""

    definition: Definition
    holder: Placed

    @property
    def type_span(self) -> Span:
        """Where its type stands, absolute."""
        span = self.definition.type_span or self.definition.id.span
        return span.shift(self.holder.start_offset)


class Registration(NamedTuple):
    """Where an agent is registered."""

    entry: AgentEntry | None
    """In the frontmatter, whose spans are absolute."""
    placed: Placed | None
    """By a cell."""
    span: Span
    """Its name, absolute."""


# Plain typing leaves the index as it is: the same object is asked again and again.
@lru_cache(maxsize=1)
def _names_in(index: Index) -> tuple[str, ...]:
    return tuple(sorted({name for relation, name in index if relation == "agent"}))


def agent_names(document: Document, other_agents: Collection[str] = ()) -> list[str]:
    """Every agent that is registered: in the frontmatter, by a cell, in ``agents.json``."""
    frontmatter = frontmatter_of(document)
    names = [agent.name for agent in frontmatter.agents] if frontmatter is not None else []
    found = [name for name in _names_in(document.index) if is_registered(document, name)]
    return list(dict.fromkeys([*names, *found, *sorted(other_agents)]))


def shared(document: Document, name: str, surroundings: Surroundings) -> Iterator[Elsewhere]:
    """The other files that say an agent's name, where ``agents.json`` registers it."""
    agents_file = surroundings.agents_file
    if not agents_file or name not in surroundings.other_agents:
        return
    yield Elsewhere(agents_file, name)
    for path in surroundings.registered_by(agents_file):
        if path != document.path:
            yield Elsewhere(path, name)


def registrations(document: Document, name: str) -> list[Registration]:
    """Where an agent is registered: in the frontmatter first, then by cells, in order."""
    found = [
        Registration(agent, None, agent.name_span) for agent in _in_frontmatter(document, name)
    ]
    for placed in temporary_agents(document, name):
        span = agent_name_span(document, placed)
        if span is not None:
            found.append(Registration(None, placed, span))
    return found


def _in_frontmatter(document: Document, name: str) -> list[AgentEntry]:
    frontmatter = frontmatter_of(document)
    if frontmatter is None:
        return []
    return [agent for agent in frontmatter.agents if agent.name == name]


def agent_name_span(document: Document, placed: Placed) -> Span | None:
    """Where the cell of a temporary agent says its name, absolute."""
    attribute = agent_attribute(document, placed)
    found = definition_of(document, placed)
    if attribute is None or found is None:
        return None
    return value_inside(attribute).shift(found[1].start_offset)


def agents_with_model(document: Document, model: str) -> list[str]:
    """The agents that have a model of that name."""
    entries = document.entries("model", model)
    return list(dict.fromkeys(str(name) for entry in entries for name in entry.payloads))


def answers(
    document: Document,
    name: str,
    other_agents: Collection[str] = (),
    near_offset: int | None = None,
) -> list[Held]:
    """The definitions of all outputs that the agent ``name`` gave, in order.

    With ``near_offset``, only those in the cells around it.
    """
    if name == TOOL:
        return []
    registered = is_registered(document, name) or name in other_agents
    # What is no agent's name may still be a language; of a run, nobody asks for the agent.
    no_runs = registered or not is_language(name)
    return [
        held
        for held in _typed(document, name, "", near_offset)
        if (no_runs or held.definition.id.text.count(".") != 1)
        and _is_output(document, held.definition.id.text, registered)
    ]


def _is_output(document: Document, cell_id: str, default: bool) -> bool:
    """Whether an output has that id; ``default`` where no cell has it."""
    headers = document.entries("header", cell_id)
    return any(CellKind.OUTPUT.value in entry.payloads for entry in headers) if headers else default


def calls(
    document: Document, tool: str, near_offset: int | None = None
) -> list[tuple[Held, Attribute]]:
    """The definitions of all calls of a tool with the attribute that names it, in order.

    With ``near_offset``, only those in the cells around it.
    """
    found = []
    # What is escaped in the file is not found there as it is.
    plain = "" if any(character in tool for character in "\"'\\") else tool
    for held in _typed(document, TOOL, plain, near_offset):
        attribute = held.definition.get("name")
        if attribute is not None and attribute.value == tool:
            found.append((held, attribute))
    return found


def _typed(document: Document, type: str, said: str, near_offset: int | None) -> Iterator[Held]:
    """Every definition of a type, in order, which says ``said`` somewhere."""
    if near_offset is None:
        holders = _all_holders(document, type, said)
    else:
        holders = _holders_around(document, near_offset, type, said)
    for holder in holders:
        for definition in holder.cell.definitions:
            if definition.type == type and definition.is_typed:
                yield Held(definition, holder)


def _all_holders(document: Document, type: str, said: str) -> Iterator[Placed]:
    orders = {
        entry.order
        for relation, cell_id in document.index
        if relation == "definition"
        for entry in document.entries(relation, cell_id)
        if _says(entry.payloads, type, said)
    }
    return map(document.cell, sorted(orders))


def _holders_around(document: Document, offset: int, type: str, said: str) -> Iterator[Placed]:
    middle = document.number_at_offset(offset) or 0
    first = max(middle - CELLS_AROUND, 0)
    for number in range(first, min(middle + CELLS_AROUND + 1, document.cell_count)):
        placed = document.cell_number(number)
        for (relation, _), payloads in placed.cell.facts.items():
            if relation == "definition" and _says(payloads, type, said):
                yield placed
                break


def _says(payloads: tuple[object, ...], type: str, said: str) -> bool:
    return any(
        isinstance(payload, tuple) and payload[0] == type and said in payload[1]
        for payload in payloads
    )

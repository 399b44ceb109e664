"""Agents and tools by name: where an agent is registered, and which cells may call a tool."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.index import Index
from msgls.formats.base import Placed
from msgls.formats.msgmd.agents import agent_attribute, temporary_agents
from msgls.formats.msgmd.attributes import value_inside
from msgls.formats.msgmd.frontmatter import AgentEntry
from msgls.formats.msgmd.meaning import (
    definition_of,
    frontmatter_of,
    is_registered,
)
from msgls.text.spans import Span


class Registration(NamedTuple):
    """Where an agent is registered."""

    entry: AgentEntry | None
    """In the frontmatter, whose spans are absolute."""
    placed: Placed | None
    """By a cell."""
    span: Span
    """Its name, absolute."""


# Typing in a body does not change the index: it is the same object again and again.
@lru_cache(maxsize=1)
def _names_in(index: Index) -> tuple[str, ...]:
    return tuple(sorted({*index.names("agent")}))


def agent_names(document: Document) -> list[str]:
    """Every registered agent: in the frontmatter, by a cell, in ``agents.json``."""
    frontmatter = frontmatter_of(document)
    names = [agent.name for agent in frontmatter.agents] if frontmatter is not None else []
    found = [name for name in _names_in(document.index) if is_registered(document, name)]
    return list(dict.fromkeys([*names, *found, *sorted(document.agents_around)]))


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
    """The span of the name in the cell of a temporary agent, absolute."""
    attribute = agent_attribute(document, placed)
    found = definition_of(document, placed)
    if attribute is None or found is None:
        return None
    return value_inside(attribute).shift(found[1].start_offset)


def agents_with_model(document: Document, model: str) -> list[str]:
    """The agents that have a model of that name."""
    entries = document.entries("model", model)
    return list(dict.fromkeys(str(name) for entry in entries for name in entry.payloads))


def is_registered_here(document: Document, name: str) -> bool:
    """Whether the document registers an agent of that name."""
    return bool(registrations(document, name))

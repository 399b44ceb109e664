"""Names and every place that says them: what references, highlights and renames share.

Owns the notion of a *name* under the cursor (the id of a cell, an agent, a tool) and the
search for its places. An id is said by its header, its definition, references in the
prose, and as the first part of the ids of its children.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.msgmd.naming import agents_with_model, answers, calls, registrations
from msgls.features.msgmd.places import IDS, Place, PlaceKind, owner_of, place_at
from msgls.formats.base import Placed
from msgls.formats.msgmd.agents import agent_attribute
from msgls.formats.msgmd.attributes import value_inside
from msgls.formats.msgmd.edits import descendant_ids
from msgls.formats.msgmd.meaning import TOOL, CellRole, frontmatter_of, meaning_of
from msgls.model.cells import CellKind
from msgls.text.spans import Span


class NameKind(Enum):
    """What has the name."""

    CELL = "cell"
    AGENT = "agent"
    TOOL = "tool"


class Name(NamedTuple):
    """A name under the cursor."""

    kind: NameKind
    text: str
    """The id up to the segment under the cursor, or the name."""
    place: Place
    segment: int = 0
    """Of an id: which of its segments the cursor is on."""

    @property
    def span(self) -> Span:
        """The piece under the cursor, absolute: of an id, the segment."""
        if self.kind is NameKind.CELL:
            return self.place.segment_span(self.segment)
        return self.place.span


class OccurrenceKind(Enum):
    """How a place says a name."""

    DECLARATION = "declaration"
    """A header; where an agent is registered."""
    DEFINITION = "definition"
    """The definition of a cell."""
    CHILD = "child"
    """The first part of a child's id, in its header or its definition."""
    MODEL = "model"
    """A model of an agent, by which the agent can be called too."""
    USE = "use"
    """In the prose; who answered; the tool that is called."""


class Occurrence(NamedTuple):
    """A place that says a name."""

    span: Span
    kind: OccurrenceKind


def name_at(document: Document, offset: int, others: Collection[str] = ()) -> Name | None:
    """The name at ``offset``."""
    place = place_at(document, offset)
    if place is None:
        return None
    if place.kind in IDS:
        segment = place.segment_at(offset)
        return Name(NameKind.CELL, place.prefix(segment), place, segment)
    if place.kind in (PlaceKind.AGENT, PlaceKind.DEFAULT_AGENT, PlaceKind.MODEL):
        return Name(NameKind.AGENT, place.text, place)
    owner = owner_of(document, place)
    if place.kind is PlaceKind.TYPE:
        return _agent_in_type(document, place, owner, others)
    if place.kind is PlaceKind.VALUE and place.attribute is not None:
        return _name_attribute(document, place, owner, others)
    return None


def _agent_in_type(
    document: Document, place: Place, owner: Placed | None, others: Collection[str]
) -> Name | None:
    if owner is None:
        is_agent = bool(registrations(document, place.text))
    else:
        role = meaning_of(document, owner).role
        is_agent = owner.cell.kind is CellKind.OUTPUT and role is CellRole.ANSWER
    return Name(NameKind.AGENT, place.text, place) if is_agent and place.text != TOOL else None


def _name_attribute(
    document: Document, place: Place, owner: Placed | None, others: Collection[str]
) -> Name | None:
    attribute, definition = place.attribute, place.definition
    if attribute is None or definition is None or attribute.key != "name" or not place.text:
        return None
    if owner is not None and agent_attribute(document, owner) == attribute:
        return Name(NameKind.AGENT, place.text, place)
    if definition.type == TOOL and definition.get("name") == attribute:
        return Name(NameKind.TOOL, place.text, place)
    return None


def occurrences(
    document: Document,
    name: Name,
    others: Collection[str] = (),
    near_offset: int | None = None,
) -> list[Occurrence]:
    """Every place that says ``name``, in order.

    With ``near_offset``, uses of agents and tools only around it: those may be in every cell.
    """
    if name.kind is NameKind.CELL:
        found = set(_of_cell(document, name.text))
    elif name.kind is NameKind.AGENT:
        found = set(_of_agent(document, name.text, others, near_offset))
    else:
        found = {
            Occurrence(value_inside(attribute).shift(held.holder.start_offset), OccurrenceKind.USE)
            for held, attribute in calls(document, name.text, near_offset)
        }
    return sorted(found, key=lambda occurrence: occurrence.span)


# ---------------------------------------------------------------------------
# Ids


def _of_cell(document: Document, cell_id: str) -> Iterator[Occurrence]:
    kinds = {
        "header": OccurrenceKind.DECLARATION,
        "definition": OccurrenceKind.DEFINITION,
        "footnote": OccurrenceKind.DEFINITION,
        "malformed": OccurrenceKind.DEFINITION,
        "reference": OccurrenceKind.USE,
    }
    for relation, kind in kinds.items():
        for span in id_spans(document, relation, cell_id):
            yield Occurrence(span, kind)
    for child in descendants(document, cell_id):
        for relation, kind in kinds.items():
            shown = OccurrenceKind.USE if kind is OccurrenceKind.USE else OccurrenceKind.CHILD
            for span in id_spans(document, relation, child):
                yield Occurrence(Span(span.start, span.start + len(cell_id)), shown)


def descendants(document: Document, cell_id: str) -> list[str]:
    """The ids of calls, results and runs below ``cell_id``."""
    return descendant_ids(document, cell_id)


def id_spans(document: Document, relation: str, cell_id: str) -> Iterator[Span]:
    """Where an id is said, by relation: ``header``, ``reference``, or one of definitions."""
    for entry in document.entries(relation, cell_id):
        placed = document.cell(entry.order)
        cell, base = placed.cell, placed.start_offset
        if relation == "header":
            if cell.header is not None and cell.header.id is not None:
                yield cell.header.id.span.shift(base)
            continue
        if relation == "reference":
            yield from (r.span.shift(base) for r in cell.references if r.text == cell_id)
            continue
        for definition in cell.definitions:
            if definition.id.text == cell_id:
                yield definition.id.span.shift(base)


# ---------------------------------------------------------------------------
# Agents


def agent_occurrences(
    document: Document, name: str, others: Collection[str] = ()
) -> list[Occurrence]:
    """Every place that says the name of an agent, in order."""
    found = set(_of_agent(document, name, others, None))
    return sorted(found, key=lambda occurrence: occurrence.span)


def _of_agent(
    document: Document, name: str, others: Collection[str], near_offset: int | None
) -> Iterator[Occurrence]:
    for registration in registrations(document, name):
        yield Occurrence(registration.span, OccurrenceKind.DECLARATION)
    frontmatter = frontmatter_of(document)
    default = None if frontmatter is None else frontmatter.default_agent
    if default is not None and default.text == name:
        yield Occurrence(default.span, OccurrenceKind.USE)
    if frontmatter is not None and agents_with_model(document, name):
        for agent in frontmatter.agents:
            for entry in agent.attributes:
                for node in entry.value.elements if entry.key == "models" else ():
                    if node.kind == "scalar" and node.text == name and not entry.value.is_alias:
                        yield Occurrence(node.span, OccurrenceKind.MODEL)
    for held in answers(document, name, others, near_offset):
        yield Occurrence(held.type_span, OccurrenceKind.USE)

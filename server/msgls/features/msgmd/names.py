"""Names in a message file that depend on other cells.

The type of a definition names an agent if its cell is an answer; an attribute ``name`` does if its
cell defines an agent. The ids of its descendants contain an id, too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.linked import Linked
from msgls.features.msgmd.naming import agents_with_model, is_registered_here
from msgls.features.msgmd.places import at_offset, owner_of_definition
from msgls.features.names import (
    Elsewhere,
    PlacedName,
    bare_name,
    declaring,
    places,
    places_of,
)
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.agents import agent_attribute
from msgls.formats.msgmd.meaning import definition_of, meaning_of
from msgls.syntax.cells import CellKind
from msgls.syntax.names import Name, NameKind, Use
from msgls.text.spans import Span

_WORD_PATTERN = r"[^\s\[\]^]*"


def counts(document: Document, found: PlacedName) -> bool:
    """Whether this is really a name in the document: that may depend on other cells."""
    placed, name = found
    if name.kind is NameKind.CELL:
        own = whole(found)
        return own.text == name.text or bool(document.entries("header", own.text))
    if name.kind is NameKind.MODEL:
        return bool(agents_with_model(document, name.text))
    if name.kind is not NameKind.AGENT or in_frontmatter(found):
        return True
    definition = at_offset(placed.cell.definitions, name.span.start)
    if definition is None:
        return False
    owner = owner_of_definition(document, placed, definition)
    if name.use is Use.DECLARES:
        return owner is not None and agent_attribute(document, owner) == definition.get("name")
    if owner is None:
        return is_registered_here(document, name.text)
    is_answer = meaning_of(document, owner).role is CellRole.ANSWER
    return is_answer and owner.cell.kind is CellKind.OUTPUT


def unindexed_name(document: Document, placed: Placed, at: int) -> PlacedName | None:
    """The first part of an id, even if no header has that id."""
    for name in reversed(placed.cell.names):
        if name.kind is NameKind.CELL and name.reach.contains(at):
            return PlacedName(placed, name)
    return None


def in_frontmatter(found: PlacedName) -> bool:
    """Whether a name is in the frontmatter."""
    frontmatter = found.placed.cell.frontmatter
    return frontmatter is not None and frontmatter.covers(found.name.span)


def whole(found: PlacedName) -> Name:
    """The name of the whole id that a name may be the first part of."""
    name = found.name
    if name.kind is not NameKind.CELL:
        return name
    names = found.placed.cell.names
    number = bisect_left(names, name.reach.start, key=lambda name: name.reach.start)
    # The names of the ancestors in an id come before its own, one for each segment.
    while number < len(names) and names[number].span.start == name.span.start:
        name = names[number]
        number += 1
    return name


def counterparts(document: Document, found: PlacedName) -> list[Span] | None:
    """From a header to its definition, from an agent to its answers."""
    name = found.name
    if name.kind is NameKind.CELL and name.use is Use.DECLARES:
        definition = definition_of(document, found.placed)
        return (
            None
            if definition is None
            else [definition[0].id.span.shift(definition[1].start_offset)]
        )
    if name.kind.family is not NameKind.AGENT:
        return None
    said = places(document, found)
    declared = declaring(said)
    if name.kind is NameKind.MODEL or found.span in declared:
        return [place.span for place in said if _is_type(place)]
    if declared:
        return declared
    owners = [bare_name(NameKind.AGENT, agent) for agent in agents_with_model(document, name.text)]
    return declaring([place for owner in owners for place in places_of(document, owner)])


def _is_type(place: PlacedName) -> bool:
    return place.name.use is Use.USES and not in_frontmatter(place)


def elsewhere(snapshot: Snapshot, found: PlacedName, uses: Collection[Use]) -> Iterator[Elsewhere]:
    """The entry of an agent in ``agents.json``, and the other message files that use that file."""
    name, agents_file = found.name, snapshot.surroundings.agents_file
    if name.kind.family is not NameKind.AGENT or not agents_file:
        return
    if name.text not in snapshot.surroundings.other_agents:
        return
    if Use.USES in uses or name.use is not Use.DECLARES:
        yield Elsewhere(agents_file, name.text)
    for path in snapshot.surroundings.registered_by(agents_file) if Use.USES in uses else ():
        if path != snapshot.document.path:
            yield Elsewhere(path, name.text)


def linked(document: Document, found: PlacedName) -> Linked | None:
    """The id in a header and in its definition; not one with children, which a rename changes."""
    name = whole(found)
    placed: Placed | None = found.placed
    if name.kind is not NameKind.CELL or name.use is Use.USES:
        return None
    if name.use is Use.DEFINES:
        definition = at_offset(found.placed.cell.definitions, name.span.start)
        placed = (
            None if definition is None else owner_of_definition(document, found.placed, definition)
        )
    header = None if placed is None else placed.cell.header
    if placed is None or header is None or header.id is None:
        return None
    counting = definition_of(document, placed)
    if counting is None or document.entries("child", name.text):
        return None
    own = name.span.shift(found.placed.start_offset)
    spans = (
        header.id.span.shift(placed.start_offset),
        counting[0].id.span.shift(counting[1].start_offset),
    )
    return Linked(tuple(sorted(spans)), _WORD_PATTERN) if own in spans else None

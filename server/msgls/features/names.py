"""The name under the cursor, and every place in the document that says it.

Highlight, references, definition, linked editing and rename are made of these two questions,
for every format. A cell knows the names that it says; the index knows which cells say one.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.syntax.names import Name, NameKind, Use
from msgls.text.spans import Span

CELLS_AROUND = 200
"""How many cells that use a name count on each side, where a cursor only moves."""


class PlacedName(NamedTuple):
    """A name and the cell that says it."""

    placed: Placed
    name: Name

    @property
    def span(self) -> Span:
        """Where the name is, absolute."""
        return self.name.span.shift(self.placed.start_offset)

    @property
    def segment(self) -> Span:
        """What of it the cursor is on, absolute."""
        return self.name.segment.shift(self.placed.start_offset)


def name_at(document: Document, offset: int) -> PlacedName | None:
    """The name at ``offset``."""
    placed = document.cell_at_offset(offset)
    if placed is None:
        return None
    at, language = offset - placed.start_offset, language_of(document)
    for name in reversed(placed.cell.names):
        if name.reach.contains(at) and language.counts(document, PlacedName(placed, name)):
            return PlacedName(placed, name)
    return language.unindexed_name(document, placed, at)


def places(
    document: Document, found: PlacedName, near_offset: int | None = None
) -> list[PlacedName]:
    """Every place that says the same name, in order.

    With ``near_offset``, a name that very many cells use is looked for only around it.
    """
    named = places_of(document, found.name, near_offset)
    spans = {place.span for place in named}
    # A place that the index does not know is still one where the cursor is on it.
    return named if found.span in spans else sorted([*named, found], key=_span)


def places_of(document: Document, wanted: Name, near_offset: int | None = None) -> list[PlacedName]:
    """Every place that the index knows to say a name, in order."""
    language = language_of(document)
    found: dict[Span, PlacedName] = {}
    for order in cells_saying(document, wanted, near_offset):
        placed = document.cell(order)
        for name in placed.cell.names:
            if name.is_same(wanted):
                place = PlacedName(placed, name)
                if language.counts(document, place):
                    found[place.span] = place
    return sorted(found.values(), key=_span)


def cells_saying(document: Document, name: Name, near_offset: int | None = None) -> set[int]:
    """The labels of the cells that may say a name; with ``near_offset``, of uses those around."""
    first = document.first_cell()
    if first is not None and document.cell_count == 1:
        return {first.order}
    here = None if near_offset is None else document.cell_at_offset(near_offset)
    found: set[int] = set()
    for text in (name.text, *language_of(document).longer_names(document, name)):
        for use, relation in name.kind.relations:
            entries = document.entries(relation, text)
            if here is not None and use is Use.USES and len(entries) > 2 * CELLS_AROUND:
                own = bisect_left(entries, here.order, key=lambda entry: entry.order)
                entries = entries[max(own - CELLS_AROUND, 0) : own + CELLS_AROUND + 1]
            found.update([entry.order for entry in entries])
    return found


def shared_places(document: Document, text: str) -> list[PlacedName]:
    """Where a document says a name that files share: of an agent, or of a message."""
    kind = language_of(document).shared_kind
    return [] if kind is None else places_of(document, bare_name(kind, text))


def declarations(document: Document, found: PlacedName) -> list[Span]:
    """Where the name is declared."""
    said = places(document, found)
    return [place.span for place in said if place.name.use is Use.DECLARES]


def bare_name(kind: NameKind, text: str) -> Name:
    """A name to look for, without a place of its own."""
    return Name(kind, text, Span(0, 0), Use.USES, Span(0, 0))


def _span(place: PlacedName) -> Span:
    return place.span


class Elsewhere(NamedTuple):
    """A name that another file says. Where it is there, that file's document knows."""

    path: str
    """As the surroundings of the document have it."""
    name: str

"""The name under the cursor, and every occurrence of it in the document.

Highlight, references, definition, linked editing and rename are built on these two, for every
format. A cell knows the names in it; the index knows in which cells a name occurs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.syntax.names import Name, NameKind, Use
from msgls.text.spans import Span

CELLS_AROUND = 200
"""How many uses of a name are looked for on each side, when the cursor only moves."""


class PlacedName(NamedTuple):
    """A name and the cell that it is in."""

    placed: Placed
    name: Name

    @property
    def span(self) -> Span:
        """Where the name is, absolute."""
        return self.name.span.shift(self.placed.start_offset)

    @property
    def segment(self) -> Span:
        """The part of it that the cursor is on, absolute."""
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
    """Every occurrence of the same name, in order.

    With ``near_offset``, a name that very many cells use is looked for only around it.
    """
    named = places_of(document, found.name, near_offset)
    spans = {place.span for place in named}
    # The name under the cursor counts even if it is not in the index.
    return named if found.span in spans else sorted([*named, found], key=_span)


def places_of(document: Document, wanted: Name, near_offset: int | None = None) -> list[PlacedName]:
    """Every occurrence of a name in the index, in order."""
    language = language_of(document)
    found: dict[Span, PlacedName] = {}
    for label in cells_with_name(document, wanted, near_offset):
        placed = document.cell(label)
        for name in placed.cell.names:
            if name.is_same(wanted):
                place = PlacedName(placed, name)
                if language.counts(document, place):
                    found[place.span] = place
    return sorted(found.values(), key=_span)


def cells_with_name(document: Document, name: Name, near_offset: int | None = None) -> set[int]:
    """The labels of the cells where a name may occur; with ``near_offset``, only uses near it."""
    first = document.first_cell()
    if first is not None and document.cell_count == 1:
        return {first.label}
    here = None if near_offset is None else document.cell_at_offset(near_offset)
    found: set[int] = set()
    for text in (name.text, *language_of(document).longer_names(document, name)):
        for use, relation in name.kind.relations:
            entries = document.entries(relation, text)
            if here is not None and use is Use.USES and len(entries) > 2 * CELLS_AROUND:
                own = bisect_left(entries, here.label, key=lambda entry: entry.label)
                entries = entries[max(own - CELLS_AROUND, 0) : own + CELLS_AROUND + 1]
            found.update([entry.label for entry in entries])
    return found


def shared_places(document: Document, text: str) -> list[PlacedName]:
    """The occurrences of a name that files share: of an agent, or of a message."""
    kind = language_of(document).shared_kind
    return [] if kind is None else places_of(document, bare_name(kind, text))


def declarations(document: Document, found: PlacedName) -> list[Span]:
    """Where the name is declared."""
    return declaring(places(document, found))


def declaring(found: Iterable[PlacedName]) -> list[Span]:
    """The places that declare a name, of these."""
    return [place.span for place in found if place.name.use is Use.DECLARES]


def bare_name(kind: NameKind, text: str) -> Name:
    """A name to look for, without a place of its own."""
    return Name(kind, text, Span(0, 0), Use.USES, Span(0, 0))


def _span(place: PlacedName) -> Span:
    return place.span


class Elsewhere(NamedTuple):
    """A name that occurs in another file; that file must be opened to find the places."""

    path: str
    """The path of the file, in the form that the document's surroundings use."""
    name: str

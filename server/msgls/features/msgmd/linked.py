"""Linked editing in a message file: a header and its definition have the same id.

An id that others are made of is left to the rename, which changes all of them.
"""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.linked import Linked
from msgls.features.msgmd.places import Place, PlaceKind, owner_of, place_at
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import definition_of

WORD_PATTERN = r"[^\s\[\]^]*"
"""What may be typed into an id; anything else ends the linked editing."""


def linked(document: Document, offset: int) -> Linked | None:
    """The places that are to change with the one at ``offset``."""
    place = place_at(document, offset)
    if place is None or not place.span.contains(offset):
        return None
    placed = _cell(document, place)
    if placed is None or placed.cell.header is None or placed.cell.header.id is None:
        return None
    if document.entries("child", placed.cell.header.id.text):
        # Calls, results and runs have this id in theirs: a rename takes them along, this cannot.
        return None
    found = definition_of(document, placed)
    if found is None:
        return None
    definition, holder = found
    header_span = placed.cell.header.id.span.shift(placed.start_offset)
    definition_span = definition.id.span.shift(holder.start_offset)
    if place.span not in (header_span, definition_span):
        return None
    return Linked(tuple(sorted((header_span, definition_span))), WORD_PATTERN)


def _cell(document: Document, place: Place) -> Placed | None:
    if place.kind is PlaceKind.HEADER_ID:
        return place.placed
    return owner_of(document, place) if place.kind is PlaceKind.DEFINITION_ID else None

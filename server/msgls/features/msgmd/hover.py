"""Hover in a message file.

Owns the choice of what is shown where; the texts are in ``describe``. Reads one cell and a few
entries of the index, however large the document is.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.describe import agent_attribute_parts, rule_parts
from msgls.features.hover import Hover
from msgls.features.markup import Block, Code, Part, Strong, paragraph
from msgls.features.msgmd.describe import (
    agent_parts,
    attribute_parts,
    cell_parts,
    frontmatter_key_parts,
    nonce_parts,
    preview_parts,
    type_parts,
)
from msgls.features.msgmd.places import IDS, Place, PlaceKind, owner_of, place_at
from msgls.formats.base import CellRole
from msgls.formats.msgmd.agents import agent_attribute
from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.formats.msgmd.meaning import meaning_of
from msgls.syntax.cells import DefinitionHead
from msgls.text.phrases import Phrase


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover at ``offset``."""
    document = snapshot.document
    place = place_at(document, offset)
    if place is None:
        return None
    span = place.span
    if place.kind in IDS:
        segment = place.segment_at(offset)
        span = place.segment_span(segment)
        parts = tuple(_of_id(snapshot, place, segment))
    else:
        parts = tuple(_of(snapshot, place))
    return Hover(span, parts) if parts else None


def _of(snapshot: Snapshot, place: Place) -> Iterable[Part]:
    document, kind = snapshot.document, place.kind
    if kind in (PlaceKind.MARKER, PlaceKind.TITLE):
        return cell_parts(snapshot, place.placed)
    if kind is PlaceKind.TYPE:
        return type_parts(document, place.text)
    if kind in (PlaceKind.KEY, PlaceKind.VALUE):
        return _of_attribute(document, place)
    if kind is PlaceKind.RULE:
        return rule_parts(place.text)
    if kind in (PlaceKind.AGENT, PlaceKind.DEFAULT_AGENT, PlaceKind.MODEL):
        return agent_parts(document, place.text)
    if kind is PlaceKind.AGENT_ATTRIBUTE:
        return agent_attribute_parts(place.text)
    return frontmatter_key_parts(place.text)


def _of_attribute(document: Document, place: Place) -> Iterable[Part]:
    attribute, definition = place.attribute, place.definition
    if attribute is None or definition is None:
        return ()
    owner = owner_of(document, place)
    is_name = place.kind is PlaceKind.VALUE and attribute.key == "name"
    if is_name and owner is not None and agent_attribute(document, owner) == attribute:
        return agent_parts(document, attribute.value)
    spec = ATTRIBUTES.get(attribute.key)
    if spec is None:
        return ()
    role = None if owner is None else meaning_of(document, owner).role
    return attribute_parts(spec, role)


def _of_id(snapshot: Snapshot, place: Place, segment: int) -> Iterable[Part]:
    """The cell that an id names, up to the segment under the cursor."""
    document = snapshot.document
    name = place.prefix(segment)
    if segment == 1 and _is_nonce(document, place):
        return nonce_parts(document, name)
    if place.kind is PlaceKind.HEADER_ID and name == place.text:
        return cell_parts(snapshot, place.placed)
    headers = document.entries("header", name)
    if headers:
        return preview_parts(document, document.cell(headers[0].label))
    return _footnote(document, place) if name == place.text else ()


def _is_nonce(document: Document, place: Place) -> bool:
    """Whether the second segment of an id is a nonce, as in calls and results."""
    if place.text.count(".") > 1:
        return True
    for entry in document.entries("header", place.text):
        role = meaning_of(document, document.cell(entry.label)).role
        return role is CellRole.CALL
    return place.definition is not None and place.definition.type == "tool"


def _footnote(document: Document, place: Place) -> Iterable[Part]:
    """The text of an ordinary footnote, for a reference to it."""
    if place.kind is not PlaceKind.REFERENCE:
        return
    for entry in document.entries("footnote", place.text)[:1]:
        cell = document.cell(entry.label).cell
        for definition in cell.definitions_of(place.text):
            if definition.head is DefinitionHead.PROSE:
                said = definition.span.of(cell.text).partition(":")[2].strip(" \t")
                yield from _footnote_parts(place.text, said)
                return


def _footnote_parts(name: str, said: str) -> Iterable[Part]:
    yield paragraph(Strong(Phrase("Footnote")), " ", Code(name))
    if said:
        yield Block(said)

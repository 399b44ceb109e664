"""What is at an offset of a message file; shared by hover, navigation and rename.

Owns the way from an offset to the piece of text under it: a marker, an id, a type, an attribute, a
key of the frontmatter. Reads only the cell around the offset. Spans are absolute.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, TypeVar

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgmd.attributes import value_inside
from msgls.formats.msgmd.frontmatter import (
    AgentEntry,
    Frontmatter,
    YamlEntry,
    parse_agent_block,
    parse_frontmatter,
)
from msgls.formats.msgmd.yamltree import YamlNode
from msgls.syntax.cells import Attribute, Definition, Header, Id, Suppression
from msgls.syntax.ids import CellId
from msgls.text.spans import Span

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]")
_IGNORE = re.compile(r"[ \t]*<!--[ \t]*msgls:[ \t]*ignore")


class PlaceKind(Enum):
    """The kind of a piece of text."""

    MARKER = "marker"
    TITLE = "title"
    HEADER_ID = "header id"
    DEFINITION_ID = "definition id"
    REFERENCE = "reference"
    TYPE = "type"
    KEY = "attribute key"
    VALUE = "attribute value"
    RULE = "rule"
    FRONTMATTER_KEY = "frontmatter key"
    AGENT = "agent"
    """The name of an agent in the frontmatter."""
    DEFAULT_AGENT = "default agent"
    AGENT_ATTRIBUTE = "agent attribute"
    MODEL = "model"


IDS = (PlaceKind.HEADER_ID, PlaceKind.DEFINITION_ID, PlaceKind.REFERENCE)


class Place(NamedTuple):
    """A piece of text, and what it belongs to."""

    kind: PlaceKind
    span: Span
    """Absolute."""
    text: str
    """An id, a type, a key, a value without quotes, a name, a code."""
    placed: Placed
    """The cell that it is in."""
    definition: Definition | None = None
    attribute: Attribute | None = None

    def segment_at(self, offset: int) -> int:
        """Of an id: the number of the segment around ``offset``."""
        return self.text.count(".", 0, max(offset - self.span.start, 0))

    def prefix(self, segment: int) -> str:
        """Of an id: its segments up to that one, which is the id of an ancestor or its own."""
        return ".".join(CellId(self.text).segments[: segment + 1])

    def segment_span(self, segment: int) -> Span:
        """Of an id: where a segment is."""
        end = self.span.start + len(self.prefix(segment))
        return Span(end - len(CellId(self.text).segments[segment]), end)


def place_at(document: Document, offset: int) -> Place | None:
    """What is at ``offset``, or right before it; ``None`` in content."""
    placed = document.cell_at_offset(offset)
    if placed is None:
        return None
    inside = offset - placed.start_offset
    cell = placed.cell
    found = None
    if cell.frontmatter is not None and cell.frontmatter.contains(inside):
        found = _in_frontmatter(placed, cell.frontmatter, inside)
    elif cell.header is not None and cell.header.span.contains(inside):
        found = _in_header(placed, cell.header, inside)
    else:
        found = _in_body(placed, inside)
    if found is None:
        return None
    return found._replace(span=found.span.shift(placed.start_offset))


def owner_of(document: Document, place: Place) -> Placed | None:
    """The cell that a definition belongs to: the one that it is in, else the first with its id."""
    if place.definition is None:
        return None
    return owner_of_definition(document, place.placed, place.definition)


def owner_of_definition(
    document: Document, holder: Placed, definition: Definition
) -> Placed | None:
    """The cell that a definition in ``holder`` belongs to."""
    if holder.cell.id == definition.id.text:
        return holder
    headers = document.entries("header", definition.id.text)
    return document.cell(headers[0].label) if headers else None


_Spanned = TypeVar("_Spanned", Definition, Id, Suppression)


def at_offset(parts: Sequence[_Spanned], offset: int) -> _Spanned | None:
    """The part around ``offset``, of those in order; of two that touch, the later one."""
    number = bisect_right(parts, offset, key=lambda part: part.span.start) - 1
    return parts[number] if number >= 0 and parts[number].span.contains(offset) else None


def _in_header(placed: Placed, header: Header, offset: int) -> Place | None:
    brackets = header.id_brackets
    if header.id is not None and brackets is not None and brackets.start < offset <= brackets.end:
        return Place(PlaceKind.HEADER_ID, header.id.span, header.id.text, placed)
    text = placed.cell.text
    if header.title.start < header.title.end and header.title.contains(offset):
        return Place(PlaceKind.TITLE, header.title, header.title.of(text), placed)
    if header.marker.contains(offset):
        return Place(PlaceKind.MARKER, header.marker, header.marker.of(text), placed)
    return None


def _in_body(placed: Placed, offset: int) -> Place | None:
    cell = placed.cell
    definition = at_offset(cell.definitions, offset)
    if definition is not None:
        found = _in_definition(placed, definition, offset)
        if found is not None:
            return found
    reference = at_offset(cell.references, offset)
    if reference is not None:
        return Place(PlaceKind.REFERENCE, reference.span, reference.text, placed)
    suppression = at_offset(cell.suppressions, offset)
    if suppression is not None:
        return _code(placed, suppression, offset)
    block = cell.agent_block
    if block is not None and block.contains(offset):
        attributes = parse_agent_block(block.of(cell.text)).attributes
        return _agent_attribute(placed, attributes, offset, block.start)
    return None


def _in_definition(placed: Placed, definition: Definition, offset: int) -> Place | None:
    if definition.id.span.contains(offset):
        kind = PlaceKind.DEFINITION_ID
        return Place(kind, definition.id.span, definition.id.text, placed, definition)
    if definition.type_span is not None and definition.type_span.contains(offset):
        kind, name = PlaceKind.TYPE, definition.type or ""
        return Place(kind, definition.type_span, name, placed, definition)
    for attribute in definition.attributes:
        if not attribute.span.contains(offset):
            continue
        # Blanks around the `=` are an error, and belong to neither; there the key is found.
        if offset <= attribute.key_span.end or offset < attribute.value_span.start:
            kind, span, said = PlaceKind.KEY, attribute.key_span, attribute.key
        else:
            kind, span, said = PlaceKind.VALUE, value_inside(attribute), attribute.value
        return Place(kind, span, said, placed, definition, attribute)
    return None


def _code(placed: Placed, suppression: Suppression, offset: int) -> Place | None:
    ignore = _IGNORE.match(placed.cell.text, *suppression.span)
    start = suppression.span.start if ignore is None else ignore.end()
    for match in _CODE.finditer(placed.cell.text, start, suppression.span.end):
        if match.start() <= offset <= match.end():
            return Place(PlaceKind.RULE, Span(*match.span()), match.group(), placed)
    return None


# ---------------------------------------------------------------------------
# YAML. The frontmatter starts its cell, so its spans are relative to the cell.


def _in_frontmatter(placed: Placed, span: Span, offset: int) -> Place | None:
    text = span.of(placed.cell.text)
    frontmatter = parse_frontmatter(text, placed.cell.frontmatter_closed)
    default = frontmatter.default_agent
    if default is not None and default.span.contains(offset):
        return Place(PlaceKind.DEFAULT_AGENT, default.span, default.text, placed)
    for agent in frontmatter.agents:
        if agent.name_span.contains(offset):
            return Place(PlaceKind.AGENT, agent.name_span, agent.name, placed)
        if agent.span.contains(offset):
            return _in_agent(placed, agent, offset)
    return _top_key(placed, frontmatter, offset)


def _in_agent(placed: Placed, agent: AgentEntry, offset: int) -> Place | None:
    for entry in agent.attributes:
        if entry.key == "models" and entry.value.span.contains(offset):
            return _model(placed, entry.value, offset)
    return _agent_attribute(placed, agent.attributes, offset, 0)


def _model(placed: Placed, models: YamlNode, offset: int) -> Place | None:
    for node in models.elements:
        if node.kind == "scalar" and node.span.contains(offset):
            return Place(PlaceKind.MODEL, node.span, node.text, placed)
    return None


def _agent_attribute(
    placed: Placed, attributes: Sequence[YamlEntry], offset: int, base: int
) -> Place | None:
    for entry in attributes:
        if entry.key_span.contains(offset - base):
            span = entry.key_span.shift(base)
            return Place(PlaceKind.AGENT_ATTRIBUTE, span, entry.key, placed)
    return None


def _top_key(placed: Placed, frontmatter: Frontmatter, offset: int) -> Place | None:
    for entry in frontmatter.entries:
        if entry.key_span.contains(offset):
            return Place(PlaceKind.FRONTMATTER_KEY, entry.key_span, entry.key, placed)
    return None

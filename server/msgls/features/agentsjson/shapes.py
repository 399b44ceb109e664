"""The expected type of each value in ``agents.json``, by its path.

Hovers and completions have no texts of their own: descriptions, types and required keys all come
from the pydantic models, by way of their JSON Schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.features.markup import Code, Part, Run, Strong, item, joined, paragraph
from msgls.formats.agentsjson.cells import AgentsCell, PlacedAgent
from msgls.formats.jsontree import JsonTree, JsonValue, Member, Path
from msgls.formats.wiremodel import alternatives
from msgls.syntax.names import NameKind
from msgls.text.phrases import Phrase, as_phrase
from msgls.text.spans import Span

_WORDS = {
    "string": Phrase("text"),
    "boolean": Phrase("switch"),
    "array": Phrase("list"),
    "object": Phrase("object"),
}


class Shape(NamedTuple):
    """The expected type of a value."""

    schema: Mapping[str, Any]
    is_required: bool = False

    @property
    def kind(self) -> str:
        """``string``, ``boolean``, ``array`` or ``object``; empty if any value is valid."""
        return str(self.schema.get("type", ""))

    @property
    def description(self) -> Phrase:
        """What it means."""
        return as_phrase(self.schema.get("description", ""))

    @property
    def values(self) -> tuple[str, ...]:
        """The strings that it may be, if they can be listed."""
        return tuple(self.schema.get("examples", ()))

    @property
    def keys(self) -> Mapping[str, Shape]:
        """The known keys of an object, in the order of the models."""
        return _keys(str(self.schema.get("title"))) if "properties" in self.schema else {}

    @property
    def items(self) -> Shape | None:
        """The shape of the items of a list."""
        found = self.schema.get("items")
        return None if found is None else Shape(_resolved(found))

    @property
    def type(self) -> Phrase:
        """Its type in a word or two."""
        if self.kind == "array" and self.items is not None and self.items.kind == "object":
            return Phrase("list of objects")
        return _WORDS.get(self.kind, Phrase("anything"))


@cache
def _schema() -> Mapping[str, Any]:
    # Imported late: it loads pydantic.
    from msgls.formats.agentsjson.boot import agents_json_schema

    return agents_json_schema()


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with its references resolved, and without the null for a missing value."""
    options = alternatives(schema, _schema()["$defs"])
    found = next(option for option in options if option.get("type") != "null")
    own = {key: value for key, value in schema.items() if key not in ("anyOf", "$ref")}
    description = own.get("description", found.get("description", ""))
    return {**own, **found, "description": description}


@cache
def _keys(title: str) -> Mapping[str, Shape]:
    """The keys of a model."""
    schema = _schema()
    model = schema if title == schema["title"] else schema["$defs"][title]
    required = model.get("required", ())
    return {
        key: Shape(_resolved(found), key in required) for key, found in model["properties"].items()
    }


def shape_at(path: Path) -> Shape | None:
    """The shape of the value at a path; ``None`` if the models do not define it."""
    shape: Shape | None = Shape(_resolved(_schema()))
    for step in path:
        if shape is None:
            return None
        shape = shape.items if isinstance(step, int) else shape.keys.get(step)
    return shape


def key_parts(path: Path) -> Iterator[Part]:
    """The description of a key; nothing if the models do not know it."""
    shape = shape_at(path)
    if shape is None or not path:
        return
    yield paragraph(Strong(Phrase("Key")), " ", Code(str(path[-1])))
    if shape.description:
        yield paragraph(shape.description)
    values: list[Run] = [Code(value) for value in shape.values]
    if shape.kind == "boolean":
        values = [Code("true"), Code("false")]
    yield item(Phrase("Value: "), *(joined(values, Phrase(" or ")) if values else [shape.type]))
    if shape.is_required:
        yield item(Phrase("Required"))


# -- What is at an offset of ``agents.json``: from the cursor to keys, values and agents.
# If the cursor is in an agent, only that one is parsed, so that the time depends on its length
# alone; outside of all agents, the whole file is. Spans are absolute: the file is one cell.


class Step(NamedTuple):
    """A value on the way down to a place, and the key before it."""

    step: str | int
    member: Member | None
    value: JsonValue


class Place(NamedTuple):
    """Where the cursor is."""

    path: Path
    """From the top of the file."""
    steps: tuple[Step, ...]
    """From the root of the tree, outer ones first; spans are relative to ``start``."""
    root: JsonValue | None
    start: int
    offset: int
    placed: PlacedAgent | None
    """The agent that the cursor is in."""

    @property
    def key_span(self) -> Span | None:
        """The key under the cursor, if it is on one."""
        member = self.steps[-1].member if self.steps else None
        if member is None or not member.key_span.contains(self.offset - self.start):
            return None
        return member.key_span.shift(self.start)

    @property
    def value(self) -> JsonValue | None:
        """The innermost value around the cursor, if it is neither on a key nor after one."""
        value = self.steps[-1].value if self.steps else self.root
        if value is None or self.key_span is not None:
            return None
        return value if value.span.contains(self.offset - self.start) else None


def cell_of(document: Document) -> AgentsCell | None:
    """The one cell of the file."""
    first = document.first_cell()
    return first.cell if first is not None and isinstance(first.cell, AgentsCell) else None


def agent_around(cell: AgentsCell, offset: int) -> PlacedAgent | None:
    """The agent that a cursor is in; between two that touch, the later one."""
    found = [placed for placed in cell.agents if placed.span.contains(offset)]
    return found[-1] if found else None


def place_at(document: Document, offset: int) -> Place | None:
    """The item at ``offset``."""
    cell = cell_of(document)
    if cell is None:
        return None
    placed = agent_around(cell, offset)
    if placed is None:
        return _place(cell.tree, (), 0, offset, None)
    return _place(placed.agent.tree, placed.path, placed.start, offset, placed)


def _place(
    tree: JsonTree, prefix: Path, start: int, offset: int, placed: PlacedAgent | None
) -> Place:
    at = offset - start
    steps: list[Step] = []
    root = next((root for root in tree.roots if root.span.contains(at)), None)
    value = root
    while value is not None:
        inner = _inner(value, at)
        if inner is None:
            break
        steps.append(inner)
        value = inner.value
    path = (*prefix, *[step.step for step in steps])
    return Place(path, tuple(steps), root, start, offset, placed)


def _inner(value: JsonValue, at: int) -> Step | None:
    for member in value.members:
        if member.span.contains(at):
            return Step(member.key, member, member.value)
    for number, element in enumerate(value.items):
        if element.span.contains(at):
            return Step(number, None, element)
    return None


# -- agents -------------------------------------------------------------------------------


class Named(NamedTuple):
    """The name of an agent under the cursor."""

    text: str
    span: Span
    """Without quotes."""


def agent_name_at(document: Document, offset: int) -> Named | None:
    """The name of the agent, where the cursor is on it."""
    cell = cell_of(document)
    for name in () if cell is None else cell.names:
        if name.kind is NameKind.AGENT and name.reach.contains(offset):
            return Named(name.text, name.span)
    return None

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
from msgls.formats.jsontree import Path
from msgls.formats.wiremodel import alternatives
from msgls.text.phrases import Phrase, as_phrase

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


# -- What is at an offset of ``agents.json``.


def cell_of(document: Document) -> AgentsCell | None:
    """The one cell of the file."""
    first = document.first_cell()
    return first.cell if first is not None and isinstance(first.cell, AgentsCell) else None


def agent_around(cell: AgentsCell, offset: int) -> PlacedAgent | None:
    """The agent that a cursor is in; between two that touch, the later one."""
    found = [placed for placed in cell.agents if placed.span.contains(offset)]
    return found[-1] if found else None


def text_around(cell: AgentsCell, placed: PlacedAgent | None) -> tuple[str, int, Path]:
    """The text to parse for a place, its start and its path: of an agent, else of the whole file.

    So the time depends on the length of that agent alone.
    """
    if placed is None:
        return cell.text, 0, ()
    return placed.agent.text, placed.start, placed.path

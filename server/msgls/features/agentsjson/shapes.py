"""What the models say of each place in ``agents.json``: the JSON Schema of them, by path.

Hovers and completions have no words of their own: description, type and what is required all
come from the pydantic models, by way of the schema that is made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from msgls.features.markup import Code, Part, Run, Strong, item, joined, paragraph
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase, as_phrase

_WORDS = {
    "string": Phrase("text"),
    "boolean": Phrase("switch"),
    "array": Phrase("list"),
    "object": Phrase("object"),
}


class Shape(NamedTuple):
    """What a value should be."""

    schema: Mapping[str, Any]
    is_required: bool = False

    @property
    def kind(self) -> str:
        """``string``, ``boolean``, ``array`` or ``object``; empty where anything will do."""
        return str(self.schema.get("type", ""))

    @property
    def description(self) -> Phrase:
        """What it means."""
        return as_phrase(self.schema.get("description", ""))

    @property
    def values(self) -> tuple[str, ...]:
        """The texts that it may be, where those can be listed."""
        return tuple(self.schema.get("examples", ()))

    @property
    def keys(self) -> Mapping[str, Shape]:
        """The known keys of an object, in the order of the models."""
        return _keys(str(self.schema.get("title"))) if "properties" in self.schema else {}

    @property
    def items(self) -> Shape | None:
        """What each item of a list should be."""
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
    # Late: it brings pydantic along.
    from msgls.formats.agentsjson.boot import agents_json_schema

    return agents_json_schema()


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema without references, and without the null that stands for what is left out."""
    found = dict(schema)
    for option in found.pop("anyOf", ()):
        if option.get("type") != "null":
            found = {**option, **found}
    reference = found.pop("$ref", None)
    if reference is None:
        return found
    model = _schema()["$defs"][str(reference).rpartition("/")[2]]
    return {**model, "description": found.get("description", model["description"])}


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
    """What should stand at a place; nothing where the models look no further."""
    shape: Shape | None = Shape(_resolved(_schema()))
    for step in path:
        if shape is None:
            return None
        shape = shape.items if isinstance(step, int) else shape.keys.get(step)
    return shape


def key_parts(path: Path) -> Iterator[Part]:
    """What a key means; nothing for one that the models do not know."""
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

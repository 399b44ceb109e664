"""The base of every model of JSON objects: strict, frozen, and keeping the keys it does not know.

Importing this module imports pydantic: what reads text imports it late.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetPydanticSchema
from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from typing import Self


class WireModel(BaseModel):
    """A frozen object of the wire, with the keys that it does not know."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="allow",
        frozen=True,
        strict=True,
    )

    @classmethod
    def from_wire(cls, wire: object) -> Self:
        """The model of parsed JSON data; raises ``ValidationError``.

        Only the wire's own names count: ``mime_type`` is an unknown key here,
        kept as such, and not another spelling of ``mimeType``.
        """
        return cls.model_validate(wire, by_alias=True, by_name=False)

    def to_wire(self) -> dict[str, Any]:
        """JSON data with camelCase keys, sharing nothing that can be changed with the model.

        Optional fields that are ``None`` are left out. A ``None`` anywhere else
        (inside ``arguments``, as the value of an unknown key) is data and stays.
        """
        wire = _wire_level(self)
        # A stack and not recursion: arguments may be nested deeper than Python's own limit.
        todo: list[dict[str, Any] | list[Any]] = [wire]
        while todo:
            container = todo.pop()
            for key, value in _items(container):
                if isinstance(value, str):  # The most frequent by far, and the others are slow.
                    continue
                if isinstance(value, WireModel):
                    level: dict[str, Any] | list[Any] = _wire_level(value)
                elif isinstance(value, Mapping):
                    level = dict(value)
                elif isinstance(value, (list, tuple)):
                    level = list(value)
                else:
                    continue
                container[key] = level
                todo.append(level)
        return wire


def _items(container: dict[str, Any] | list[Any]) -> list[tuple[Any, Any]]:
    """Keys or indices with their values, as a list, so that the values can be replaced."""
    return list(container.items() if isinstance(container, dict) else enumerate(container))


@cache
def _wire_fields(model: type[WireModel]) -> tuple[tuple[str, str, bool], ...]:
    """Name, name on the wire and whether it is required, of each field in order."""
    return tuple(
        (name, field.alias or name, field.is_required())
        for name, field in model.model_fields.items()
    )


def _wire_level(model: WireModel) -> dict[str, Any]:
    """The model's own keys; what they hold is left as it is."""
    values = model.__dict__
    level = {
        alias: values[name]
        for name, alias, required in _wire_fields(type(model))
        if required or values[name] is not None
    }
    level.update(model.model_extra or {})
    return level


def _mapping_to_dict(value: object) -> object:
    """Any mapping counts as an object, and is held as a copy."""
    return dict(value) if isinstance(value, Mapping) else value


JsonObject: TypeAlias = Annotated[
    # Read-only to a type checker, and a dict when it runs.
    Mapping[str, Any],
    GetPydanticSchema(lambda _, handler: handler.generate_schema(dict[str, Any])),
    BeforeValidator(_mapping_to_dict),
]


def alternatives(
    schema: Mapping[str, Any], definitions: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """The schemas, without references, of which a value must fit one."""
    if "$ref" in schema:
        yield from alternatives(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    elif "type" not in schema and ("anyOf" in schema or "oneOf" in schema):
        for option in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from alternatives(option, definitions)
    else:
        yield schema

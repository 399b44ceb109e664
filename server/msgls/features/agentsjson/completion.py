"""Completion in ``agents.json``: missing keys, and values.

All of it comes from the models (``shapes``). A key is inserted with a value of its type, an object
with its required keys, and commas where they are needed; in half-written JSON, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.agentsjson.shapes import (
    Shape,
    agent_around,
    cell_of,
    key_parts,
    shape_at,
    text_around,
)
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.markup import Part
from msgls.features.snippets import choice, literal, plain
from msgls.formats.agentsjson.cells import AgentsCell
from msgls.formats.jsoncursor import KEY, VALUE, Spot, spot_at
from msgls.formats.jsontree import Path
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

# Keys that are inserted though the models do not require them: a boot message that is not virtual
# leaks into what the model sees, and a task without a name cannot be chosen.
_ALSO = {
    "AvailableTask": ("name",),
    "BootMessage": ("meta",),
    "BootMeta": ("isBootMessage", "isVirtual"),
}
_MUST_BE_TRUE = ("isBootMessage", "isVirtual")
# The path of an agent: the list, and a number in it.
_AGENT_DEPTH = 2


def complete(snapshot: Snapshot, offset: int) -> Completions:
    """The suggestions at ``offset``."""
    cell = cell_of(snapshot.document)
    if cell is None:
        return Completions()
    placed = agent_around(cell, offset)
    if placed is not None and placed.start == offset:
        placed = None
    text, base, prefix = text_around(cell, placed)
    cursor = _Cursor(spot_at(text, offset - base), prefix, text[: offset - base])
    found = list(_items(cursor))
    known = _offered_anyway(cell, cursor, offset) if found else ()
    return Completions(
        tuple(
            [
                item._replace(
                    edit=Edit(item.edit.span.shift(base), item.edit.text),
                    is_plain=item.label in known,
                )
                for item in found
            ]
        )
    )


def opens(snapshot: Snapshot, offset: int, character: str) -> bool:
    """Whether a list may open by itself: a quote begins a key, or one of few values."""
    return character == '"'


class _Cursor(NamedTuple):
    """A place in an agent, or in the file around the agents."""

    spot: Spot
    prefix: Path
    """The path in the file to the text that was parsed."""
    before: str
    """The text before the place."""

    @property
    def path(self) -> Path:
        """The path of the object or the list around the place."""
        return (*self.prefix, *self.spot.path)

    @property
    def typed(self) -> str:
        """What is typed before the place, with its quote."""
        return self.before[self.spot.span.start :]


def _items(cursor: _Cursor) -> Iterator[Item]:
    spot = cursor.spot
    if spot.is_closed or not spot.levels:
        return
    if spot.wants == KEY:
        yield from _keys(cursor)
    elif spot.wants == VALUE:
        yield from _values(cursor)


# -- keys ---------------------------------------------------------------------------------


def _keys(cursor: _Cursor) -> Iterator[Item]:
    """The keys that are not there yet, the required ones first."""
    spot, shape = cursor.spot, shape_at(cursor.path)
    keys = {} if shape is None else shape.keys
    for key in sorted(keys, key=lambda key: not keys[key].is_required):
        if key in spot.keys:
            continue
        snippet = literal(f'"{key}"')
        if spot.next != ":":
            snippet += ": " + _template(key, keys[key], count(1))
            snippet += "," if spot.is_followed else ""
        detail = keys[key].type
        if keys[key].is_required:
            detail = Phrase("{type}, required", type=detail)
        topic = ("key", "/".join([*map(str, cursor.path), key]))
        yield _item(cursor, key, ItemKind.KEY, snippet, detail, topic)


def _item(
    cursor: _Cursor,
    label: str,
    kind: ItemKind,
    snippet: str,
    detail: str,
    topic: tuple[str, str] | None = None,
) -> Item:
    edit = Edit(cursor.spot.span, plain(snippet))
    # An editor compares what is typed, including the opening quote. The closing quote matches
    # nothing, so that the list closes and Enter is a line break again.
    begun = None
    if label.startswith('"'):
        begun = label.removesuffix('"')
    elif cursor.typed.startswith('"'):
        begun = f'"{label}'
    return Item(label, kind, edit, detail, snippet, begun, topic)


def _template(key: str, shape: Shape, stops: Iterator[int]) -> str:
    """A value of that shape, in the snippet notation."""
    if shape.values:
        return f'"{choice(next(stops), shape.values)}"'
    if shape.kind == "string":
        return f'"${next(stops)}"'
    if shape.kind == "boolean":
        return "true" if key in _MUST_BE_TRUE else choice(next(stops), ("true", "false"))
    if shape.kind == "array":
        items = shape.items
        return "[" + (f"${next(stops)}" if items is None else _template("", items, stops)) + "]"
    if shape.kind == "object":
        return literal("{") + _members(shape, stops) + literal("}")
    return f"${{{next(stops)}:null}}"


def _members(shape: Shape, stops: Iterator[int]) -> str:
    """The members that a new object starts with."""
    also = _ALSO.get(str(shape.schema.get("title")), ())
    wanted = [key for key, found in shape.keys.items() if found.is_required or key in also]
    if not wanted:
        return f"${next(stops)}"
    return ", ".join([f'"{key}": {_template(key, shape.keys[key], stops)}' for key in wanted])


# -- values -------------------------------------------------------------------------------


def _values(cursor: _Cursor) -> Iterator[Item]:
    spot, typed = cursor.spot, cursor.typed
    shape = shape_at((*cursor.path, 0 if spot.key is None else spot.key))
    # VS Code requests completion at every letter of JSON, and selects the first item: Enter after
    # `true` would accept that.
    if shape is None or (typed and not typed.startswith('"')):
        return
    comma = "," if spot.is_followed else ""
    if shape.kind == "boolean":
        values = ["true", "false"]
    else:
        values = [f'"{value}"' for value in shape.values]
    for value in values:
        yield _item(cursor, value, ItemKind.VALUE, literal(value) + comma, "")
    if shape.kind in ("object", "array") and not typed:
        label = Phrase("new {what}", what=_named(spot, shape))
        template = _template(spot.key or "", shape, count(1)) + comma
        yield _item(cursor, label, ItemKind.VALUE, template, shape.description)


_NAMES = {
    "Agent": Phrase("agent"),
    "AvailableTask": Phrase("available task"),
    "Task": Phrase("task"),
}


def _named(spot: Spot, shape: Shape) -> str:
    """The name of an object or a list for the user."""
    if spot.key is not None:
        return spot.key
    return _NAMES.get(str(shape.schema.get("title")), shape.type)


# -- what a service for plain JSON suggests ------------------------------------------------


def _offered_anyway(cell: AgentsCell, cursor: _Cursor, offset: int) -> set[str]:
    """What a service for plain JSON suggests from similar objects of the same file.

    Without a schema it suggests the keys of the other items of a list and of other objects
    below the same key, and the values that the same key has elsewhere.
    """
    if cursor.spot.wants == KEY:
        return set(_known_keys(cell, cursor.path, offset))
    key = cursor.spot.key
    return set() if key is None else set(_known_values(cell, key, offset))


def _known_keys(cell: AgentsCell, path: Path, offset: int) -> Iterator[str]:
    parent = path[-1] if path else None
    for placed in cell.agents:
        at = offset - placed.start
        like = [placed.agent.value] if len(path) == _AGENT_DEPTH else []
        # The tree of each agent is cached: none of them is parsed again.
        for value in placed.agent.tree.walk() if not like else ():
            if isinstance(parent, str):
                like += [member.value for member in value.members if member.key == parent]
            elif any(item.span.contains(at) for item in value.items):
                like = value.items
        for value in like:
            if value.kind == "object" and not value.span.contains(at):
                yield from (member.key for member in value.members)


def _known_values(cell: AgentsCell, key: str, offset: int) -> Iterator[str]:
    for placed in cell.agents:
        for value in placed.agent.tree.walk():
            for member in value.members:
                if member.key != key or member.span.contains(offset - placed.start):
                    continue
                if member.value.kind in ("true", "false"):
                    yield from ("true", "false")
                elif member.value.kind == "string":
                    yield member.value.span.of(placed.agent.text)


# -- more about an item -------------------------------------------------------------------


def documentation(snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
    """The description of a key."""
    steps = topic[1].split("/") if topic[0] == "key" else []
    path: Path = tuple([int(step) if step.isdecimal() else step for step in steps])
    return tuple(key_parts(path))

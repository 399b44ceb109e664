"""Completion in ``agents.json``: the keys that are missing, and what a value may be.

All of it comes from the models (``shapes``). A key brings a value of its type along, what is
required in an object comes with it, and commas are put where they are needed; in half-written
JSON, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.agentsjson.shapes import Shape, agent_around, cell_of, key_parts, shape_at
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.markup import Part
from msgls.features.snippets import choice, literal, plain
from msgls.formats.agentsjson.cells import AgentsCell
from msgls.formats.jsontree import Path
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

# What comes along though the models do not require it: a boot message that is not virtual
# leaks into what the model sees, and a task without a name shows nothing to choose.
_ALSO = {
    "AvailableTask": ("name",),
    "BootMessage": ("meta",),
    "BootMeta": ("isBootMessage", "isVirtual"),
}
_MUST_BE_TRUE = ("isBootMessage", "isVirtual")
# The path of an agent: the list, and a number in it.
_AGENT_DEPTH = 2


def complete(snapshot: Snapshot, offset: int) -> Completions:
    """What can be typed at ``offset``."""
    cell = cell_of(snapshot.document)
    if cell is None:
        return Completions()
    placed = agent_around(cell, offset)
    base, text = 0, cell.text
    prefix: Path = ()
    if placed is not None and placed.start < offset:
        base, text, prefix = placed.start, placed.agent.text, placed.path
    spot = spot_at(text, offset - base, prefix)
    if spot is None:
        return Completions()
    found = list(_keys(spot) if spot.is_key else _values(spot))
    known = _offered_anyway(cell, spot, offset) if found else ()
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


# -- keys ---------------------------------------------------------------------------------


def _keys(spot: Spot) -> Iterator[Item]:
    """The keys that are not there yet, the required ones first."""
    shape = shape_at(spot.path)
    keys = {} if shape is None else shape.keys
    for key in sorted(keys, key=lambda key: not keys[key].is_required):
        if key in spot.keys:
            continue
        snippet = literal(f'"{key}"')
        if not spot.has_colon:
            snippet += ": " + _template(key, keys[key], _Stops())
            snippet += "," if spot.is_followed else ""
        detail = keys[key].type
        if keys[key].is_required:
            detail = Phrase("{type}, required", type=detail)
        topic = ("key", "/".join([*map(str, spot.path), key]))
        yield _item(spot, key, ItemKind.KEY, snippet, detail, topic)


def _item(
    spot: Spot,
    label: str,
    kind: ItemKind,
    snippet: str,
    detail: str,
    topic: tuple[str, str] | None = None,
) -> Item:
    edit = Edit(spot.span, plain(snippet))
    # An editor compares what is typed, the first quote included. Behind the second one the list
    # closes, so that Enter is Enter.
    begun = None
    if label.startswith('"'):
        begun = label.removesuffix('"')
    elif spot.typed.startswith('"'):
        begun = f'"{label}'
    return Item(label, kind, edit, detail, snippet, begun, topic)


class _Stops:
    """Numbers the places to fill in."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        self._last += 1
        return self._last


def _template(key: str, shape: Shape, stops: _Stops) -> str:
    """A value of that shape, in the snippet notation."""
    if shape.values:
        return f'"{choice(stops.next(), shape.values)}"'
    if shape.kind == "string":
        return f'"${stops.next()}"'
    if shape.kind == "boolean":
        return "true" if key in _MUST_BE_TRUE else choice(stops.next(), ("true", "false"))
    if shape.kind == "array":
        items = shape.items
        return "[" + (f"${stops.next()}" if items is None else _template("", items, stops)) + "]"
    if shape.kind == "object":
        return literal("{") + _members(shape, stops) + literal("}")
    return f"${{{stops.next()}:null}}"


def _members(shape: Shape, stops: _Stops) -> str:
    """What an object holds at the least."""
    also = _ALSO.get(str(shape.schema.get("title")), ())
    wanted = [key for key, found in shape.keys.items() if found.is_required or key in also]
    if not wanted:
        return f"${stops.next()}"
    return ", ".join([f'"{key}": {_template(key, shape.keys[key], stops)}' for key in wanted])


# -- values -------------------------------------------------------------------------------


def _values(spot: Spot) -> Iterator[Item]:
    shape = shape_at(spot.value_path)
    # VS Code asks at every letter of JSON, and chooses the first row: Enter behind `true` would
    # be taken for it.
    if shape is None or (spot.typed and not spot.typed.startswith('"')):
        return
    comma = "," if spot.is_followed else ""
    if shape.kind == "boolean":
        values = ["true", "false"]
    else:
        values = [f'"{value}"' for value in shape.values]
    for value in values:
        yield _item(spot, value, ItemKind.VALUE, literal(value) + comma, "")
    if shape.kind in ("object", "array") and not spot.typed:
        label = Phrase("new {what}", what=_named(spot, shape))
        template = _template(spot.key or "", shape, _Stops()) + comma
        yield _item(spot, label, ItemKind.VALUE, template, shape.description)


_NAMES = {
    "Agent": Phrase("agent"),
    "AvailableTask": Phrase("available task"),
    "Task": Phrase("task"),
}


def _named(spot: Spot, shape: Shape) -> str:
    """What an object or a list is called in words."""
    if spot.key is not None:
        return spot.key
    return _NAMES.get(str(shape.schema.get("title")), shape.type)


# -- what a JSON service offers by itself -------------------------------------------------


def _offered_anyway(cell: AgentsCell, spot: Spot, offset: int) -> set[str]:
    """What a service for plain JSON takes from like objects of the same file.

    Without a schema it offers the keys of the other items of a list and of other objects
    below the same key, and the values that the same key has elsewhere.
    """
    if spot.is_key:
        return set(_known_keys(cell, spot, offset))
    return set() if spot.key is None else set(_known_values(cell, spot.key, offset))


def _known_keys(cell: AgentsCell, spot: Spot, offset: int) -> Iterator[str]:
    parent = spot.path[-1] if spot.path else None
    for placed in cell.agents:
        at = offset - placed.start
        like = [placed.agent.value] if len(spot.path) == _AGENT_DEPTH else []
        # Each agent is remembered: this looks, and reads none of them again.
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
    """What a key means."""
    steps = topic[1].split("/") if topic[0] == "key" else []
    path: Path = tuple([int(step) if step.isdecimal() else step for step in steps])
    return tuple(key_parts(path))


# -- JSON that is being typed: whether a key or a value is wanted at the cursor, and what is there.
# Owns the reading of text before and behind a cursor token by token. A string ends at its line
# at the latest, so that a quote which is not closed yet hides nothing.

_TOKEN = lazy_pattern(
    r"""(?P<gap>[ \t\r\n\ufeff]+)"""
    r"""|(?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*")"""
    r"""|(?P<open>"(?:[^"\\\r\n]|\\[^\r\n])*\\?)"""
    r"""|(?P<mark>[{}\[\]:,])"""
    r"""|(?P<word>[^ \t\r\n\ufeff{}\[\]:,"]+)"""
)
# What is left of a string behind the cursor: only if it ends there, and a string is over there.
_REST_IN_QUOTES = lazy_pattern(r'(?P<word>[\w$.-]*)"(?=[ \t]*(?:[:,}\]\r\n]|\Z))')
_REST = lazy_pattern(r"[\w$.-]*")
_NEXT = lazy_pattern(r"[ \t\r\n]*(?P<mark>[^ \t\r\n]?)")
# Behind so many characters nobody looks for keys that are there already.
_FURTHEST = 20_000


class Spot(NamedTuple):
    """What is wanted at a cursor. Spans are relative to the text that was given."""

    path: Path
    """Where the object or the list is; 0 stands for any item of a list."""
    is_key: bool
    key: str | None
    """The key whose value is wanted; nothing in a list."""
    typed: str
    """What is typed of it, with its quote."""
    span: Span
    """What is there of it, before the cursor and behind it: what a completion replaces."""
    keys: frozenset[str]
    """The keys of the same object, without the one that is being typed."""
    is_followed: bool
    """Whether something comes next that needs a comma before it."""
    has_colon: bool
    """Whether a colon follows: the key has a value already."""

    @property
    def value_path(self) -> Path:
        """The path of the value that is wanted."""
        return (*self.path, 0 if self.key is None else self.key)


class _Frame:
    """An object or a list that is open at the cursor."""

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.wants = "key" if is_object else "value"
        self.key: str | None = None
        self.keys: set[str] = set()

    def take_string(self, said: str) -> None:
        if self.is_object and self.wants != "value":
            # A comma or a value before it may be missing; it is a key all the same.
            self.key, self.wants = said, "colon"
            self.keys.add(said)
        else:
            self.wants = "comma"

    def take_value(self) -> None:
        if self.wants == "value":
            self.wants = "comma"


def spot_at(text: str, offset: int, prefix: Path = ()) -> Spot | None:
    """What is wanted at ``offset``; ``prefix`` is the path of the text as a whole."""
    frames: list[_Frame] = []
    start = offset
    for match in _TOKEN.finditer(text, 0, offset):
        kind, token = match.lastgroup, match.group()
        is_typed = match.end() == offset and kind in ("open", "word")
        if is_typed:
            start = match.start()
        elif kind in ("string", "open"):
            if frames:
                frames[-1].take_string(token.strip('"'))
        elif kind == "word" and frames:
            frames[-1].take_value()
        elif kind == "mark":
            _follow(frames, token)
    return _spot(text, frames, Span(start, offset), prefix)


def _follow(frames: list[_Frame], mark: str) -> None:
    if mark in "{[":
        frames.append(_Frame(mark == "{"))
    elif mark in "}]":
        if frames:
            frames.pop()
        if frames:
            frames[-1].take_value()
    elif frames and mark == ":":
        frames[-1].wants = "value"
    elif frames and mark == ",":
        frames[-1].wants = "key" if frames[-1].is_object else "value"
        frames[-1].key = None


def _spot(text: str, frames: list[_Frame], typed: Span, prefix: Path) -> Spot | None:
    if not frames:
        return None
    frame, is_quoted = frames[-1], text.startswith('"', typed.start) and typed.end > typed.start
    # A quote where a comma should be is the start of a key; anything else there is not.
    is_key = frame.is_object and (
        frame.wants == "key" or (frame.wants in ("comma", "colon") and is_quoted)
    )
    if not is_key and frame.wants != "value":
        return None
    end = _end(text, typed.end, is_quoted)
    following = _NEXT.match(text, end)
    mark = "" if following is None else following["mark"]
    keys = frame.keys | _keys_behind(text, end) if is_key else frame.keys
    path = [0 if other.key is None else other.key for other in frames[:-1]]
    return Spot(
        (*prefix, *path),
        is_key,
        None if is_key else frame.key,
        typed.of(text),
        Span(typed.start, end),
        frozenset(keys),
        mark not in ("", ",", "}", "]", ":"),
        mark == ":",
    )


def _end(text: str, offset: int, is_quoted: bool) -> int:
    """The end of the word or string that the cursor is in."""
    match = _REST_IN_QUOTES.match(text, offset) if is_quoted else None
    match = match or _REST.match(text, offset)
    return offset if match is None else match.end()


def _keys_behind(text: str, offset: int) -> set[str]:
    """The keys that follow in the same object."""
    found: set[str] = set()
    depth, said = 0, ""
    for match in _TOKEN.finditer(text, offset, offset + _FURTHEST):
        kind, token = match.lastgroup, match.group()
        if kind == "gap":
            continue
        if token in ("{", "["):
            depth += 1
        elif token in ("}", "]"):
            depth -= 1
        elif token == ":" and said and not depth:
            found.add(said)
        if depth < 0:
            break
        said = token.strip('"') if kind == "string" else ""
    return found

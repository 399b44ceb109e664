"""Completion in a Simple Text Format file.

Owns the choice of suggestions by place. It reads the line up to the cursor as text, because a line
that is being typed seldom parses; from the document it needs only the cell, some cells before it,
and the index.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.describe import rule_parts
from msgls.features.markup import Part
from msgls.features.snippets import plain
from msgls.features.stf.cells import calls_before, names_before, next_id, templates
from msgls.features.stf.hover import (
    RAW_KEYS,
    argument_parts,
    call_parts,
    command_parts,
    raw_key_parts,
    role_parts,
    summary_of,
)
from msgls.features.stf.meaning import named_call, role_of
from msgls.features.stf.places import Cursor, LineKind
from msgls.features.stf.rename import rewritten
from msgls.formats.jsoncursor import JSON5_TOKEN, KEY, VALUE, spot_at
from msgls.formats.stf.arguments import parse_arguments, quote
from msgls.formats.stf.cells import IdKind, arguments_of
from msgls.formats.stf.commands import COMMANDS, END, MESSAGE_ARGUMENTS, ROLES, Mode, Spec
from msgls.text.phrases import Phrase

_WORD = re.compile(r"([@;])[ \t]*([^ \t{@;]*)")
_LINE = re.compile(r"([@;])[ \t]*([^ \t{@;#/*][^ \t{]*)((?:[ \t]|\{).*)")
_PRAGMA = re.compile(
    r"[@;][ \t]*(?:#|//)+[ \t]*msgls:[ \t]*ignore[ \t]+(?:[A-Z0-9]+[, \t]+)*([A-Za-z0-9]*)"
)
_PAIR = (
    r"[^ \t=\"'{}\[\],]+[ \t]*=[ \t]*(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[^ \t\"'][^ \t]*)"
)
_JUNK = r"[^ \t=\"']+(?=[ \t]+(?:[^ \t=]|\Z))"
_DONE = re.compile(rf"[ \t]*(?:(?:{_PAIR}|{_JUNK})[ \t]+)*")
_KEY = re.compile(r"([^ \t=\"'{}\[\],]*)")
_VALUE = re.compile(r"([^ \t=\"'{}\[\],]+)[ \t]*=[ \t]*(\"[^\"]*|'[^']*|[^ \t\"']*)")
_ARGUMENT_OPENERS = (" ", "=", '"')
_REST_OF_WORD = r"[^ \t=\"'{},:]*"


def complete(snapshot: Snapshot, offset: int) -> Completions:
    """The suggestions at ``offset``."""
    cursor = Cursor(snapshot.document, offset)
    return Completions(tuple(_items(cursor)))


def opens(snapshot: Snapshot, offset: int, character: str) -> bool:
    """Whether a list may open by itself after ``character`` was typed right before ``offset``."""
    before = Cursor(snapshot.document, offset).before
    if character in COMMANDS:
        return before.removeprefix("\ufeff") == character
    return character in _ARGUMENT_OPENERS and _LINE.fullmatch(before) is not None


def _items(cursor: Cursor) -> Iterable[Item]:
    if cursor.kind is LineKind.COMMENT:
        return ()
    pragma = _PRAGMA.fullmatch(cursor.before)
    if pragma is not None:
        return cursor.rules(pragma.group(1))
    word = _WORD.fullmatch(cursor.before)
    if word is not None and word.group(1) in cursor.prefixes:
        return _commands(cursor, word.group(1), word.group(2))
    line = _LINE.fullmatch(cursor.before)
    if line is not None and line.group(1) in cursor.prefixes:
        if cursor.kind is LineKind.BLOCK:
            return ()
        spec = COMMANDS[line.group(1)].get(line.group(2))
        return () if spec is None else _arguments(cursor, spec, line.group(3))
    if cursor.before[:1] in cursor.prefixes:
        return ()
    if cursor.kind is LineKind.BLOCK:
        return _in_block(cursor)
    if cursor.kind is LineKind.AWAITED:
        return _called_tools(cursor)
    if not cursor.before and not cursor.after.strip(" \t"):
        return _templates(cursor, cursor.prefixes[0], "")
    return ()


# -- commands -------------------------------------------------------------------------------


def _commands(cursor: Cursor, prefix: str, typed: str) -> Iterator[Item]:
    if typed.startswith(("#", "/", "*")):
        return
    rest = cursor.rest(r"[^ \t{]*")
    if cursor.kind is LineKind.BLOCK:
        if END.startswith(typed):
            yield _command(cursor, END, prefix, typed, rest)
        return
    if not cursor.after.strip(" \t") and not typed:
        yield from _templates(cursor, prefix, cursor.before)
    for word in COMMANDS[prefix]:
        yield _command(cursor, word, prefix, typed, rest)


def _command(cursor: Cursor, word: str, prefix: str, typed: str, rest: str) -> Item:
    detail = summary_of(word, prefix)
    edit = cursor.edit(typed, rest, word)
    return Item(word, ItemKind.MARKER, edit, detail, topic=("command", prefix + word))


def _templates(cursor: Cursor, prefix: str, typed: str) -> Iterator[Item]:
    if cursor.kind is LineKind.AWAITED:
        return
    newline = cursor.document.newline
    number = cursor.number + (cursor.line_in_cell > 0)
    for template in templates(cursor.document, number, prefix):
        snippet = template.text.replace("\n", newline)
        edit = cursor.edit(typed, cursor.after, plain(snippet))
        said = f"{prefix}{template.label}"
        yield Item(template.label, ItemKind.CELL, edit, template.detail, snippet, said)


# -- arguments ------------------------------------------------------------------------------


def _arguments(cursor: Cursor, spec: Spec, rest: str) -> Iterator[Item]:
    """Arguments of a command; ``rest`` is what is between its word and the cursor."""
    if rest.lstrip(" \t").startswith("{"):
        spot = object_end(rest)
        if spot is not None and not spot.is_inner:
            yield from _in_object(cursor, spec, spot)
        return
    done = _DONE.match(rest)
    at = 0 if done is None else done.end()
    current = rest[at:]
    value = _VALUE.fullmatch(current)
    if value is not None:
        yield from _pair_values(cursor, spec, value.group(1), value.group(2))
        return
    key = _KEY.fullmatch(current)
    if key is None or not at:
        return
    after = cursor.rest(_REST_OF_WORD)
    others = parse_arguments(f" {rest[:at]} {cursor.after[len(after) :].lstrip('= ')}").items
    used = {argument.key for argument in others}
    equals = "" if cursor.after[len(after) :].lstrip(" \t").startswith("=") else "="
    for name in _fitting(spec):
        if name not in used:
            edit = cursor.edit(key.group(1), after, name + equals)
            yield Item(
                name, ItemKind.KEY, edit, "", None, name, ("argument", f"{spec.name} {name}")
            )


def _fitting(spec: Spec) -> list[str]:
    """The arguments of a command; without ``role`` if its word is a role already."""
    keys = [key for key in spec.arguments if spec.role is None or key != "role"]
    first = "call_id" if spec.role == "tool" else None
    return sorted(keys, key=lambda key: key != first)


def _pair_values(cursor: Cursor, spec: Spec, key: str, typed: str) -> Iterator[Item]:
    mark = typed[:1] if typed[:1] in ("'", '"') else ""
    rest = cursor.rest(rf"[^{mark}]*{mark}" if mark and mark in cursor.after else r"[^ \t]*")
    for value, kind, detail, topic in _values(cursor, spec, key):
        text = rewritten(mark, value, in_json=False) if mark else quote(value)
        yield Item(value, kind, cursor.edit(typed, rest, text), detail, None, text, topic)


_Value = tuple[str, ItemKind, str, tuple[str, str] | None]


def _values(cursor: Cursor, spec: Spec, key: str) -> Iterator[_Value]:
    """The suggested values of an argument, the likeliest first."""
    document = cursor.document
    if key not in spec.arguments:
        return
    if key == "role":
        yield from ((role, ItemKind.VALUE, "", ("role", role)) for role in ROLES)
    elif key == "call_id":
        for call, is_answered in calls_before(document, _own_number(cursor)):
            detail = call.tool or Phrase("a call")
            if is_answered:
                detail = Phrase("{call}, answered", call=detail)
            yield call.id or "", ItemKind.ID, detail, ("call", call.id or "")
    elif key == "id":
        kind = IdKind.CALL if spec.mode is Mode.LINE else IdKind.MESSAGE
        new = next_id(document, kind, _own_number(cursor), typed=_typed_value(cursor, "id"))
        yield new, ItemKind.ID, Phrase("a free id"), None
    elif key == "name":
        role = spec.role or _role_here(cursor)
        for name in names_before(document, _own_number(cursor), role):
            yield name, ItemKind.AGENT, "", None


def _own_number(cursor: Cursor) -> int:
    """The number of the first cell after those that come before the line."""
    return cursor.number + (cursor.line_in_cell > 0)


def _typed_value(cursor: Cursor, key: str) -> str | None:
    """The value that an argument of the line has so far."""
    for command in () if cursor.cell is None else cursor.cell.commands:
        if command.span.start == cursor.line_in_cell and cursor.cell is not None:
            return arguments_of(cursor.cell.text, command).value(key)
    return None


def _role_here(cursor: Cursor) -> str | None:
    return None if cursor.placed is None else role_of(cursor.document, cursor.placed)


# -- objects --------------------------------------------------------------------------------


def _in_object(cursor: Cursor, spec: Spec, spot: ObjectEnd) -> Iterator[Item]:
    if spot.key is None:
        yield from _keys(cursor, spot, _fitting(spec), f"argument:{spec.name}")
        return
    yield from _object_values(cursor, spot, _values(cursor, spec, spot.key))


def _keys(cursor: Cursor, spot: ObjectEnd, keys: Iterable[str], topic: str) -> Iterator[Item]:
    mark = spot.quote
    rest = cursor.rest(rf"[^{mark}:]*{mark}" if mark and mark in cursor.after else r"\w*")
    is_named = cursor.after[len(rest) :].lstrip(" \t").startswith(":")
    kind, _, owner = topic.partition(":")
    for key in keys:
        if key in spot.keys:
            continue
        text = f"{mark}{key}{mark}" + ("" if is_named else ": ")
        edit = cursor.edit(mark + spot.typed, rest, text)
        name = f"{owner} {key}" if owner else key
        yield Item(key, ItemKind.KEY, edit, "", None, text, (kind, name))


def _object_values(cursor: Cursor, spot: ObjectEnd, values: Iterable[_Value]) -> Iterator[Item]:
    mark = spot.quote or "'"
    closes = bool(spot.quote) and mark in cursor.after
    rest = cursor.rest(rf"[^{mark}]*{mark}" if closes else r"[^ \t,}]*")
    for value, kind, detail, topic in values:
        text = rewritten(mark, value, in_json=True)
        edit = cursor.edit(spot.quote + spot.typed, rest, text)
        yield Item(value, kind, edit, detail, None, text, topic)


def _in_block(cursor: Cursor) -> Iterator[Item]:
    """Keys and values of a raw message."""
    command, cell = cursor.command, cursor.cell
    if command is None or cell is None or command.spec is None or not command.block:
        return
    if command.spec.mode is not Mode.RAW:
        return
    start = command.block[0].start
    spot = object_end(cell.text[start : cursor.line_in_cell + len(cursor.before)])
    if spot is None or spot.is_inner:
        return
    if spot.key is None:
        yield from _keys(cursor, spot, RAW_KEYS, "raw")
        return
    key = {"tool_call_id": "call_id"}.get(spot.key, spot.key)
    if key in ("role", "call_id", "name") and key in MESSAGE_ARGUMENTS:
        yield from _object_values(cursor, spot, _values(cursor, command.spec, key))


# -- lines ----------------------------------------------------------------------------------


def _called_tools(cursor: Cursor) -> Iterator[Item]:
    """The tools that were called before, for the line of a ``call``."""
    spec = None if cursor.command is None else cursor.command.spec
    if spec is None or spec.name != "call" or " " in cursor.before or "\t" in cursor.before:
        return
    rest = cursor.rest(r"[^ \t{]*")
    has_object = bool(cursor.after[len(rest) :].strip(" \t"))
    for name in names_before(cursor.document, cursor.number + 1, "tool", cursor.offset):
        text = name if has_object else f"{name} {{}}"
        edit = cursor.edit(cursor.before, rest, text)
        yield Item(name, ItemKind.AGENT, edit, Phrase("tool"))


# -- more about an item -----------------------------------------------------------------------


def documentation(snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
    """The documentation of an item, requested when it is selected in the list."""
    document = snapshot.document
    kind, name = topic
    if kind == "command":
        return tuple(command_parts(name[1:], name[:1]))
    if kind == "argument":
        owner, _, key = name.partition(" ")
        specs = [words[owner] for words in COMMANDS.values() if owner in words]
        return tuple(argument_parts(key, specs[0])) if specs else ()
    if kind == "raw":
        return tuple(raw_key_parts(name))
    if kind == "role":
        return tuple(role_parts(name))
    if kind == "rule":
        return tuple(rule_parts(name))
    found = None
    if kind == "call":
        for entry in document.entries("call", name)[-1:]:
            found = named_call(document, name, entry.label + 1)
    return () if found is None else tuple(call_parts(document, found))


# -- A JSON5 object that is being typed: whether a key or a value comes next.


class ObjectEnd(NamedTuple):
    """The end of an object that is being typed."""

    is_inner: bool
    """Whether it is inside of another object or list."""
    key: str | None
    """The key whose value comes next; ``None`` if a key comes next."""
    typed: str
    """What is typed of it, without the quote."""
    quote: str
    keys: frozenset[str]
    """The keys before it in the same object."""


def object_end(text: str) -> ObjectEnd | None:
    """Whether a key or a value comes next at the end of ``text``; ``None`` if neither."""
    spot = spot_at(text, len(text), JSON5_TOKEN)
    if spot.is_closed or spot.wants not in (KEY, VALUE):
        return None
    if not spot.levels or not spot.levels[-1].frame.is_object:
        return None
    typed = spot.span.of(text)
    quote = typed[:1] if spot.is_quoted else ""
    return ObjectEnd(bool(spot.path), spot.key, typed.removeprefix(quote), quote, spot.keys)

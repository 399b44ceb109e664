"""Completion in definitions: their ids, types, attributes and values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.languages import USUAL_LANGUAGES, known_languages
from msgls.features.msgmd import snippets
from msgls.features.msgmd.cursor import Cursor, closing_of
from msgls.features.msgmd.idcompletion import REST_OF_ID, existing_ids
from msgls.features.snippets import choice, literal, plain
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.attributes import ATTRIBUTES, AttributeSpec, ValueKind, attributes_on
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, TOOL, definition_of, meaning_of
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase

_DEFINITION_ID = re.compile(r"[ ]{0,3}\[\^(?P<id>[^\s\[\]^]*)\Z")
_DEFINITION = re.compile(r"[ ]{0,3}\[\^(?P<id>[^\[\]\r\n]*)\]:(?P<blank>[ \t]*)")
_TYPE = re.compile(r"\[(?P<type>[^\[\]\r\n=\"]*)\Z")
_TYPED = re.compile(r"\[(?P<type>[^\[\]\r\n=\"]+)\](?=[ \t])")
_REST_OF_TYPE = re.compile(r"\A[^\[\]\r\n=\"]*(?=\])")
_PAIR = re.compile(
    r"[^\W\d][\w-]*[ \t]*=[ \t]*"
    r"(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[^ \t\"']+)(?=[ \t])"
)
_OTHER_WORD = re.compile(r"[^ \t\"']+(?=[ \t])")
_OPEN_VALUE = re.compile(
    r"(?P<key>[^\W\d][\w-]*)="
    r"(?:\"(?P<double>(?:\\.|[^\"\\])*)|'(?P<single>(?:\\.|[^'\\])*)|(?P<bare>[^ \t\"']*))\Z"
)
_OPEN_KEY = re.compile(r"[A-Za-z_]?[A-Za-z0-9_-]*\Z")
_KEY_BEFORE_EQUALS = re.compile(r"[^\W\d][\w-]*(?==)")
_MIME_TYPES = (
    "text/plain",
    "text/html",
    "text/markdown",
    "text/csv",
    "application/json",
    "image/png",
    "image/jpeg",
    "image/svg+xml",
    "application/pdf",
    "application/octet-stream",
)
_KINDS = {
    ValueKind.TEXT: Phrase("text"),
    ValueKind.TIME: Phrase("time"),
    ValueKind.DURATION: Phrase("duration"),
    ValueKind.MIME_TYPE: Phrase("mime type"),
    ValueKind.PATH: Phrase("path"),
}
_REQUIRED, _DEFAULT = Phrase("required"), Phrase("default")


def in_definition(cursor: Cursor) -> Completions | None:
    """The suggestions in a definition; ``None`` if the line is not one."""
    opened = _DEFINITION_ID.match(cursor.before)
    if opened is not None:
        return existing_ids(cursor, opened.group("id"), _own_definition(cursor, opened.group("id")))
    head = _DEFINITION.match(cursor.before)
    if head is None:
        return None
    after = cursor.before[head.end() :]
    if not after:
        return _types(cursor, head.group("id"), "", "" if head.group("blank") else " ", True)
    open_type = _TYPE.match(after)
    if open_type is not None:
        return _types(cursor, head.group("id"), open_type.group("type"), "", False)
    typed = _TYPED.match(after)
    return None if typed is None else _attributes(cursor, head.group("id"), after[typed.end() :])


def _own_definition(cursor: Cursor, typed: str) -> Iterator[Item]:
    """The definition of the cell around the cursor, if it has none yet."""
    placed = cursor.placed
    if placed is None or not placed.cell.id or definition_of(cursor.document, placed) is not None:
        return
    cell_id = placed.cell.id
    rest, closing = closing_of(cursor.after, REST_OF_ID)
    text = cell_id + closing
    names = [name for name, _, _ in _type_names(cursor, cell_id)]
    is_bare = not cursor.after[len(rest) :].strip(" \t]")
    snippet = None
    if is_bare:
        # Only a bracket that the editor has inserted by itself follows the cursor.
        rest = cursor.after
        types = choice(1, names[:20]) if names else "$1"
        snippet = f"{literal(cell_id)}]: [{types}]$0"
        text = plain(snippet) if names else f"{cell_id}]: "
    detail = Phrase("the definition of this cell")
    edit = cursor.edit(typed, rest, text)
    yield Item(cell_id, ItemKind.ID, edit, detail, snippet)


def _owner(cursor: Cursor, cell_id: str) -> Meaning | None:
    """The cell that a definition is about: the one that the cursor is in, or the first."""
    document, placed = cursor.document, cursor.placed
    if placed is None or placed.cell.id != cell_id:
        headers = document.entries("header", cell_id)
        if not headers:
            return None
        placed = document.cell(headers[0].label)
    return meaning_of(document, placed)


def _types(cursor: Cursor, cell_id: str, typed: str, blank: str, with_bracket: bool) -> Completions:
    rest, closing = closing_of(cursor.after, _REST_OF_TYPE)
    if with_bracket:
        rest, closing = "", "]"
        if cursor.after.strip(" \t"):
            return Completions()
    opening = blank + "[" if with_bracket else ""
    items = []
    for name, kind, detail in _type_names(cursor, cell_id, typed):
        edit = cursor.edit(typed, rest, opening + name + closing)
        items.append(Item(name, kind, edit, detail, topic=("type", name)))
    return Completions(tuple(items), incomplete=not typed)


def _type_names(
    cursor: Cursor, cell_id: str, typed: str = ""
) -> Iterator[tuple[str, ItemKind, str]]:
    owner = _owner(cursor, cell_id)
    is_message = owner is not None and owner.cell.kind is CellKind.MESSAGE
    dots = cell_id.count(".")
    if is_message or (owner is None and not dots):
        yield from ((name, ItemKind.TYPE, Phrase("message")) for name in MESSAGE_TYPES)
    if is_message:
        return
    parent = None if dots != 1 else _owner(cursor, CellId(cell_id).parent)
    language = ""
    if parent is not None and parent.role is CellRole.CODE:
        language = snippets.language_of(parent.cell) or USUAL_LANGUAGES[0]
        yield language, ItemKind.LANGUAGE, Phrase("run of {id}", id=parent.cell.id or "")
    if dots:
        detail = Phrase("tool call") if dots == 1 else Phrase("tool result")
        yield TOOL, ItemKind.TYPE, detail
    else:
        for name in snippets.agents_first_default(cursor.document):
            yield name, ItemKind.AGENT, Phrase("agent")
    if dots == 1 and (parent is None or parent.role is CellRole.CODE):
        names = known_languages() if typed else USUAL_LANGUAGES
        for name in names:
            if name != language and name.startswith(typed.casefold()):
                yield name, ItemKind.LANGUAGE, Phrase("execution output")


# ---------------------------------------------------------------------------
# Attributes


def _attributes(cursor: Cursor, cell_id: str, said: str) -> Completions | None:
    """Keys and values; ``said`` is what is between the type and the cursor."""
    at = 0
    while True:
        at += len(said[at:]) - len(said[at:].lstrip(" \t"))
        # A word that is not a pair is skipped: a rule reports it.
        pair = _PAIR.match(said, at) or _OTHER_WORD.match(said, at)
        if pair is None:
            break
        at = pair.end()
    tail = said[at:]
    owner = _owner(cursor, cell_id)
    value = _OPEN_VALUE.match(tail)
    if value is not None:
        quote = {"double": '"', "single": "'"}.get(value.lastgroup or "", "")
        return _values(cursor, owner, value["key"], quote, value[value.lastgroup or "bare"])
    # A key must follow a space: nothing is suggested right after a quote or a bracket.
    if _OPEN_KEY.match(tail) and said[:at].endswith((" ", "\t")):
        return _keys(cursor, owner, tail)
    return Completions()


def _keys(cursor: Cursor, owner: Meaning | None, typed: str) -> Completions:
    has_value = _KEY_BEFORE_EQUALS.match(typed + cursor.after) is not None
    rest = cursor.rest(r"[A-Za-z0-9_-]*")
    present = set()
    if owner is not None and owner.definition is not None:
        present = {attribute.key for attribute in owner.definition.attributes} - {typed + rest}
    specs = ATTRIBUTES.values() if owner is None else attributes_on(owner.role)
    definition = None if owner is None else owner.definition
    items = []
    for spec in specs:
        if spec.key in present:
            continue
        required = (
            owner is not None
            and definition is not None
            and spec.is_required(owner.role, definition)
        )
        text = spec.key if has_value else f"{spec.key}="
        snippet = None if has_value else f"{spec.key}={_value_stop(spec)}$0"
        detail = _REQUIRED if required else _detail(spec)
        edit = cursor.edit(typed, rest, text)
        topic = ("attribute", spec.key)
        items.append(Item(spec.key, ItemKind.KEY, edit, detail, snippet, None, topic))
    items.sort(key=lambda item: item.detail != _REQUIRED)
    return Completions(tuple(items))


def _value_stop(spec: AttributeSpec) -> str:
    if spec.values:
        return choice(1, [quote_value(value) for value in spec.values])
    return "$1" if spec.kind is ValueKind.DURATION else '"$1"'


def _detail(spec: AttributeSpec) -> str:
    if spec.values:
        return " | ".join(spec.values)
    return _KINDS[spec.kind]


def _values(cursor: Cursor, owner: Meaning | None, key: str, quote: str, typed: str) -> Completions:
    # Without a closing quote, what follows may be another attribute: it stays.
    rest = cursor.rest(rf"(?:\\.|[^{quote}\\])*{quote}" if quote else r"[^ \t\"']*")
    items = []
    for value, detail in _value_names(cursor, owner, key):
        escaped = value.replace("\\", "\\\\").replace(quote, "\\" + quote) if quote else ""
        text = escaped + quote if quote else quote_value(value)
        edit = cursor.edit(typed, rest, text)
        items.append(Item(value, ItemKind.VALUE, edit, detail, topic=("attribute", key)))
    return Completions(tuple(items))


def _value_names(cursor: Cursor, owner: Meaning | None, key: str) -> Iterator[tuple[str, str]]:
    spec = ATTRIBUTES.get(key)
    if spec is None:
        return
    for value in spec.values:
        yield value, _DEFAULT if value == spec.default else ""
    if spec.kind is ValueKind.TIME and cursor.now:
        yield cursor.now, Phrase("now")
    elif spec.kind is ValueKind.MIME_TYPE:
        for value in _MIME_TYPES:
            yield value, _DEFAULT if value == spec.default else ""
    elif key == "name" and owner is not None and owner.role is CellRole.CALL:
        names = (call.value("name") for call in cursor.cells_before.some(CellRole.CALL, 20))
        yield from ((name, Phrase("tool")) for name in dict.fromkeys(names) if name)

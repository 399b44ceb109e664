"""Completion: what can be typed at a place of a message file.

Owns the choice. It reads the line up to the cursor as text, because a line that is being
typed seldom parses, and asks the document only for what surrounds it: the cell, a few
cells before it, the index. Every item is an edit with an exact range, so no editor has to
guess what a word is. Longer texts are made when an item is looked at (``documentation``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features import snippets
from msgls.features.describe import (
    agent_attribute_parts,
    agent_parts,
    attribute_parts,
    frontmatter_key_parts,
    preview_parts,
    rule_parts,
    type_parts,
)
from msgls.features.markup import Part
from msgls.features.places import FORMAT
from msgls.features.yamlcompletion import YamlItem, yaml_items
from msgls.formats.base import Placed
from msgls.formats.msgmd.attributes import ATTRIBUTES, AttributeSpec, ValueKind, attributes_on
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.edits import line_break_of
from msgls.formats.msgmd.lexer import code_spans
from msgls.formats.msgmd.meaning import (
    MESSAGE_TYPES,
    TOOL,
    CellRole,
    Meaning,
    definition_of,
    meaning_of,
)
from msgls.model.cells import Cell, CellKind
from msgls.rules.registry import BY_CODE
from msgls.text.spans import Edit, Span

MOST_IDS = 150
_MOST_CELLS = 400

_MARKER = re.compile(r"\ufeff?(#{0,5})[ \t]*(%{0,3})[ \t]*")
_HEADER_ID = re.compile(r"\ufeff?#{1,5}[ \t]+(%%%?)(?:[ \t][^\r\n]*)?\[\^(?P<id>[^\s\[\]^]*)\Z")
_HEADER = re.compile(r"\ufeff?#{1,5}[ \t]+%%%?(?:[ \t]|\[\^)")
_DEFINITION_ID = re.compile(r"[ ]{0,3}\[\^(?P<id>[^\s\[\]^]*)\Z")
_DEFINITION = re.compile(r"[ ]{0,3}\[\^(?P<id>[^\[\]\r\n]*)\]:(?P<blank>[ \t]*)")
_TYPE = re.compile(r"\[(?P<type>[^\[\]\r\n=\"]*)\Z")
_TYPED = re.compile(r"\[(?P<type>[^\[\]\r\n=\"]+)\](?=[ \t])")
_REFERENCE = re.compile(r"(?<!\\)\[\^(?P<id>[^\s\[\]^]*)\Z")
_FENCE_INFO = re.compile(r"[ ]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ ]+)*(?:`{3,}|~{3,})[ \t]*([^ \t`]*)\Z")
_PRAGMA = re.compile(
    r"[ \t]*<!--[ \t]*msgls:[ \t]*ignore[ \t]+(?:[A-Z0-9]+[, \t]+)*([A-Za-z0-9]*)\Z"
)
_REST_OF_ID = re.compile(r"[^\s\[\]^]*(?=\])")
_REST_OF_TYPE = re.compile(r"[^\[\]\r\n=\"]*(?=\])")
_REST_OF_WORD = re.compile(r"[A-Za-z0-9_-]*")
_PAIR = re.compile(
    r"[A-Za-z_][A-Za-z0-9_-]*[ \t]*=[ \t]*"
    r"(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[^ \t\"']+)(?=[ \t])"
)
_OTHER_WORD = re.compile(r"[^ \t\"']+(?=[ \t])")
_OPEN_VALUE = re.compile(
    r"(?P<key>[A-Za-z_][A-Za-z0-9_-]*)="
    r"(?:\"(?P<double>(?:\\.|[^\"\\])*)|'(?P<single>(?:\\.|[^'\\])*)|(?P<bare>[^ \t\"']*))\Z"
)
_OPEN_KEY = re.compile(r"[A-Za-z_]?[A-Za-z0-9_-]*\Z")
_KEY_BEFORE_EQUALS = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?==)")

_LANGUAGES = (
    "python",
    "bash",
    "javascript",
    "typescript",
    "json",
    "sql",
    "html",
    "css",
    "xml",
    "yaml",
    "c",
    "cpp",
    "csharp",
    "go",
    "java",
    "kotlin",
    "lua",
    "perl",
    "php",
    "powershell",
    "r",
    "ruby",
    "rust",
    "scala",
    "swift",
    "toml",
    "markdown",
    "diff",
    "text",
)
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


class ItemKind(Enum):
    """What an item is; editors show an icon for it."""

    MARKER = "marker"
    CELL = "cell"
    ID = "id"
    TYPE = "type"
    AGENT = "agent"
    LANGUAGE = "language"
    KEY = "key"
    VALUE = "value"
    RULE = "rule"


class Item(NamedTuple):
    """One thing that can be typed."""

    label: str
    kind: ItemKind
    edit: Edit
    """Absolute; its range holds the cursor and lies on one line."""
    detail: str = ""
    snippet: str | None = None
    """The same text in the snippet notation."""
    filter_text: str | None = None
    """What the typed text is compared with, where that is not the label."""
    topic: tuple[str, str] | None = None
    """What ``documentation`` can say more about."""


class Completions(NamedTuple):
    """What can be typed, the likeliest first."""

    items: tuple[Item, ...] = ()
    incomplete: bool = False
    """Whether typing on may bring more."""


class _Cursor(NamedTuple):
    """A place, and the line around it."""

    document: Document
    offset: int
    line: int
    line_start: int
    before: str
    after: str
    placed: Placed | None
    others: Collection[str]
    now: str

    def edit(self, typed: str, rest: str, text: str) -> Edit:
        """Put ``text`` for what was typed and for the ``rest`` that it stands in front of."""
        return Edit(Span(self.offset - len(typed), self.offset + len(rest)), text)

    @property
    def relative_line_start(self) -> int:
        """Where the line starts in its cell."""
        return self.line_start - (0 if self.placed is None else self.placed.start_offset)


def complete(
    document: Document, offset: int, other_agents: Collection[str] = (), now: str = ""
) -> Completions:
    """What can be typed at ``offset``. ``now`` is the time that new cells get."""
    if document.format.name != FORMAT:
        return Completions()
    cursor = _cursor(document, offset, other_agents, now)
    placed = cursor.placed
    if placed is not None:
        inside = _in_yaml(cursor, placed.cell)
        if inside is not None:
            return inside
        fenced = _in_fence(cursor, placed.cell)
        if fenced is not None:
            return fenced
    for source in (_in_header, _at_marker, _in_definition, _in_prose, _in_pragma):
        found = source(cursor)
        if found is not None:
            return found
    return Completions()


def _cursor(document: Document, offset: int, others: Collection[str], now: str) -> _Cursor:
    offset = min(max(offset, 0), len(document.store))
    line, column = document.position_of(offset)
    text = document.store.line_text(line)
    # Between the two characters of a line break: the end of the line is meant.
    offset = min(offset, document.store.line_span(line).end)
    placed = document.cell_at_offset(offset)
    before, after = text[:column], text[column:]
    return _Cursor(document, offset, line, offset - column, before, after, placed, others, now)


# ---------------------------------------------------------------------------
# YAML and fences


def _in_yaml(cursor: _Cursor, cell: Cell) -> Completions | None:
    inside = cursor.relative_line_start
    block = cell.agent_block
    if block is not None and block.start <= inside <= block.end and inside < len(cell.text):
        if inside == block.end:
            return Completions()
        above = cell.text[block.start : inside]
        below = cell.text[inside : block.end]
        found = yaml_items(cursor.before, cursor.after, above, below, agent_block=True)
        return _yaml(cursor, found)
    span = cell.frontmatter
    if span is None or not span.start < inside <= span.end:
        return None
    if cell.frontmatter_closed and inside + len(cursor.before + cursor.after) >= span.end:
        return Completions()
    names = snippets.agents_first_default(cursor.document, cursor.others)
    above, below = cell.text[:inside], cell.text[inside : span.end]
    found = yaml_items(
        cursor.before,
        cursor.after,
        above,
        below,
        agents=names,
        sectioned=not cursor.document.path.lower().endswith(".msg.md"),
    )
    return _yaml(cursor, found)


def _yaml(cursor: _Cursor, found: Iterable[YamlItem]) -> Completions:
    newline = line_break_of(cursor.document)
    items = []
    for said in found:
        snippet = said.text.replace("\n", newline)
        edit = cursor.edit(said.typed, said.rest, snippets.plain(snippet))
        kind = ItemKind.KEY if said.is_key else ItemKind.VALUE
        items.append(Item(said.label, kind, edit, "", snippet, None, said.topic))
    return Completions(tuple(items))


def _in_fence(cursor: _Cursor, cell: Cell) -> Completions | None:
    """Languages behind an opening fence; nothing inside one; ``None`` outside."""
    inside = cursor.relative_line_start
    number = bisect_right(cell.fences, inside, key=lambda fence: fence.span.start) - 1
    if number < 0:
        return None
    fence = cell.fences[number]
    if inside == fence.span.start:
        match = _FENCE_INFO.match(cursor.before)
        return Completions() if match is None else _languages(cursor, match.group(1))
    runs_on = fence.close is None and not fence.in_list and inside <= fence.span.end
    return Completions() if inside < fence.span.end or runs_on else None


def _languages(cursor: _Cursor, typed: str) -> Completions:
    rest = re.match(r"[^ \t`]*", cursor.after)
    names = _known_languages() if typed else _LANGUAGES
    items = [
        Item(name, ItemKind.LANGUAGE, cursor.edit(typed, rest.group() if rest else "", name))
        for name in names
        if name.startswith(typed.casefold())
    ]
    return Completions(tuple(items), incomplete=not typed)


@lru_cache(maxsize=1)
def _known_languages() -> tuple[str, ...]:
    """The usual languages first, then every other one by its usual name."""
    # Late: most files never ask.
    from pygments.lexers import get_all_lexers

    others = sorted(aliases[0] for _, aliases, _, _ in get_all_lexers(plugins=False) if aliases)
    return tuple(dict.fromkeys([*_LANGUAGES, *others]))


# ---------------------------------------------------------------------------
# Markers and whole cells


def _at_marker(cursor: _Cursor) -> Completions | None:
    match = _MARKER.fullmatch(cursor.before)
    if match is None or cursor.after.strip(" \t"):
        return None
    hashes, percents = match.groups()
    typed = cursor.before.removeprefix("\ufeff")
    items = list(_cells(cursor, typed, hashes, percents))
    for marker, detail in (("%%", "message cell"), ("%%%", "output cell")):
        text = f"{'#' * _depth(cursor, hashes)} {marker}"
        if marker.startswith(percents) and typed.rstrip(" \t") != text:
            edit = cursor.edit(typed, "", text + " ")
            items.append(Item(text, ItemKind.MARKER, edit, f"start of a {detail}"))
    if not cursor.line and not hashes and not percents:
        items.append(_frontmatter(cursor))
    return Completions(tuple(items))


def _depth(cursor: _Cursor, hashes: str) -> int:
    header = None if cursor.placed is None else cursor.placed.cell.header
    return len(hashes) or (1 if header is None else header.depth)


def _number_before(cursor: _Cursor) -> int:
    """How many cells start before the line."""
    document = cursor.document
    if cursor.placed is None:
        return 0
    number = document.number_at_offset(cursor.offset) or 0
    return number + (cursor.placed.start_offset < cursor.line_start)


def _before(cursor: _Cursor) -> snippets.Before:
    return snippets.cells_before(cursor.document, _number_before(cursor), cursor.others)


def _cells(cursor: _Cursor, typed: str, hashes: str, percents: str) -> Iterator[Item]:
    newline = line_break_of(cursor.document)
    depth = _depth(cursor, hashes)
    found = snippets.templates(cursor.document, _before(cursor), depth, cursor.others, cursor.now)
    for template in found:
        if percents == "%%%" and template.kind is not CellKind.OUTPUT:
            continue
        snippet = template.text.replace("\n", newline)
        edit = cursor.edit(typed, cursor.after, snippets.plain(snippet))
        filter_text = f"{template.text.partition(' $1')[0]} {template.label}"
        yield Item(template.label, ItemKind.CELL, edit, template.detail, snippet, filter_text)


def _frontmatter(cursor: _Cursor) -> Item:
    newline = line_break_of(cursor.document)
    text = "---\nagents:\n  ${1:name}:\n    models: [${2:model}]\n---\n$0".replace("\n", newline)
    typed = cursor.before.removeprefix("\ufeff")
    edit = cursor.edit(typed, cursor.after, snippets.plain(text))
    return Item("---", ItemKind.CELL, edit, "frontmatter with an agent", text)


# ---------------------------------------------------------------------------
# Ids


def _in_header(cursor: _Cursor) -> Completions | None:
    match = _HEADER_ID.match(cursor.before)
    if match is None:
        # Behind a title: nothing is known of what a person calls a cell.
        is_title = _HEADER.match(cursor.before) and not _MARKER.fullmatch(cursor.before)
        return Completions() if is_title else None
    typed = match.group("id")
    rest, closing = _closing(cursor.after, _REST_OF_ID)
    is_output = match.group(1) == "%%%"
    items = []
    for new_id, detail in dict(_new_ids(cursor, typed, is_output)).items():
        edit = cursor.edit(typed, rest, new_id + closing)
        items.append(Item(new_id, ItemKind.ID, edit, detail))
    return Completions(tuple(items), incomplete=True)


def _closing(after: str, rest: re.Pattern[str]) -> tuple[str, str]:
    """What of the line behind the cursor is replaced, and the bracket, where it is missing."""
    match = rest.match(after)
    return ("", "]") if match is None else (match.group(), "")


def _new_ids(cursor: _Cursor, typed: str, is_output: bool) -> Iterator[tuple[str, str]]:
    document = cursor.document
    before = _before(cursor)
    home = None if cursor.placed is None else cursor.placed.cell.home
    if home is not None and home.id.text and not document.entries("header", home.id.text):
        yield home.id.text, "defined below"
    if not is_output:
        yield snippets.free_id(document, before, CellKind.MESSAGE), "next free id"
        return
    yield from _children_of_typed(cursor, typed)
    yield snippets.free_id(document, before, CellKind.OUTPUT), "next free id, for an answer"
    for call in before.some(CellRole.CALL, 3):
        yield snippets.next_child_id(document, call.cell.id or ""), f"result of {call.cell.id}"
    for code in before.some(CellRole.CODE, 2):
        yield snippets.next_child_id(document, code.cell.id or ""), f"run of {code.cell.id}"
    for answer in before.some(CellRole.ANSWER, 2):
        answer_id = answer.cell.id or ""
        if typed.startswith(answer_id + "."):
            continue  # Offered above: two fresh nonces are one too many.
        yield snippets.call_id(document, answer_id), f"tool call by {answer_id}, new nonce"


def _children_of_typed(cursor: _Cursor, typed: str) -> Iterator[tuple[str, str]]:
    """What can follow a parent that is typed already, wherever in the file that stands."""
    document = cursor.document
    parent_id = typed.rpartition(".")[0]
    for entry in document.entries("header", parent_id)[:1] if parent_id else ():
        role = meaning_of(document, document.cell(entry.order), cursor.others).role
        if role is CellRole.ANSWER:
            yield snippets.call_id(document, parent_id), f"tool call by {parent_id}, new nonce"
            for child in document.entries("child", parent_id)[-3:]:
                child_id = document.cell(child.order).cell.id or ""
                yield snippets.next_child_id(document, child_id), f"result of {child_id}"
        elif role in (CellRole.CODE, CellRole.CALL):
            what = "run" if role is CellRole.CODE else "result"
            yield snippets.next_child_id(document, parent_id), f"{what} of {parent_id}"


def _in_prose(cursor: _Cursor) -> Completions | None:
    match = _REFERENCE.search(cursor.before)
    if match is None or _in_code(cursor, match.start()):
        return None
    return _existing_ids(cursor, match.group("id"))


def _in_code(cursor: _Cursor, column: int) -> bool:
    line = cursor.before + cursor.after
    return any(start < column < end for start, end in code_spans(line, 0, len(line)))


def _existing_ids(cursor: _Cursor, typed: str, first: Iterable[Item] = ()) -> Completions:
    rest, closing = _closing(cursor.after, _REST_OF_ID)
    items = list(first)
    taken = {item.label for item in items}
    found, all_seen = _ids_around(cursor, typed)
    for name, detail in found:
        if name not in taken:
            taken.add(name)
            edit = cursor.edit(typed, rest, name + closing)
            items.append(Item(name, ItemKind.ID, edit, detail, topic=("cell", name)))
    return Completions(tuple(items), incomplete=not all_seen)


def _ids_around(cursor: _Cursor, typed: str) -> tuple[list[tuple[str, str]], bool]:
    """Ids that begin as typed, the nearest first, and whether those are all."""
    document = cursor.document
    found: list[tuple[str, str]] = []
    if cursor.placed is not None:
        for definition in cursor.placed.cell.definitions:
            name = definition.id.text
            if not definition.is_typed and name.startswith(typed) and name:
                found.append((name, "footnote"))
    for entry in document.entries("header", typed)[:1] if typed else ():
        found += _described(document.cell(entry.order), typed)
    middle = document.number_at_offset(cursor.offset) or 0
    furthest = max(middle, document.cell_count - middle)
    for distance in range(min(furthest + 1, _MOST_CELLS)):
        for number in {middle - distance, middle + distance}:
            if 0 <= number < document.cell_count:
                found += _described(document.cell_number(number), typed)
        if len(found) >= MOST_IDS:
            return found[:MOST_IDS], False
    return found, furthest < _MOST_CELLS


def _described(placed: Placed, typed: str) -> list[tuple[str, str]]:
    cell_id = placed.cell.id
    if not cell_id or not cell_id.startswith(typed):
        return []
    return [(cell_id, placed.cell.title)]


# ---------------------------------------------------------------------------
# Definitions


def _in_definition(cursor: _Cursor) -> Completions | None:
    opened = _DEFINITION_ID.match(cursor.before)
    if opened is not None:
        return _existing_ids(
            cursor, opened.group("id"), _own_definition(cursor, opened.group("id"))
        )
    head = _DEFINITION.match(cursor.before)
    if head is None:
        return None
    behind = cursor.before[head.end() :]
    if not behind:
        return _types(cursor, head.group("id"), "", "" if head.group("blank") else " ", True)
    open_type = _TYPE.match(behind)
    if open_type is not None:
        return _types(cursor, head.group("id"), open_type.group("type"), "", False)
    typed = _TYPED.match(behind)
    return None if typed is None else _attributes(cursor, head.group("id"), behind[typed.end() :])


def _own_definition(cursor: _Cursor, typed: str) -> Iterator[Item]:
    """The definition of the cell that the cursor is in, where it has none yet."""
    placed = cursor.placed
    if placed is None or not placed.cell.id or definition_of(cursor.document, placed) is not None:
        return
    cell_id = placed.cell.id
    rest, closing = _closing(cursor.after, _REST_OF_ID)
    text = cell_id + closing
    names = [name for name, _, _ in _type_names(cursor, cell_id)]
    is_bare = not cursor.after[len(rest) :].strip(" \t]")
    snippet = None
    if is_bare:
        # What stands behind the cursor is at most the bracket that the editor closed itself.
        rest = cursor.after
        types = snippets.choice(1, names[:20]) if names else "$1"
        snippet = f"{snippets.literal(cell_id)}]: [{types}]$0"
        text = snippets.plain(snippet) if names else f"{cell_id}]: "
    detail = "the definition of this cell"
    edit = cursor.edit(typed, rest, text)
    yield Item(cell_id, ItemKind.ID, edit, detail, snippet)


def _owner(cursor: _Cursor, cell_id: str) -> Meaning | None:
    """The cell that a definition is about: the one that the cursor is in, or the first."""
    document, placed = cursor.document, cursor.placed
    if placed is None or placed.cell.id != cell_id:
        headers = document.entries("header", cell_id)
        if not headers:
            return None
        placed = document.cell(headers[0].order)
    return meaning_of(document, placed, cursor.others)


def _types(
    cursor: _Cursor, cell_id: str, typed: str, blank: str, with_bracket: bool
) -> Completions:
    rest, closing = _closing(cursor.after, _REST_OF_TYPE)
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
    cursor: _Cursor, cell_id: str, typed: str = ""
) -> Iterator[tuple[str, ItemKind, str]]:
    owner = _owner(cursor, cell_id)
    is_message = owner is not None and owner.cell.kind is CellKind.MESSAGE
    dots = cell_id.count(".")
    if is_message or (owner is None and not dots):
        yield from ((name, ItemKind.TYPE, "message") for name in MESSAGE_TYPES)
    if is_message:
        return
    parent = None if dots != 1 else _owner(cursor, cell_id.rpartition(".")[0])
    language = ""
    if parent is not None and parent.role is CellRole.CODE:
        language = snippets.language_of(parent.cell) or _LANGUAGES[0]
        yield language, ItemKind.LANGUAGE, f"run of {parent.cell.id}"
    if dots:
        yield TOOL, ItemKind.TYPE, "tool call" if dots == 1 else "tool result"
    else:
        for name in snippets.agents_first_default(cursor.document, cursor.others):
            yield name, ItemKind.AGENT, "agent"
    if dots == 1 and (parent is None or parent.role is CellRole.CODE):
        names = _known_languages() if typed else _LANGUAGES
        for name in names:
            if name != language and name.startswith(typed.casefold()):
                yield name, ItemKind.LANGUAGE, "execution output"


# ---------------------------------------------------------------------------
# Attributes


def _attributes(cursor: _Cursor, cell_id: str, said: str) -> Completions | None:
    """Keys and values; ``said`` is what stands between the type and the cursor."""
    at = 0
    while True:
        at += len(said[at:]) - len(said[at:].lstrip(" \t"))
        # A word that is no pair is another rule's business, and no reason to stop here.
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
    # A key stands behind a blank: right behind a quote or a bracket there is none.
    if _OPEN_KEY.match(tail) and said[:at].endswith((" ", "\t")):
        return _keys(cursor, owner, tail)
    return Completions()


def _keys(cursor: _Cursor, owner: Meaning | None, typed: str) -> Completions:
    has_value = _KEY_BEFORE_EQUALS.match(typed + cursor.after) is not None
    word = _REST_OF_WORD.match(cursor.after)
    rest = word.group() if word is not None else ""
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
        detail = "required" if required else _detail(spec)
        edit = cursor.edit(typed, rest, text)
        topic = ("attribute", spec.key)
        items.append(Item(spec.key, ItemKind.KEY, edit, detail, snippet, None, topic))
    items.sort(key=lambda item: item.detail != "required")
    return Completions(tuple(items))


def _value_stop(spec: AttributeSpec) -> str:
    if spec.values:
        return snippets.choice(1, [quote_value(value) for value in spec.values])
    return "$1" if spec.kind is ValueKind.DURATION else '"$1"'


def _detail(spec: AttributeSpec) -> str:
    if spec.values:
        return " | ".join(spec.values)
    return spec.kind.value.replace("-", " ")


def _values(
    cursor: _Cursor, owner: Meaning | None, key: str, quote: str, typed: str
) -> Completions:
    if quote:
        rest_match = re.match(rf"(?:\\.|[^{quote}\\])*{quote}", cursor.after)
        # Without a closing quote, what follows may be another attribute: it stays.
        rest = "" if rest_match is None else rest_match.group()
    else:
        rest_match = re.match(r"[^ \t\"']*", cursor.after)
        rest = "" if rest_match is None else rest_match.group()
    items = []
    for value, detail in _value_names(cursor, owner, key):
        escaped = value.replace("\\", "\\\\").replace(quote, "\\" + quote) if quote else ""
        text = escaped + quote if quote else quote_value(value)
        edit = cursor.edit(typed, rest, text)
        items.append(Item(value, ItemKind.VALUE, edit, detail, topic=("attribute", key)))
    return Completions(tuple(items))


def _value_names(cursor: _Cursor, owner: Meaning | None, key: str) -> Iterator[tuple[str, str]]:
    spec = ATTRIBUTES.get(key)
    if spec is None:
        return
    for value in spec.values:
        yield value, "default" if value == spec.default else ""
    if spec.kind is ValueKind.TIME and cursor.now:
        yield cursor.now, "now"
    elif spec.kind is ValueKind.MIME_TYPE:
        for value in _MIME_TYPES:
            yield value, "default" if value == spec.default else ""
    elif key == "name" and owner is not None and owner.role is CellRole.CALL:
        names = (call.value("name") for call in _before(cursor).some(CellRole.CALL, 20))
        yield from ((name, "tool") for name in dict.fromkeys(names) if name)


# ---------------------------------------------------------------------------
# Comments that silence a rule


def _in_pragma(cursor: _Cursor) -> Completions | None:
    match = _PRAGMA.match(cursor.before)
    if match is None:
        return None
    typed = match.group(1)
    rest = re.match(r"[A-Za-z0-9]*", cursor.after)
    items = [
        Item(
            code,
            ItemKind.RULE,
            cursor.edit(typed, "" if rest is None else rest.group(), code),
            rule.name,
            filter_text=f"{code} {rule.name}",
            topic=("rule", code),
        )
        for code, rule in BY_CODE.items()
    ]
    return Completions(tuple(items))


# ---------------------------------------------------------------------------
# More about an item


def documentation(
    document: Document, topic: tuple[str, str], other_agents: Collection[str] = ()
) -> tuple[Part, ...]:
    """What more can be said about an item, when somebody looks at it."""
    kind, name = topic
    if kind == "attribute" and name in ATTRIBUTES:
        return tuple(attribute_parts(ATTRIBUTES[name]))
    if kind == "type":
        return tuple(type_parts(document, name, other_agents))
    if kind == "agent":
        return tuple(agent_parts(document, name, other_agents))
    if kind == "agent-attribute":
        return tuple(agent_attribute_parts(name))
    if kind == "frontmatter":
        return tuple(frontmatter_key_parts(name))
    if kind == "rule":
        return tuple(rule_parts(name))
    if kind == "cell":
        for entry in document.entries("header", name)[:1]:
            return tuple(preview_parts(document, document.cell(entry.order), other_agents))
    return ()

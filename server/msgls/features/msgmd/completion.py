"""Completion in a message file.

Owns the choice of suggestions by place. It reads the line up to the cursor as text, because a line
that is being typed seldom parses; from the document it needs only the cell, a few cells before it,
and the index.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.describe import agent_attribute_parts, rule_parts
from msgls.features.markup import Part
from msgls.features.msgmd import snippets
from msgls.features.msgmd.cursor import Cursor
from msgls.features.msgmd.definitioncompletion import in_definition
from msgls.features.msgmd.describe import (
    agent_parts,
    attribute_parts,
    frontmatter_key_parts,
    preview_parts,
    type_parts,
)
from msgls.features.msgmd.idcompletion import MARKER, in_header, in_prose
from msgls.features.msgmd.yamlcompletion import YamlItem, yaml_items
from msgls.features.snippets import plain
from msgls.formats.msgmd import SectionedMessageFile
from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.formats.msgmd.lexer import MARKS
from msgls.syntax.cells import Cell, CellKind
from msgls.text.phrases import Phrase

_FENCE_INFO = re.compile(r"[ ]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ ]+)*(?:`{3,}|~{3,})[ \t]*([^ \t`]*)\Z")
_PRAGMA = re.compile(
    r"[ \t]*<!--[ \t]*msgls:[ \t]*ignore[ \t]+(?:[A-Z0-9]+[, \t]+)*([A-Za-z0-9]*)\Z"
)

_TYPED = r"\A\[\^[^\s\[\]^]+\]:[ \t]+\[[^\[\]\r\n]+\][ \t].*"
# By trigger character: what must be before the cursor for a list to open by itself.
_OPENERS = {
    "%": re.compile(rf"\A\ufeff?{MARKS}\Z"),
    "^": re.compile(r"\[\^\Z"),
    ".": re.compile(r"\[\^[^\s\[\]^]*\.\Z"),
    "[": re.compile(r"\A\[\^[^\s\[\]^]+\]:[ \t]*\[\Z"),
    " ": re.compile(rf"\A\[\^[^\s\[\]^]+\]:[ \t]+\Z|{_TYPED}\Z"),
    "=": re.compile(rf"{_TYPED}=\Z"),
    '"': re.compile(rf"{_TYPED}=\"\Z"),
}
_YAML_OPENERS = (" ", "\n")

_MARKERS = {"%%": Phrase("start of a message cell"), "%%%": Phrase("start of an output cell")}


def complete(snapshot: Snapshot, offset: int) -> Completions:
    """The suggestions at ``offset``."""
    cursor = Cursor(snapshot, offset)
    placed = cursor.placed
    if placed is not None:
        inside = _in_yaml(cursor, placed.cell)
        if inside is not None:
            return inside
        fenced = _in_fence(cursor, placed.cell)
        if fenced is not None:
            return fenced
    for source in (in_header, _at_marker, in_definition, in_prose, _in_pragma):
        found = source(cursor)
        if found is not None:
            return found
    return Completions()


def opens(snapshot: Snapshot, offset: int, character: str) -> bool:
    """Whether a list may open by itself after ``character`` was typed right before ``offset``."""
    cursor = Cursor(snapshot, offset)
    pattern = _OPENERS.get(character)
    if pattern is not None and pattern.search(cursor.before):
        return True
    if character not in _YAML_OPENERS or cursor.placed is None:
        return False
    return _in_yaml(cursor, cursor.placed.cell) is not None


# ---------------------------------------------------------------------------
# YAML and fences


def _in_yaml(cursor: Cursor, cell: Cell) -> Completions | None:
    inside = cursor.line_in_cell
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
    names = snippets.agents_first_default(cursor.document)
    above, below = cell.text[:inside], cell.text[inside : span.end]
    found = yaml_items(
        cursor.before,
        cursor.after,
        above,
        below,
        agents=names,
        sectioned=isinstance(cursor.document.format, SectionedMessageFile),
    )
    return _yaml(cursor, found)


def _yaml(cursor: Cursor, found: Iterable[YamlItem]) -> Completions:
    newline = cursor.document.newline
    items = []
    for said in found:
        snippet = said.text.replace("\n", newline)
        edit = cursor.edit(said.typed, said.rest, plain(snippet))
        kind = ItemKind.KEY if said.is_key else ItemKind.VALUE
        items.append(Item(said.label, kind, edit, "", snippet, None, said.topic))
    return Completions(tuple(items))


def _in_fence(cursor: Cursor, cell: Cell) -> Completions | None:
    """Languages after an opening fence; nothing inside one; ``None`` outside."""
    inside = cursor.line_in_cell
    number = bisect_right(cell.fences, inside, key=lambda fence: fence.span.start) - 1
    if number < 0:
        return None
    fence = cell.fences[number]
    if inside == fence.span.start:
        match = _FENCE_INFO.match(cursor.before)
        if match is None:
            return Completions()
        return cursor.languages(match.group(1))
    runs_on = fence.close is None and not fence.in_list and inside <= fence.span.end
    return Completions() if inside < fence.span.end or runs_on else None


# ---------------------------------------------------------------------------
# Markers and whole cells


def _at_marker(cursor: Cursor) -> Completions | None:
    match = MARKER.fullmatch(cursor.before)
    if match is None or cursor.after.strip(" \t"):
        return None
    hashes, percents = match.groups()
    typed = cursor.before.removeprefix("\ufeff")
    items = list(_cells(cursor, typed, hashes, percents))
    for marker, detail in _MARKERS.items():
        text = f"{'#' * _depth(cursor, hashes)} {marker}"
        if marker.startswith(percents) and typed.rstrip(" \t") != text:
            edit = cursor.edit(typed, "", text + " ")
            items.append(Item(text, ItemKind.MARKER, edit, detail))
    if not cursor.line and not hashes and not percents:
        items.append(_frontmatter(cursor))
    return Completions(tuple(items))


def _depth(cursor: Cursor, hashes: str) -> int:
    header = None if cursor.placed is None else cursor.placed.cell.header
    return len(hashes) or (1 if header is None else header.depth)


def _cells(cursor: Cursor, typed: str, hashes: str, percents: str) -> Iterator[Item]:
    newline = cursor.document.newline
    depth = _depth(cursor, hashes)
    found = snippets.templates(cursor.document, cursor.cells_before, depth, cursor.now)
    for template in found:
        if percents == "%%%" and template.kind is not CellKind.OUTPUT:
            continue
        snippet = template.text.replace("\n", newline)
        edit = cursor.edit(typed, cursor.after, plain(snippet))
        filter_text = f"{template.text.partition(' $1')[0]} {template.label}"
        item = Item(template.label, ItemKind.CELL, edit, template.detail, snippet, filter_text)
        # Edits may not touch each other.
        yield item._replace(also=tuple(e for e in template.also if e.span.end < edit.span.start))


def _frontmatter(cursor: Cursor) -> Item:
    newline = cursor.document.newline
    text = "---\nagents:\n  ${1:name}:\n    models: [${2:model}]\n---\n$0".replace("\n", newline)
    typed = cursor.before.removeprefix("\ufeff")
    edit = cursor.edit(typed, cursor.after, plain(text))
    return Item("---", ItemKind.CELL, edit, Phrase("frontmatter with an agent"), text)


# ---------------------------------------------------------------------------
# Comments that suppress a rule


def _in_pragma(cursor: Cursor) -> Completions | None:
    match = _PRAGMA.match(cursor.before)
    return None if match is None else Completions(tuple(cursor.rules(match.group(1))))


# ---------------------------------------------------------------------------
# More about an item


def documentation(snapshot: Snapshot, topic: tuple[str, str]) -> tuple[Part, ...]:
    """The documentation of an item, requested when it is selected in the list."""
    document = snapshot.document
    kind, name = topic
    if kind == "attribute" and name in ATTRIBUTES:
        return tuple(attribute_parts(ATTRIBUTES[name]))
    if kind == "type":
        return tuple(type_parts(document, name))
    if kind == "agent":
        return tuple(agent_parts(document, name))
    if kind == "agent-attribute":
        return tuple(agent_attribute_parts(name))
    if kind == "frontmatter":
        return tuple(frontmatter_key_parts(name))
    if kind == "rule":
        return tuple(rule_parts(name))
    if kind == "cell":
        for entry in document.entries("header", name)[:1]:
            return tuple(preview_parts(document, document.cell(entry.label)))
    return ()

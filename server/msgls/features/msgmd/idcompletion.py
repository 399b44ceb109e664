"""Completion of ids: new ones in headers, existing ones everywhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.features.completion import Completions, Item, ItemKind
from msgls.features.msgmd import snippets
from msgls.features.msgmd.cursor import Cursor, closing_of
from msgls.features.msgmd.outline import cell_name
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.lexer import MARKS
from msgls.formats.msgmd.meaning import meaning_of
from msgls.formats.prose import code_spans
from msgls.rules.msgmd.ids import next_child
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.phrases import Phrase

MOST_IDS = 150
_MOST_CELLS = 400

MARKER = re.compile(r"\ufeff?(#{0,5})[ \t]*(?![ \t])(%{0,3})[ \t]*")
REST_OF_ID = re.compile(r"\A[^\s\[\]^]*(?=\])")
_HEADER_ID = re.compile(rf"\ufeff?({MARKS})(?:[ \t][^\r\n]*)?\[\^(?P<id>[^\s\[\]^]*)\Z")
_HEADER = re.compile(rf"\ufeff?{MARKS}(?:[ \t]|\[\^)")
_REFERENCE = re.compile(r"(?<!\\)\[\^(?P<id>[^\s\[\]^]*)\Z")


def in_header(cursor: Cursor) -> Completions | None:
    """New ids in a header; ``None`` if the line is not a header."""
    match = _HEADER_ID.match(cursor.before)
    if match is None:
        # In a title, there is nothing to suggest.
        is_title = _HEADER.match(cursor.before) and not MARKER.fullmatch(cursor.before)
        return Completions() if is_title else None
    typed = match.group("id")
    rest, closing = closing_of(cursor.after, REST_OF_ID)
    is_output = match.group(1).endswith("%%%")
    items = []
    for new_id, detail in dict(_new_ids(cursor, typed, is_output)).items():
        edit = cursor.edit(typed, rest, new_id + closing)
        items.append(Item(new_id, ItemKind.ID, edit, detail))
    return Completions(tuple(items), incomplete=True)


def _new_ids(cursor: Cursor, typed: str, is_output: bool) -> Iterator[tuple[str, str]]:
    document = cursor.document
    before = cursor.cells_before
    home = None if cursor.placed is None else cursor.placed.cell.home
    if home is not None and home.id.text and not document.entries("header", home.id.text):
        yield home.id.text, Phrase("defined below")
    if not is_output:
        yield snippets.free_id(document, before, CellKind.MESSAGE), Phrase("next free id")
        return
    yield from _children_of_typed(cursor, typed)
    free = snippets.free_id(document, before, CellKind.OUTPUT)
    yield free, Phrase("next free id, for an answer")
    for call in before.some(CellRole.CALL, 3):
        yield _next_child(cursor, call.cell.id or "", CellRole.CALL)
    for code in before.some(CellRole.CODE, 2):
        yield _next_child(cursor, code.cell.id or "", CellRole.CODE)
    for answer in before.some(CellRole.ANSWER, 2):
        answer_id = answer.cell.id or ""
        if typed.startswith(answer_id + "."):
            continue  # Offered above: one new nonce is enough.
        yield _new_call(cursor, answer_id)


def _new_call(cursor: Cursor, answer_id: str) -> tuple[str, str]:
    detail = Phrase("tool call by {id}, new nonce", id=answer_id)
    return snippets.call_id(cursor.document, answer_id), detail


def _next_child(cursor: Cursor, parent_id: str, role: CellRole) -> tuple[str, str]:
    """The next run of a code cell, or the next result of a call."""
    detail = Phrase("result of {id}", id=parent_id)
    if role is CellRole.CODE:
        detail = Phrase("run of {id}", id=parent_id)
    return next_child(cursor.document, parent_id), detail


def _children_of_typed(cursor: Cursor, typed: str) -> Iterator[tuple[str, str]]:
    """The ids of new children, if the id of their parent is typed already."""
    document = cursor.document
    parent_id = CellId(typed).parent
    for entry in document.entries("header", parent_id)[:1] if parent_id else ():
        role = meaning_of(document, document.cell(entry.label)).role
        if role is CellRole.ANSWER:
            yield _new_call(cursor, parent_id)
            for child in document.entries("child", parent_id)[-3:]:
                child_id = document.cell(child.label).cell.id or ""
                yield _next_child(cursor, child_id, CellRole.CALL)
        elif role in (CellRole.CODE, CellRole.CALL):
            yield _next_child(cursor, parent_id, role)


def in_prose(cursor: Cursor) -> Completions | None:
    """The ids for a reference; ``None`` if none is being typed."""
    match = _REFERENCE.search(cursor.before)
    if match is None or _in_code(cursor, match.start()):
        return None
    return existing_ids(cursor, match.group("id"))


def _in_code(cursor: Cursor, column: int) -> bool:
    line = cursor.before + cursor.after
    return any(start < column < end for start, end in code_spans(line, 0, len(line)))


def existing_ids(cursor: Cursor, typed: str, first: Iterable[Item] = ()) -> Completions:
    """The items in ``first``, then the ids in the file that begin with what is typed."""
    rest, closing = closing_of(cursor.after, REST_OF_ID)
    items = list(first)
    taken = {item.label for item in items}
    found, all_seen = _nearby_ids(cursor, typed)
    for name, detail in found:
        if name not in taken:
            taken.add(name)
            edit = cursor.edit(typed, rest, name + closing)
            items.append(Item(name, ItemKind.ID, edit, detail, topic=("cell", name)))
    return Completions(tuple(items), incomplete=not all_seen)


def _nearby_ids(cursor: Cursor, typed: str) -> tuple[list[tuple[str, str]], bool]:
    """The ids that begin with what is typed, the nearest first; and whether these are all."""
    document = cursor.document
    found: list[tuple[str, str]] = []
    if cursor.placed is not None:
        for definition in cursor.placed.cell.definitions:
            name = definition.id.text
            if not definition.is_typed and name.startswith(typed) and name:
                found.append((name, Phrase("footnote")))
    for entry in document.entries("header", typed)[:1] if typed else ():
        found += _described(document, document.cell(entry.label), typed)
    middle = document.number_at_offset(cursor.offset) or 0
    furthest = max(middle, document.cell_count - middle)
    for distance in range(min(furthest + 1, _MOST_CELLS)):
        for number in {middle - distance, middle + distance}:
            if 0 <= number < document.cell_count:
                found += _described(document, document.cell_number(number), typed)
        if len(found) >= MOST_IDS:
            return found[:MOST_IDS], False
    return found, furthest < _MOST_CELLS


def _described(document: Document, placed: Placed, typed: str) -> list[tuple[str, str]]:
    cell_id = placed.cell.id
    if not cell_id or not cell_id.startswith(typed):
        return []
    return [(cell_id, cell_name(meaning_of(document, placed)))]

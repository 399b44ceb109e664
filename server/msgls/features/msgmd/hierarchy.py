"""Call hierarchy: an answer calls tools, a call has results, a code cell has runs."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.hierarchy import HierarchyItem
from msgls.features.msgmd.outline import KINDS, detail
from msgls.formats.base import CellRole, Meaning
from msgls.syntax.cells import CellKind
from msgls.text.spans import Span

_CALLERS = (CellRole.ANSWER, CellRole.CALL, CellRole.CODE)


def item_at(snapshot: Snapshot, offset: int) -> HierarchyItem | None:
    """The cell at ``offset``, if it can be part of a hierarchy."""
    document = snapshot.document
    placed = document.cell_at_offset(offset)
    if placed is None or placed.cell.kind is CellKind.PREAMBLE or not placed.cell.id:
        return None
    return _item(snapshot.meaning(placed))


def _item(meaning: Meaning) -> HierarchyItem:
    cell = meaning.cell
    selection = Span(0, 0) if cell.header is None else cell.header.span
    name = cell.title or cell.id or ""
    return HierarchyItem(name, detail(meaning), KINDS[meaning.role], meaning.placed, selection)


def outgoing(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """What the cell asked for: calls of an answer, results of a call, runs of code."""
    document = snapshot.document
    cell_id = item.placed.cell.id
    for entry in document.entries("child", cell_id) if cell_id else ():
        meaning = snapshot.meaning_at(entry.order)
        if meaning.parent_id == cell_id:
            yield _item(meaning)


def incoming(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """Who asked for the cell: the last cell before it with its parent's id."""
    document = snapshot.document
    parent_id = snapshot.meaning(item.placed).parent_id
    if parent_id is None:
        return
    headers = document.entries("header", parent_id)
    before = [entry for entry in headers if entry.order < item.placed.order]
    for entry in before[-1:]:
        meaning = snapshot.meaning_at(entry.order)
        if meaning.role in _CALLERS:
            yield _item(meaning)

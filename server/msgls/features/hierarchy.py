"""The call hierarchy: an answer calls tools, a call has results, a code cell has runs."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import CellRole, Meaning, meaning_of
from msgls.model.cells import CellKind

_CALLERS = (CellRole.ANSWER, CellRole.CALL, CellRole.CODE)


def item_at(document: Document, offset: int) -> Meaning | None:
    """The cell at ``offset``, if it can be part of a hierarchy."""
    placed = document.cell_at_offset(offset)
    if placed is None or placed.cell.kind is CellKind.PREAMBLE or not placed.cell.id:
        return None
    return meaning_of(document, placed)


def outgoing(document: Document, placed: Placed) -> Iterator[Meaning]:
    """What the cell asked for: calls of an answer, results of a call, runs of code."""
    if not placed.cell.id:
        return
    for entry in document.entries("child", placed.cell.id):
        meaning = meaning_of(document, document.cell(entry.order))
        if meaning.parent_id == placed.cell.id:
            yield meaning


def incoming(document: Document, placed: Placed) -> Iterator[Meaning]:
    """Who asked for the cell: the last cell before it with its parent's id."""
    parent_id = meaning_of(document, placed).parent_id
    if parent_id is None:
        return
    before = [e for e in document.entries("header", parent_id) if e.order < placed.order]
    for entry in before[-1:]:
        meaning = meaning_of(document, document.cell(entry.order))
        if meaning.role in _CALLERS:
            yield meaning

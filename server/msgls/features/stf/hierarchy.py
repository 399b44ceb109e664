"""Call hierarchy of a Simple Text Format file: a message calls tools, a call has results."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.hierarchy import HierarchyItem
from msgls.features.outline import NodeKind
from msgls.features.stf.meaning import answers, call_answered, cell_of, is_message, is_result
from msgls.features.stf.outline import call_name, detail, head_of, message_name
from msgls.formats.base import Placed
from msgls.formats.stf.calls import CallPlace, calls_in
from msgls.text.spans import Span


def item_at(snapshot: Snapshot, offset: int) -> HierarchyItem | None:
    """The call at ``offset``, else the message, if it calls or answers."""
    document = snapshot.document
    placed = document.cell_at_offset(offset)
    if placed is None or not is_message(placed):
        return None
    call = _call_at(placed, offset - placed.start_offset)
    if call is not None:
        return _call_item(placed, call)
    cell = cell_of(placed)
    if (cell is not None and calls_in(cell)) or is_result(document, placed):
        return _message_item(document, placed)
    return None


def _call_at(placed: Placed, at: int) -> CallPlace | None:
    cell = cell_of(placed)
    calls = () if cell is None else calls_in(cell)
    return next((call for call in calls if call.span.contains(at)), None)


def _call_item(placed: Placed, call: CallPlace) -> HierarchyItem:
    selection = Span(call.span.start, max(call.selection.end, call.span.start))
    return HierarchyItem(call_name(call), call.id or "", NodeKind.CALL, placed, selection)


def _message_item(document: Document, placed: Placed) -> HierarchyItem:
    kind, name = message_name(document, placed)
    cell = cell_of(placed)
    if cell is None:
        return HierarchyItem(name, "", kind, placed, Span(0, 0))
    return HierarchyItem(name, detail(cell), kind, placed, head_of(cell))


def outgoing(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """What it asked for: the calls of a message, the results of a call."""
    document = snapshot.document
    cell = cell_of(item.placed)
    if cell is None:
        return
    if item.kind is NodeKind.CALL:
        call = _call_at(item.placed, item.selection.start)
        for answer in () if call is None else answers(document, item.placed, call):
            yield _message_item(document, answer)
        return
    for call in calls_in(cell):
        yield _call_item(item.placed, call)


def incoming(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """Who asked for it: the message of a call, the call of a result."""
    document = snapshot.document
    if item.kind is NodeKind.CALL:
        yield _message_item(document, item.placed)
        return
    found = call_answered(document, item.placed)
    if found is not None:
        yield _call_item(found.placed, found.call)

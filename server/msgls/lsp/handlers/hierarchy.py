"""Call hierarchy: who asked for what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types as lsp

from msgls.document.snapshot import Snapshot
from msgls.features import hierarchy
from msgls.features.hierarchy import HierarchyItem
from msgls.lsp.convert import TextRanges, offset_at
from msgls.lsp.handlers.outline import SYMBOLS
from msgls.lsp.session import OpenDocument, Session


def prepare(session: Session, params: lsp.CallHierarchyPrepareParams) -> list[dict[str, Any]]:
    """The item at the cursor."""
    opened, offset = session.place(params)
    item = hierarchy.item_at(opened.snapshot, offset)
    return [] if item is None else [_encode(opened, item, session)]


def incoming(
    session: Session, params: lsp.CallHierarchyIncomingCallsParams
) -> list[dict[str, Any]]:
    """What an item was called by."""
    return list(_calls(session, params.item, "from", hierarchy.incoming))


def outgoing(
    session: Session, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[dict[str, Any]]:
    """The calls that an item makes."""
    return list(_calls(session, params.item, "to", hierarchy.outgoing))


def _calls(
    session: Session,
    asked: lsp.CallHierarchyItem,
    side: str,
    follow: Callable[[Snapshot, HierarchyItem], Iterator[HierarchyItem]],
) -> Iterator[dict[str, Any]]:
    opened = session.get(asked.uri)
    snapshot = opened.snapshot
    offset = offset_at(snapshot.document, asked.selection_range.start, session.encoding)
    origin = hierarchy.item_at(snapshot, offset)
    if origin is None:
        return
    own = TextRanges.of(origin.placed, session.encoding).range(origin.symbol.selection)
    for item in follow(snapshot, origin):
        other = _encode(opened, item, session)
        yield {side: other, "fromRanges": [other["selectionRange"] if side == "from" else own]}


def _encode(opened: OpenDocument, item: HierarchyItem, session: Session) -> dict[str, Any]:
    ranges = TextRanges.of(item.placed, session.encoding)
    return {
        "name": session.say(opened, item.symbol.name),
        "detail": session.say(opened, item.symbol.detail),
        "kind": int(SYMBOLS[item.symbol.kind]),
        "uri": opened.uri,
        "range": {"start": ranges.position(0), "end": ranges.end},
        "selectionRange": ranges.range(item.symbol.selection),
    }

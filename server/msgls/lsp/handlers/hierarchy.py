"""Call hierarchy: answers, calls, results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types as lsp

from msgls.document.document import Document
from msgls.features import hierarchy
from msgls.features.outline import detail
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import CellRole, Meaning
from msgls.lsp.convert import CellRanges, offset_at
from msgls.lsp.session import Session
from msgls.text.spans import Span

_KINDS = {
    CellRole.ANSWER: lsp.SymbolKind.Class,
    CellRole.CALL: lsp.SymbolKind.Function,
    CellRole.RESULT: lsp.SymbolKind.Event,
    CellRole.CODE: lsp.SymbolKind.Module,
    CellRole.RUN: lsp.SymbolKind.Variable,
}


def prepare(session: Session, params: lsp.CallHierarchyPrepareParams) -> list[dict[str, Any]]:
    """The cell at the cursor."""
    opened = session.get(params.text_document.uri)
    offset = offset_at(opened.document, params.position, session.encoding)
    meaning = hierarchy.item_at(opened.document, offset)
    return [] if meaning is None else [_item(opened.uri, meaning, session)]


def incoming(
    session: Session, params: lsp.CallHierarchyIncomingCallsParams
) -> list[dict[str, Any]]:
    """Who asked for the cell."""
    return list(_calls(session, params.item, "from", hierarchy.incoming))


def outgoing(
    session: Session, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[dict[str, Any]]:
    """What the cell asked for."""
    return list(_calls(session, params.item, "to", hierarchy.outgoing))


def _calls(
    session: Session,
    item: lsp.CallHierarchyItem,
    side: str,
    follow: Callable[[Document, Placed], Iterator[Meaning]],
) -> Iterator[dict[str, Any]]:
    opened = session.get(item.uri)
    offset = offset_at(opened.document, item.selection_range.start, session.encoding)
    placed = opened.document.cell_at_offset(offset)
    if placed is None:
        return
    for meaning in follow(opened.document, placed):
        other = _item(item.uri, meaning, session)
        own = CellRanges(placed, session.encoding).range(_selection(placed))
        yield {side: other, "fromRanges": [other["selectionRange"] if side == "from" else own]}


def _selection(placed: Placed) -> Span:
    header = placed.cell.header
    return Span(0, 0) if header is None else header.span


def _item(uri: str, meaning: Meaning, session: Session) -> dict[str, Any]:
    ranges = CellRanges(meaning.placed, session.encoding)
    return {
        "name": meaning.cell.title or meaning.cell.id or "",
        "detail": detail(meaning),
        "kind": int(_KINDS.get(meaning.role, lsp.SymbolKind.Field)),
        "uri": uri,
        "range": {"start": ranges.position(0), "end": ranges.end},
        "selectionRange": ranges.range(_selection(meaning.placed)),
    }

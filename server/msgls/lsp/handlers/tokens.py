"""Semantic tokens: full, delta and range."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types as lsp

from msgls.features.tokens import CellTokens, tokens
from msgls.lsp.convert import CellRanges, span_of
from msgls.lsp.progress import Sliced, in_slices
from msgls.lsp.session import OpenDocument, Session
from msgls.text.lines import Encoding

_Tokens = dict[str, Any]


def full(session: Session, params: lsp.SemanticTokensParams) -> Sliced[_Tokens]:
    """All tokens of a document."""
    opened = session.get(params.text_document.uri)
    snapshot = opened.snapshot
    return in_slices(
        snapshot.document,
        lambda: _remember(session, opened, _encode(tokens(snapshot), session.encoding)),
    )


def delta(session: Session, params: lsp.SemanticTokensDeltaParams) -> Sliced[_Tokens]:
    """What changed since an earlier answer; all tokens, if that is not known any more."""
    opened = session.get(params.text_document.uri)
    snapshot = opened.snapshot

    def answer() -> _Tokens:
        data = _encode(tokens(snapshot), session.encoding)
        before = session.tokens.get(opened.uri)
        if before is None or before[0] != params.previous_result_id:
            return _remember(session, opened, data)
        edits = difference(before[1], data)
        return {"resultId": _remember(session, opened, data)["resultId"], "edits": edits}

    return in_slices(snapshot.document, answer)


def in_range(session: Session, params: lsp.SemanticTokensRangeParams) -> dict[str, Any]:
    """The tokens of the cells that a range touches."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    span = span_of(document, params.range, session.encoding)
    first, last = document.number_at_offset(span.start) or 0, document.number_at_offset(span.end)
    if last is None:
        return {"data": []}
    return {"data": _encode(tokens(snapshot, first, last + 1), session.encoding)}


def _remember(session: Session, opened: OpenDocument, data: list[int]) -> dict[str, Any]:
    result_id = session.next_result_id()
    session.tokens[opened.uri] = result_id, data
    return {"resultId": result_id, "data": data}


def difference(before: list[int], now: list[int]) -> list[dict[str, Any]]:
    """One edit between what is equal at the start and at the end."""
    if before == now:
        return []
    shorter = min(len(before), len(now))
    start = 0
    while start < shorter and before[start] == now[start]:
        start += 1
    tail = 0
    while tail < shorter - start and before[-1 - tail] == now[-1 - tail]:
        tail += 1
    inserted = now[start : len(now) - tail]
    return [{"start": start, "deleteCount": len(before) - start - tail, "data": inserted}]


def _encode(cells: Iterable[CellTokens], encoding: Encoding) -> list[int]:
    """Five numbers a token: lines and columns since the one before it, length, type, modifiers."""
    data: list[int] = []
    last_line = last_start = 0
    for placed, found in cells:
        ranges = CellRanges(placed, encoding)
        for token in found:
            line, start = ranges.position(token.start).values()
            length = ranges.position(token.end)["character"] - start
            if line != last_line:
                last_start = 0
            data += (line - last_line, start - last_start, length, token.type, token.modifiers)
            last_line, last_start = line, start
    return data

"""Semantic tokens: full, delta and range."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.tokens import CellTokens, tokens
from msgls.lsp.convert import TextRanges, span_of
from msgls.lsp.params import Encoded, to_json
from msgls.lsp.progress import listed
from msgls.lsp.session import OpenDocument, Session
from msgls.text.lines import Encoding
from msgls.text.work import Pausing, Work

# Numbers that are compared or encoded between two pauses.
_MANY = 2_000
# Tokens whose positions are found between two pauses.
_PORTION = 500


def full(session: Session, params: lsp.SemanticTokensParams) -> Work[Encoded]:
    """All tokens of a document."""
    opened = session.get(params.text_document.uri)
    data = yield from _encoded((yield from tokens.work(opened.snapshot)), session.encoding)
    return (yield from _all_of(data, _remember(session, opened, data)))


def delta(session: Session, params: lsp.SemanticTokensDeltaParams) -> Work[Encoded]:
    """What changed since an earlier result; all tokens, if that is not known any more."""
    opened = session.get(params.text_document.uri)
    data = yield from _encoded((yield from tokens.work(opened.snapshot)), session.encoding)
    before = session.tokens.get(opened.uri)
    result_id = _remember(session, opened, data)
    if before is None or before[0] != params.previous_result_id:
        return (yield from _all_of(data, result_id))
    edits = yield from difference.work(before[1], data)
    return Encoded(to_json({"resultId": result_id, "edits": edits}).encode())


def in_range(session: Session, params: lsp.SemanticTokensRangeParams) -> Work[Encoded]:
    """The tokens of the cells that a range touches."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    span = span_of(document, params.range, session.encoding)
    first, last = document.number_at_offset(span.start) or 0, document.number_at_offset(span.end)
    found = yield from tokens.work(snapshot, first, 0 if last is None else last + 1)
    return (yield from _all_of((yield from _encoded(found, session.encoding))))


def _remember(session: Session, opened: OpenDocument, data: list[int]) -> str:
    result_id = session.next_result_id()
    session.tokens[opened.uri] = result_id, data
    return result_id


def _all_of(data: list[int], result_id: str | None = None) -> Work[Encoded]:
    numbers = yield from listed(data, _MANY)
    head = "" if result_id is None else f'"resultId":{to_json(result_id)},'
    return Encoded(f'{{{head}"data":'.encode() + numbers.json + b"}")


@Pausing
def difference(before: list[int], now: list[int]) -> Work[list[dict[str, Any]]]:
    """One edit between what is equal at the start and at the end."""
    shorter = min(len(before), len(now))
    start = yield from _shared(before, now, shorter)
    if start == len(before) == len(now):
        return []
    tail = yield from _shared(before[::-1], now[::-1], shorter - start)
    inserted = now[start : len(now) - tail]
    return [{"start": start, "deleteCount": len(before) - start - tail, "data": inserted}]


def _shared(before: list[int], now: list[int], most: int) -> Work[int]:
    """How many numbers two lists share at their starts."""
    for at in range(0, most, _MANY):
        blocks = before[at : min(at + _MANY, most)], now[at : min(at + _MANY, most)]
        if blocks[0] != blocks[1]:
            return at + [a == b for a, b in zip(*blocks, strict=True)].index(False)
        yield
    return most


def _encoded(cells: list[CellTokens], encoding: Encoding) -> Work[list[int]]:
    """Five numbers for each token: line and column from the last one, length, type, modifiers."""
    data: list[int] = []
    last_line = last_start = 0
    for placed, found in cells:
        ranges = TextRanges.of(placed, encoding)
        for number, token in enumerate(found, 1):
            if not number % _PORTION:
                yield
            line, start = ranges.position(token.start).values()
            length = ranges.position(token.end)["character"] - start
            if line != last_line:
                last_start = 0
            data += (line - last_line, start - last_start, length, token.type, token.modifiers)
            last_line, last_start = line, start
        yield
    return data

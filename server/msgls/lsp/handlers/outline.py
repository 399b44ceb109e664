"""``textDocument/documentSymbol``: the outline, nested or flat as the client can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from lsprotocol import types as lsp

from msgls.features.outline import CELLS, OutlineNode, SymbolKind, outline
from msgls.lsp.convert import CellRanges
from msgls.lsp.params import uri_in
from msgls.lsp.progress import Sliced, in_slices
from msgls.lsp.session import Session
from msgls.text.lines import Encoding

_Symbols = list[dict[str, Any]]
Say = Callable[[str], str]

SYMBOLS = {
    SymbolKind.FRONTMATTER: lsp.SymbolKind.Namespace,
    SymbolKind.FIELD: lsp.SymbolKind.Property,
    SymbolKind.AGENT: lsp.SymbolKind.Object,
    SymbolKind.HEADING: lsp.SymbolKind.String,
    SymbolKind.MESSAGE: lsp.SymbolKind.Field,
    SymbolKind.CODE: lsp.SymbolKind.Module,
    SymbolKind.ANSWER: lsp.SymbolKind.Class,
    SymbolKind.CALL: lsp.SymbolKind.Function,
    SymbolKind.RESULT: lsp.SymbolKind.Event,
    SymbolKind.RUN: lsp.SymbolKind.Variable,
    SymbolKind.FILE: lsp.SymbolKind.File,
}


def document_symbol(session: Session, params: lsp.DocumentSymbolParams) -> Sliced[_Symbols]:
    """The outline of a document."""
    opened = session.get(params.text_document.uri)
    snapshot, uri = opened.snapshot, opened.uri
    encoding, say = session.encoding, session.speaker(opened)

    def answer() -> _Symbols:
        nodes = outline(snapshot)
        if _is_hierarchical(session):
            return [_nested(node, encoding, say, snapshot.now) for node in nodes]
        return [symbol for node in nodes for symbol in flat(node, uri, "", encoding, say)]

    return in_slices(snapshot.document, answer)


def cells(session: Session, params: Mapping[str, Any]) -> Sliced[dict[str, Any]]:
    """``msgls/cells``, a request of our own: where each cell starts, and what it is."""
    opened = session.get(uri_in(params))
    snapshot, version = opened.snapshot, opened.version

    def answer() -> dict[str, Any]:
        found = [
            {"line": _line(node), "kind": node.kind.value}
            for root in outline(snapshot)
            for node in root.all()
            if node.kind in CELLS
        ]
        return {"version": version, "cells": found}

    return in_slices(snapshot.document, answer)


def _line(node: OutlineNode) -> int:
    line: int = CellRanges(node.placed, "utf-32").position(node.selection.start)["line"]
    return line


def _is_hierarchical(session: Session) -> bool:
    text_document = session.capabilities.text_document
    symbols = None if text_document is None else text_document.document_symbol
    return bool(symbols and symbols.hierarchical_document_symbol_support)


def _nested(node: OutlineNode, encoding: Encoding, say: Say, now: datetime) -> dict[str, Any]:
    ranges = CellRanges(node.placed, encoding)
    last, offset = node.end
    end_ranges = ranges if last is node.placed else CellRanges(last, encoding)
    selection = ranges.range(node.selection)
    end = end_ranges.position(offset)
    symbol: dict[str, Any] = {
        "name": say(node.name),
        "kind": int(SYMBOLS[node.kind]),
        "range": {"start": selection["start"], "end": end},
        "selectionRange": selection,
    }
    detail = node.beside(now)
    if detail:
        symbol["detail"] = say(detail)
    if node.children:
        symbol["children"] = [_nested(child, encoding, say, now) for child in node.children]
    return symbol


def flat(
    node: OutlineNode, uri: str, container: str, encoding: Encoding, say: Say
) -> Iterator[dict[str, Any]]:
    """A node and all below it, one after the other."""
    selection = CellRanges(node.placed, encoding).range(node.selection)
    name = say(node.name)
    symbol = {
        "name": name,
        "kind": int(SYMBOLS[node.kind]),
        "location": {"uri": uri, "range": selection},
    }
    yield {**symbol, "containerName": container} if container else symbol
    for child in node.children:
        yield from flat(child, uri, name, encoding, say)

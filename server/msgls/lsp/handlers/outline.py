"""``textDocument/documentSymbol``: the outline, nested if the client supports that, else flat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from lsprotocol import types as lsp

from msgls.features.outline import CELLS, OutlineNode, SymbolKind, outline
from msgls.lsp.convert import TextRanges
from msgls.lsp.params import Encoded, to_json, uri_in
from msgls.lsp.progress import listed, written
from msgls.lsp.session import Session
from msgls.text.lines import Encoding
from msgls.text.work import Work

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


def document_symbol(session: Session, params: lsp.DocumentSymbolParams) -> Work[Encoded]:
    """The outline of a document."""
    opened = session.get(params.text_document.uri)
    snapshot = opened.snapshot
    encoding, say = session.encoding, session.speaker(opened)
    nodes = yield from outline.work(snapshot)
    if session.capability("text_document.document_symbol.hierarchical_document_symbol_support"):
        pieces = _nested(nodes, encoding, say, snapshot.now)
        return Encoded((yield from written(pieces)))
    symbols = (symbol for node in nodes for symbol in flat(node, opened.uri, "", encoding, say))
    return (yield from listed(symbols))


def cells(session: Session, params: Mapping[str, Any]) -> Work[Encoded]:
    """``msgls/cells``, a request of our own: the first line and the kind of each cell."""
    opened = session.get(uri_in(params))
    version = to_json(opened.version)
    nodes = yield from outline.work(opened.snapshot)
    found = yield from listed(
        {"line": _line(node), "kind": node.kind.value}
        for root in nodes
        for node in root.all()
        if node.kind in CELLS
    )
    return Encoded(f'{{"version":{version},"cells":'.encode() + found.json + b"}")


def _line(node: OutlineNode) -> int:
    line: int = TextRanges.of(node.placed, "utf-32").position(node.selection.start)["line"]
    return line


def _nested(
    nodes: Iterable[OutlineNode], encoding: Encoding, say: Say, now: datetime
) -> Iterator[str]:
    """The JSON of an array of nodes with all below them, node by node."""
    comma = "["
    for node in nodes:
        symbol = to_json(_symbol(node, encoding, say, now))
        yield comma + (symbol[:-1] + ',"children":' if node.children else symbol)
        if node.children:
            yield from _nested(node.children, encoding, say, now)
            yield "}"
        comma = ","
    yield "[]" if comma == "[" else "]"


def _symbol(node: OutlineNode, encoding: Encoding, say: Say, now: datetime) -> dict[str, Any]:
    ranges = TextRanges.of(node.placed, encoding)
    last, offset = node.end
    end_ranges = ranges if last is node.placed else TextRanges.of(last, encoding)
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
    return symbol


def flat(
    node: OutlineNode, uri: str, container: str, encoding: Encoding, say: Say
) -> Iterator[dict[str, Any]]:
    """A node and all below it, one after the other."""
    selection = TextRanges.of(node.placed, encoding).range(node.selection)
    name = say(node.name)
    symbol = {
        "name": name,
        "kind": int(SYMBOLS[node.kind]),
        "location": {"uri": uri, "range": selection},
    }
    yield {**symbol, "containerName": container} if container else symbol
    for child in node.children:
        yield from flat(child, uri, name, encoding, say)

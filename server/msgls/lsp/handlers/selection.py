"""``textDocument/selectionRange``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.selection import selection_spans
from msgls.lsp.convert import offset_at, range_of
from msgls.lsp.session import Session


def selection_range(session: Session, params: lsp.SelectionRangeParams) -> list[dict[str, Any]]:
    """For each position, ranges from the smallest to the whole document."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    results = []
    for position in params.positions:
        chain: dict[str, Any] | None = None
        spans = selection_spans(snapshot, offset_at(document, position, session.encoding))
        for span in reversed(spans):
            link: dict[str, Any] = {"range": range_of(document, span, session.encoding)}
            if chain is not None:
                link["parent"] = chain
            chain = link
        results.append(chain or {})
    return results

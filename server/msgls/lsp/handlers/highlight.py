"""``textDocument/documentHighlight``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.highlight import highlights
from msgls.lsp.convert import range_of
from msgls.lsp.session import Session


def document_highlight(
    session: Session, params: lsp.DocumentHighlightParams
) -> list[dict[str, Any]]:
    """Where the name under the cursor is declared or defined (a write) and used (a read)."""
    opened, offset = session.place(params)
    kinds = lsp.DocumentHighlightKind
    return [
        {
            "range": range_of(opened.document, found.span, session.encoding),
            "kind": int(kinds.Write if found.is_declared else kinds.Read),
        }
        for found in highlights(opened.snapshot, offset)
    ]

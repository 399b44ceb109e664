"""``textDocument/diagnostic``: diagnostics for clients that ask for them."""

from __future__ import annotations

from lsprotocol import types as lsp

from msgls.lsp.protocol import Encoded
from msgls.lsp.session import Session


def document_diagnostic(session: Session, params: lsp.DocumentDiagnosticParams) -> Encoded:
    """Everything, or that nothing changed."""
    opened = session.get(params.text_document.uri)
    return Encoded(session.publisher.report(opened, params.previous_result_id))

"""Open, change, save, close: the only handlers that change documents.

``changed`` takes plain JSON: it runs at every key, and structuring its params
would cost more than all the rest.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.lsp.session import Session
from msgls.text.work import Work


def opened(session: Session, params: lsp.DidOpenTextDocumentParams) -> Work[None]:
    """The client opened a document."""
    item = params.text_document
    return session.open(item.uri, item.language_id, item.version, item.text)


def changed(session: Session, params: dict[str, Any]) -> None:
    """The client changed a document."""
    identifier = params["textDocument"]
    session.change(identifier["uri"], identifier.get("version"), params["contentChanges"])


def saved(session: Session, params: lsp.DidSaveTextDocumentParams) -> None:
    """The client saved a document."""
    session.save(params.text_document.uri, params.text)


def closed(session: Session, params: lsp.DidCloseTextDocumentParams) -> Work[None]:
    """The client closed a document."""
    return session.close(params.text_document.uri)

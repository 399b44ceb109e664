"""The yardstick: a stock pygls server that parses nothing and publishes nothing to see."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

server = LanguageServer("stock", "1")


def _publish(uri: str, version: int | None) -> None:
    server.text_document_publish_diagnostics(
        lsp.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=[])
    )


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(params: lsp.DidOpenTextDocumentParams) -> None:
    """Publish nothing."""
    _publish(params.text_document.uri, params.text_document.version)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: lsp.DidChangeTextDocumentParams) -> None:
    """Publish nothing."""
    _publish(params.text_document.uri, params.text_document.version)


if __name__ == "__main__":
    server.start_io()

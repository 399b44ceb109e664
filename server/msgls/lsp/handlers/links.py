"""``textDocument/documentLink``."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urljoin

from lsprotocol import types as lsp

from msgls.features.links import links
from msgls.lsp.convert import CellRanges
from msgls.lsp.session import Session


def document_link(session: Session, params: lsp.DocumentLinkParams) -> list[dict[str, Any]]:
    """The links of a document. They lead beside the document, never further than its URI can."""
    opened = session.get(params.text_document.uri)
    return [
        {
            "range": CellRanges(found.placed, session.encoding).range(found.link.span),
            "target": resolve(opened.uri, found.link.target),
        }
        for found in links(opened.snapshot)
    ]


def resolve(uri: str, target: str) -> str:
    """The URI of a relative path, seen from a document."""
    path, _, fragment = target.partition("#")
    joined = urljoin(uri, quote(path.replace("\\", "/"), safe="/%:@!$&'()*+,;=~-._"))
    return f"{joined}#{fragment}" if fragment else joined

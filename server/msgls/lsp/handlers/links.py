"""``textDocument/documentLink``."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urljoin

from lsprotocol import types as lsp

from msgls.features.links import PlacedLink, links
from msgls.lsp.convert import TextRanges
from msgls.lsp.params import Encoded
from msgls.lsp.progress import listed
from msgls.lsp.session import Session
from msgls.text.work import Work


def document_link(session: Session, params: lsp.DocumentLinkParams) -> Work[Encoded]:
    """The links of a document, each resolved against the URI of the document."""
    opened = session.get(params.text_document.uri)

    def encode(found: PlacedLink) -> dict[str, Any]:
        where = TextRanges.of(found.placed, session.encoding).range(found.link.span)
        return {"range": where, "target": resolve(opened.uri, found.link.target)}

    return (yield from listed(map(encode, (yield from links.work(opened.snapshot)))))


def resolve(uri: str, target: str) -> str:
    """The URI of a relative path, seen from a document."""
    path, _, fragment = target.partition("#")
    joined = urljoin(uri, quote(path.replace("\\", "/"), safe="/%:@!$&'()*+,;=~-._"))
    return f"{joined}#{fragment}" if fragment else joined

"""``textDocument/hover``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from msgls.features.hover import hover as find
from msgls.lsp.convert import content, offset_at, range_of
from msgls.lsp.session import Session


def hover(session: Session, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover for what is under the cursor, in the form that the client can show."""
    opened = session.get(params.text_document.uri)
    snapshot, encoding = opened.snapshot, session.encoding
    document = snapshot.document
    offset = offset_at(document, params.position, encoding)
    found = find(snapshot, offset)
    if found is None:
        return None
    formats = get_capability(session.capabilities, "text_document.hover.content_format")
    return {
        "contents": content(found.parts, formats, session.language(opened)),
        "range": range_of(document, found.span, encoding),
    }

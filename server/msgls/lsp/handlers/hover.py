"""``textDocument/hover``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.hover import hover as find
from msgls.lsp.convert import offset_at, range_of
from msgls.lsp.session import Session
from msgls.lsp.wishes import content


def hover(session: Session, params: lsp.HoverParams) -> dict[str, Any] | None:
    """What stands under the cursor, in the form that the client can show."""
    opened = session.get(params.text_document.uri)
    snapshot, encoding = opened.snapshot, session.encoding
    document = snapshot.document
    offset = offset_at(document, params.position, encoding)
    found = find(snapshot, offset)
    if found is None:
        return None
    form = ("text_document", "hover", "content_format")
    return {
        "contents": content(session, opened, found.parts, *form),
        "range": range_of(document, found.span, encoding),
    }

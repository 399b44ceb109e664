"""``textDocument/hover``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.hover import hover as find
from msgls.lsp.convert import content, range_of
from msgls.lsp.session import Session


def hover(session: Session, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover for what is under the cursor, in the form that the client can show."""
    opened, offset = session.place(params)
    found = find(opened.snapshot, offset)
    if found is None:
        return None
    formats = session.capability("text_document.hover.content_format")
    return {
        "contents": content(found.parts, formats, session.language(opened)),
        "range": range_of(opened.document, found.span, session.encoding),
    }

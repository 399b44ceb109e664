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
    document, encoding = opened.document, session.encoding
    offset = offset_at(document, params.position, encoding)
    found = find(document, offset, opened.checker.surroundings)
    if found is None:
        return None
    form = ("text_document", "hover", "content_format")
    return {
        "contents": content(session, opened, found.parts, *form),
        "range": range_of(document, found.span, encoding),
    }

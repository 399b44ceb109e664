"""``textDocument/references``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.references import references as find
from msgls.lsp.convert import offset_at, range_of
from msgls.lsp.session import Session


def references(session: Session, params: lsp.ReferenceParams) -> list[dict[str, Any]]:
    """Every place that says the name under the cursor."""
    opened = session.get(params.text_document.uri)
    document, encoding = opened.document, session.encoding
    offset = offset_at(document, params.position, encoding)
    declared = params.context.include_declaration
    others = opened.checker.surroundings.other_agents
    return [
        {"uri": opened.uri, "range": range_of(document, span, encoding)}
        for span in find(document, offset, declared, others)
    ]

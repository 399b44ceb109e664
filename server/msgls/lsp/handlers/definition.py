"""``textDocument/definition``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.definition import definition as find
from msgls.lsp.convert import offset_at, range_of
from msgls.lsp.session import Session
from msgls.lsp.wishes import wish


def definition(session: Session, params: lsp.DefinitionParams) -> list[dict[str, Any]] | None:
    """Where the name under the cursor leads: as links, where the client can take them."""
    opened = session.get(params.text_document.uri)
    document, encoding = opened.document, session.encoding
    offset = offset_at(document, params.position, encoding)
    jump = find(document, offset, opened.checker.surroundings.other_agents)
    if jump is None:
        return None
    if not wish(session, "text_document", "definition", "link_support"):
        return [
            {"uri": opened.uri, "range": range_of(document, target.span, encoding)}
            for target in jump.targets
        ]
    origin = range_of(document, jump.origin, encoding)
    return [
        {
            "originSelectionRange": origin,
            "targetUri": opened.uri,
            "targetRange": range_of(document, target.around, encoding),
            "targetSelectionRange": range_of(document, target.span, encoding),
        }
        for target in jump.targets
    ]

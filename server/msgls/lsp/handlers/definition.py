"""``textDocument/definition``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from msgls.features.definition import Jump, Target, introduced
from msgls.features.definition import definition as find
from msgls.lsp.convert import range_of
from msgls.lsp.session import OpenDocument, Session


def definition(session: Session, params: lsp.DefinitionParams) -> list[dict[str, Any]] | None:
    """Where the name under the cursor is defined: as links, if the client supports them."""
    opened, offset = session.place(params)
    encoding = session.encoding
    jump = find(opened.snapshot, offset)
    if jump is None:
        return None
    found = list(_targets(session, opened, jump))
    if not session.capability("text_document.definition.link_support"):
        return [
            {"uri": holder.uri, "range": range_of(holder.document, target.span, encoding)}
            for holder, target in found
        ]
    origin = range_of(opened.document, jump.origin, encoding)
    return [
        {
            "originSelectionRange": origin,
            "targetUri": holder.uri,
            "targetRange": range_of(holder.document, target.around, encoding),
            "targetSelectionRange": range_of(holder.document, target.span, encoding),
        }
        for holder, target in found
    ]


def _targets(
    session: Session, opened: OpenDocument, jump: Jump
) -> Iterator[tuple[OpenDocument, Target]]:
    """Every target with the document that it is in."""
    for target in jump.targets:
        yield opened, target
    for path, name in jump.elsewhere:
        other = session.find(Path(path))
        if other is not None:
            for target in introduced(other.snapshot, name):
                yield other, target

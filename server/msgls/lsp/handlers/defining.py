"""``msgls/missingDefinition``, a request of our own: the definition for a new cell."""

from __future__ import annotations

from lsprotocol import types as lsp

from msgls.features.language import language_of
from msgls.lsp.session import Session


def missing_definition(
    session: Session, params: lsp.TextDocumentPositionParams
) -> dict[str, str | None]:
    """The text to insert on the empty line below a header; null if its cell is defined."""
    opened, offset = session.place(params)
    language = language_of(opened.document)
    return {"text": language.missing_definition(opened.snapshot, offset)}

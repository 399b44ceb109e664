"""``textDocument/formatting``, ``rangeFormatting`` and ``rangesFormatting``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.language import language_of
from msgls.lsp.convert import span_of, text_edits
from msgls.lsp.session import Session


def formatting(session: Session, params: lsp.DocumentFormattingParams) -> list[dict[str, Any]]:
    """Tidy a document."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    return text_edits(document, language_of(document).format_document(snapshot), session.encoding)


def range_formatting(
    session: Session, params: lsp.DocumentRangeFormattingParams
) -> list[dict[str, Any]]:
    """Tidy the cells that a range touches."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    span = span_of(document, params.range, session.encoding)
    return text_edits(
        document, language_of(document).format_range(snapshot, span), session.encoding
    )


def ranges_formatting(
    session: Session, params: lsp.DocumentRangesFormattingParams
) -> list[dict[str, Any]]:
    """Tidy the cells that some ranges touch; a cell that several of them touch is tidied once."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    spans = [span_of(document, wanted, session.encoding) for wanted in params.ranges]
    language = language_of(document)
    edits = {edit for span in spans for edit in language.format_range(snapshot, span)}
    return text_edits(document, sorted(edits), session.encoding)

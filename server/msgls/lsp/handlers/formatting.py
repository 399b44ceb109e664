"""``textDocument/formatting``, ``rangeFormatting`` and ``onTypeFormatting``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.features.formatting import format_document, format_range
from msgls.features.on_type import on_type
from msgls.lsp.convert import offset_at, span_of, text_edits
from msgls.lsp.session import Session


def formatting(session: Session, params: lsp.DocumentFormattingParams) -> list[dict[str, Any]]:
    """Tidy a document."""
    document = session.get(params.text_document.uri).document
    return text_edits(document, format_document(document), session.encoding)


def range_formatting(
    session: Session, params: lsp.DocumentRangeFormattingParams
) -> list[dict[str, Any]]:
    """Tidy the cells that a range touches."""
    document = session.get(params.text_document.uri).document
    span = span_of(document, params.range, session.encoding)
    return text_edits(document, format_range(document, span), session.encoding)


def on_type_formatting(
    session: Session, params: lsp.DocumentOnTypeFormattingParams
) -> list[dict[str, Any]]:
    """Complete what was just typed."""
    document = session.get(params.text_document.uri).document
    offset = offset_at(document, params.position, session.encoding)
    return text_edits(document, on_type(document, offset, params.ch), session.encoding)

"""``textDocument/formatting``, ``rangeFormatting`` and ``rangesFormatting``."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.lsp.convert import span_of, text_edit, text_edits
from msgls.lsp.params import Encoded
from msgls.lsp.progress import listed, unchanged
from msgls.lsp.session import Session
from msgls.text.work import Work


def formatting(session: Session, params: lsp.DocumentFormattingParams) -> Work[Encoded]:
    """Format a document."""
    opened = session.get(params.text_document.uri)
    return unchanged(session, opened, _formatting(session, opened.snapshot))


def _formatting(session: Session, snapshot: Snapshot) -> Work[Encoded]:
    document, encoding = snapshot.document, session.encoding
    edits = yield from language_of(document).format_document(snapshot)
    return (yield from listed(text_edit(document, edit, encoding) for edit in edits))


def range_formatting(
    session: Session, params: lsp.DocumentRangeFormattingParams
) -> list[dict[str, Any]]:
    """Format the cells that a range touches."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    span = span_of(document, params.range, session.encoding)
    return text_edits(
        document, language_of(document).format_range(snapshot, span), session.encoding
    )


def ranges_formatting(
    session: Session, params: lsp.DocumentRangesFormattingParams
) -> list[dict[str, Any]]:
    """Format the cells that some ranges touch; a cell that several of them touch only once."""
    snapshot = session.get(params.text_document.uri).snapshot
    document = snapshot.document
    spans = [span_of(document, wanted, session.encoding) for wanted in params.ranges]
    language = language_of(document)
    edits = {edit for span in spans for edit in language.format_range(snapshot, span)}
    return text_edits(document, sorted(edits), session.encoding)

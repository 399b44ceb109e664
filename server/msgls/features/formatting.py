"""The formatter: one shape for what is written in many, and the same sense as before."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Edit, Span


def format_document(document: Document) -> list[Edit]:
    """The edits that tidy a document."""
    found = provided(document, format_document)
    return [] if found is None else found(document)


def format_range(document: Document, span: Span) -> list[Edit]:
    """The edits that tidy what a span touches, and nothing outside of it."""
    found = provided(document, format_range)
    return [] if found is None else found(document, span)

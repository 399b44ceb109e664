"""The formatter: one shape for what is written in many, and the same sense as before."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.text.spans import Edit, Span


def format_document(snapshot: Snapshot) -> list[Edit]:
    """The edits that tidy a document."""
    return language_of(snapshot.document).format_document(snapshot)


def format_range(snapshot: Snapshot, span: Span) -> list[Edit]:
    """The edits that tidy what a span touches, and nothing outside of it."""
    return language_of(snapshot.document).format_range(snapshot, span)

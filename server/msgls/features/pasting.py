"""Text that is to be content, whatever it looks like."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.dispatch import provided


def as_content(document: Document, offset: int, text: str) -> str:
    """``text``, written so that it is read as content when it is put at ``offset``."""
    found = provided(document, as_content)
    return text if found is None else found(document, offset, text)

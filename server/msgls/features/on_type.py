"""What is completed by itself while somebody types. Looks at little: it runs at every key."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Edit


def on_type(document: Document, offset: int, character: str) -> list[Edit]:
    """What to do after ``character`` was typed right before ``offset``."""
    found = provided(document, on_type)
    return [] if found is None else found(document, offset, character)

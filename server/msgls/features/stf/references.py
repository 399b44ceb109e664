"""Find references in a Simple Text Format file: every place that says the id under the cursor."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.stf.names import named_at, occurrences
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> list[Span]:
    """The places, in order; without calls and messages that have the id unless ``declared``."""
    named = named_at(document, offset)
    if named is None:
        return []
    found = occurrences(document, named[1])
    return [occurrence.span for occurrence in found if declared or not occurrence.gives]

"""Find references in messages and deltas: every place that names a tool call."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.msgjson.calls import id_span, occurrences, said_at
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> list[Span]:
    """The places, in order; without the calls themselves unless ``declared``."""
    said = said_at(document, offset)
    if said is None:
        return []
    found = occurrences(document, said.mention.call, said.mention.run)
    return sorted({id_span(document, other) for other in found if declared or not other.gives})

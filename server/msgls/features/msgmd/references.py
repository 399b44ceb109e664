"""Find references in a message file: every place that says the name under the cursor."""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.msgmd.occurrences import OccurrenceKind, name_at, occurrences
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, other_agents: Collection[str] = ()
) -> list[Span]:
    """The places, in order; without headers and registrations unless ``declared``."""
    name = name_at(document, offset, other_agents)
    if name is None:
        return []
    return [
        occurrence.span
        for occurrence in occurrences(document, name, other_agents)
        if declared or occurrence.kind is not OccurrenceKind.DECLARATION
    ]

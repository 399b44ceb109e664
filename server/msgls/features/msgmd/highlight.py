"""Highlight: where else in a message file the name under the cursor stands.

The same places as the references, told apart: where a name is given, and where it is used.
Of an agent or a tool only what stands around the cursor: an editor asks at every move.
"""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.highlight import Highlight
from msgls.features.msgmd.occurrences import OccurrenceKind, name_at, occurrences

_GIVING = (OccurrenceKind.DECLARATION, OccurrenceKind.DEFINITION)


def highlights(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> list[Highlight]:
    """The places, in order."""
    name = name_at(document, offset, other_agents)
    if name is None:
        return []
    return [
        Highlight(occurrence.span, occurrence.kind in _GIVING)
        for occurrence in occurrences(document, name, other_agents, offset)
    ]

"""Find references in a message file: every place that says the name under the cursor.

An agent that ``agents.json`` registers is said there, too, and in every other message file
that it counts for.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.features.elsewhere import Elsewhere
from msgls.features.msgmd.naming import shared
from msgls.features.msgmd.occurrences import (
    NameKind,
    OccurrenceKind,
    agent_occurrences,
    name_at,
    occurrences,
)
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> list[Span]:
    """The places, in order; without headers and registrations unless ``declared``."""
    other_agents = surroundings.other_agents
    name = name_at(document, offset, other_agents)
    if name is None:
        return []
    return [
        occurrence.span
        for occurrence in occurrences(document, name, other_agents)
        if declared or occurrence.kind is not OccurrenceKind.DECLARATION
    ]


def elsewhere(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The entry in ``agents.json``, and the other message files that it counts for."""
    name = name_at(document, offset, surroundings.other_agents)
    if name is None or name.kind is not NameKind.AGENT:
        return ()
    return shared(document, name.text, surroundings)


def mentions(document: Document, name: str, declared: bool = True) -> list[Span]:
    """Where a message file says the name of an agent that is registered elsewhere."""
    return [
        occurrence.span
        for occurrence in agent_occurrences(document, name, (name,))
        if declared or occurrence.kind is not OccurrenceKind.DECLARATION
    ]

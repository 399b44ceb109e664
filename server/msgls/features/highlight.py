"""Highlight: where else in the document the name under the cursor stands.

The same places as the references, told apart: where a name is given, and where it is used.
Of an agent or a tool only what stands around the cursor: an editor asks at every move.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.occurrences import OccurrenceKind, name_at, occurrences
from msgls.text.spans import Span

_GIVING = (OccurrenceKind.DECLARATION, OccurrenceKind.DEFINITION)


class Highlight(NamedTuple):
    """A place that says the name."""

    span: Span
    gives: bool
    """Whether the name is given here, and not only used."""


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

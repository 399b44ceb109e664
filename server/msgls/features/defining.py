"""The definition that a new cell lacks: the one thing that is written without being typed."""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.dispatch import provided


def missing_definition(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> str | None:
    """What to insert at ``offset``, the empty line below a header, to define its cell."""
    found = provided(document, missing_definition)
    return None if found is None else found(document, offset, other_agents)

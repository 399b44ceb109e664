"""The definition that a new cell lacks: the one thing that is written without being typed."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.dispatch import provided


def missing_definition(snapshot: Snapshot, offset: int) -> str | None:
    """What to insert at ``offset``, the empty line below a header, to define its cell."""
    found = provided(snapshot.document, missing_definition)
    return None if found is None else found(snapshot, offset)

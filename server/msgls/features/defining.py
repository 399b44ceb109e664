"""The definition that a new cell lacks: the one thing that is written without being typed."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of


def missing_definition(snapshot: Snapshot, offset: int) -> str | None:
    """What to insert at ``offset``, the empty line below a header, to define its cell."""
    return language_of(snapshot.document).missing_definition(snapshot, offset)

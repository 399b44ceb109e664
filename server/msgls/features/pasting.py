"""Text that is to be content, whatever it looks like."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.dispatch import provided


def as_content(snapshot: Snapshot, offset: int, text: str) -> str:
    """``text``, written so that it is read as content when it is put at ``offset``."""
    found = provided(snapshot.document, as_content)
    return text if found is None else found(snapshot, offset, text)

"""Text that is to be content, whatever it looks like."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of


def as_content(snapshot: Snapshot, offset: int, text: str) -> str:
    """``text``, written so that it is read as content when it is put at ``offset``."""
    return language_of(snapshot.document).as_content(snapshot, offset, text)

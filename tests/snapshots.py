"""Snapshots for tests: a document with what is said of its context, and a fixed time."""

from datetime import datetime, timedelta, timezone

from msgls.document.document import Document
from msgls.document.snapshot import Settings, Snapshot, Surroundings

NOW = datetime(2025, 5, 30, 9, 30, tzinfo=timezone(timedelta(hours=8)))


def snapshot_of(
    document: Document, surroundings: Surroundings | None = None, settings: Settings | None = None
) -> Snapshot:
    """A document among ``surroundings``; without them, only its own agents are known."""
    if surroundings is None:
        surroundings = Surroundings(other_agents=document.agents_around)
    return Snapshot(document, surroundings, settings or Settings(), NOW)

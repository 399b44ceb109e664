"""The time, for snapshots."""

from __future__ import annotations

from datetime import datetime


def now() -> datetime:
    """The time of this machine, with its zone."""
    return datetime.now().astimezone()

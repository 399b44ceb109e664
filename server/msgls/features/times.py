"""Times as a person reads them at a glance: short, and in the zone of the machine."""

from __future__ import annotations

from datetime import datetime


def short_time(written: str, now: datetime) -> str:
    """A time of a file in the zone of ``now``; what cannot be read as one, as it stands.

    Today it is the hour, in this year the day and the hour, else the day.
    """
    try:
        time = datetime.fromisoformat(written.strip())
        local = time.astimezone(now.tzinfo)
    except (ValueError, OverflowError):
        return written
    if local.date() == now.date():
        return f"{local:%H:%M}"
    return f"{local:%m-%d %H:%M}" if local.year == now.year else f"{local.date()}"

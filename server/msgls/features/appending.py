"""A new cell at the end of a conversation: a message, or an agent's answer."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.commands import RefusedError
from msgls.features.language import language_of
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit

NO_APPENDING = Phrase("nothing can be added to a file of this format")


class CannotAppend(RefusedError):
    """Nothing can be appended to a file; the message says why."""


class NoRoomYet(CannotAppend):
    """Nothing can be appended at the moment, for example after a fence that is not closed."""


def check_agent(snapshot: Snapshot, name: str) -> None:
    """Raise ``CannotAppend`` if that is not a valid name for an agent."""
    language_of(snapshot.document).check_agent(snapshot, name)


def append_cell(snapshot: Snapshot, content: str, agent: str | None = None) -> Edit:
    """The edit that appends a message, or an answer of ``agent``. Raises ``CannotAppend``."""
    return language_of(snapshot.document).append_cell(snapshot, content, agent)

"""A new piece at the end of a conversation: a message, or an agent's answer."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.text.phrases import Phrase, PhrasedError
from msgls.text.spans import Edit

NO_APPENDING = Phrase("nothing can be added to a file of this format")


class CannotAppend(PhrasedError):
    """Why a file cannot take another cell, in words."""


class NoRoomYet(CannotAppend):
    """Why nothing can be appended at the moment, such as after a fence that is open."""


def check_agent(snapshot: Snapshot, name: str) -> None:
    """Raise ``CannotAppend`` where no agent can be called that."""
    language_of(snapshot.document).check_agent(snapshot, name)


def append_cell(snapshot: Snapshot, content: str, agent: str | None = None) -> Edit:
    """Put a message, or what ``agent`` says, after all others. Raises ``CannotAppend``."""
    return language_of(snapshot.document).append_cell(snapshot, content, agent)

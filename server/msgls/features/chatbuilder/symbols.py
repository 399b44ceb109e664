"""A folder of messages, as one conversation."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.symbols import Conversation
from msgls.formats.chatbuilder import message_number


def conversation(snapshot: Snapshot) -> Conversation | None:
    """The folder, by its name and that of the folder around it."""
    *folders, name = snapshot.document.path.replace("\\", "/").split("/")
    if message_number(name) is None or not folders:
        return None
    shown = [folder for folder in folders[-2:] if folder]
    return Conversation("/".join(shown), message_number) if shown else None

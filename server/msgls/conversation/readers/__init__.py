"""Conversations from text: one module for each format and service, each with ``read``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    # These load pydantic: a quarter of a second that checking a file does not need.
    from msgls.conversation.conversation import Conversation
    from msgls.conversation.readers.drafts import Places
    from msgls.document.document import Document
    from msgls.formats.jsontree import Path
    from msgls.text.phrases import Phrase


class JsonReader(Protocol):
    """The module that reads one kind of foreign JSON."""

    WHAT: Phrase
    """What it reads, for error messages."""

    def is_conversation(self, value: object) -> bool:
        """Whether a JSON value is a conversation of this kind."""

    def read(self, value: Any, places: Places, path: Path) -> Conversation:
        """The conversation of the value at ``path``."""


def read_document(document: Document) -> Conversation:
    """The conversation in a document of one of our formats; empty for any other format."""
    # Imported here, so that a reader is loaded with the first document of its format.
    match document.format.name:
        case "msgmd":
            from msgls.conversation.readers.msgmd import read
        case "stf":
            from msgls.conversation.readers.stf import read
        case "chatbuilder":
            from msgls.conversation.readers.chatbuilder import read
        case "msgjson":
            from msgls.conversation.readers.msgjson import read
        case "agentsjson":
            from msgls.conversation.readers.agentsjson import read
        case _:
            from msgls.conversation.conversation import Conversation

            return Conversation((), (), ())
    return read(document)

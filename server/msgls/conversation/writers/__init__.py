"""Writers of conversations: one module for each format and service.

Each has ``write``, which returns the text and the losses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # These load pydantic: a quarter of a second that checking a file does not need.
    from msgls.conversation.conversation import Conversation, Written
    from msgls.conversation.messages import Message
    from msgls.conversation.requests import RequestOptions
    from msgls.document.document import Document
    from msgls.formats.base import Format


class ServiceWriter(Protocol):
    """The module that writes one service or foreign format."""

    def write(self, conversation: Conversation, options: RequestOptions) -> Written:
        """The text for a service, or for people."""

    def keeps_metadata(self, message: Message, key: str) -> bool:
        """Whether the text keeps a key of a message's ``meta``."""

    def keeps_extra(self, kind: str, key: str) -> bool:
        """Whether the text keeps an additional key of a part of that kind."""


def write_as(format: Format, conversation: Conversation, like: Document | None = None) -> Written:
    """A conversation as a file of one of our formats; what is unchanged from ``like`` is kept."""
    # Imported here, so that a writer is loaded with the first conversation that it writes.
    match format.name:
        case "msgmd":
            from msgls.conversation.writers.msgmd import write
        case "stf":
            from msgls.conversation.writers.stf import write
        case "chatbuilder":
            from msgls.conversation.writers.chatbuilder import write
        case "msgjson":
            from msgls.conversation.writers.msgjson import write
        case "agentsjson":
            from msgls.conversation.writers.agentsjson import write
        case _:
            from msgls.conversation.conversation import Written

            return Written("" if like is None else like.text)
    return write(conversation, like, format)

"""Conversations from text: one module for each format and service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgls.formats.base import View

if TYPE_CHECKING:
    # pydantic stands behind it: a quarter of a second that checking a file need not pay.
    from msgls.conversation.conversation import Conversation


def read_document(document: View) -> Conversation:
    """The conversation that a document of one of our formats holds; an empty one of any other."""
    # Late: a reader is loaded with the first document of its format.
    match document.format.name:
        case "msgmd":
            from msgls.conversation.readers.msgmd import lower
        case "stf":
            from msgls.conversation.readers.stf import lower
        case "chatbuilder":
            from msgls.conversation.readers.chatbuilder import lower
        case "msgjson":
            from msgls.conversation.readers.msgjson import lower
        case "agentsjson":
            from msgls.conversation.readers.agentsjson import lower
        case _:
            from msgls.conversation.conversation import Conversation

            return Conversation((), (), ())
    return lower(document)

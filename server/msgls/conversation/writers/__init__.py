"""Text from conversations: one module for each format and service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgls.formats.base import Format, View
from msgls.formats.msgjson import JsonLines
from msgls.formats.stf import SimpleTextFile

if TYPE_CHECKING:
    from msgls.conversation.conversation import Conversation


def write_as(
    format: Format, conversation: Conversation, like: View | None = None
) -> tuple[str, Conversation]:
    """The text that says ``conversation``, and the conversation with what was lost added."""
    # Late: a writer is loaded with the first conversation that it writes.
    if isinstance(format, JsonLines):
        from msgls.conversation.writers.msgjson import render_lines

        return render_lines(conversation, like, format.is_session)
    if isinstance(format, SimpleTextFile):
        from msgls.conversation.writers.stf import render as render_stf

        return render_stf(conversation, like, format.dialect)
    match format.name:
        case "msgmd":
            from msgls.conversation.writers.msgmd import render
        case "chatbuilder":
            from msgls.conversation.writers.chatbuilder import render
        case "msgjson":
            from msgls.conversation.writers.msgjson import render_array

            return render_array(conversation, like)
        case "agentsjson":
            from msgls.conversation.writers.agentsjson import render
        case _:
            return ("" if like is None else like.text), conversation
    return render(conversation, like)

"""From a conversation to a message file.

Owns the way of a rendering: cells are written, the file is put around them, and
the text is read back, so that nothing differs in silence. Cells that messages
came from are written again from their ``meta``; what the format cannot say is
written as near as it can be, and named as a loss. Where a document is given, the
text of all that is unchanged is kept byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgls.conversation.conversation import Conversation, Loss
from msgls.conversation.messages import Message
from msgls.conversation.readers.msgmd import lower
from msgls.conversation.writers.msgmd_cells import DEFAULT_AGENT, Writer, definition_line
from msgls.conversation.writers.msgmd_head import carried_file, file_head, with_agents
from msgls.conversation.writers.msgmd_readback import (
    SECTION_FILE,
    WHOLE_FILE,
    Piece,
    Wanted,
    derived_runs_of,
    find_losses,
    with_unnamed,
)
from msgls.conversation.writers.msgmd_splice import splice
from msgls.formats.base import View
from msgls.text.garbage import without_collection

__all__ = ["DEFAULT_AGENT", "definition_line", "render"]


def render(conversation: Conversation, like: View | None = None) -> tuple[str, Conversation]:
    """The message file, and the conversation with this rendering's losses added."""
    with without_collection():
        text, losses = _render(conversation.messages, like)
    return text, replace(conversation, losses=(*conversation.losses, *losses))


def _render(messages: Sequence[Message], like: View | None) -> tuple[str, list[Loss]]:
    file = carried_file(messages)
    rendered = None
    if like is not None:
        old = lower(like)
        rendered = splice(messages, like, old)
        file = file or carried_file(old.messages)
    return rendered or _render_whole(messages, dict(file))


def _render_whole(messages: Sequence[Message], file: dict[str, Any]) -> tuple[str, list[Loss]]:
    derived_runs = derived_runs_of(messages)
    writer = Writer(messages, derived_runs)
    for index in range(len(messages)):
        writer.add(index)
    given, preamble = [
        text if isinstance(text := file.get(key), str) else ""
        for key in ("frontmatter", "preamble")
    ]
    frontmatter = with_agents(given, writer.agents)
    if given:
        file["frontmatter"] = frontmatter
    head = file_head(frontmatter, preamble)
    pieces = [Piece(head), *writer.take_pieces(ends_file=True)]
    path = SECTION_FILE if file.get("section") else WHOLE_FILE
    found = find_losses(
        Wanted(messages, file, derived_runs, named=frozenset(writer.named)), pieces, path
    )
    return "".join([piece.text for piece in pieces]), with_unnamed(writer.losses, found)

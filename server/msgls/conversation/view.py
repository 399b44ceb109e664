"""What the model sees of a document: messages, each with the way back to its source.

Owns the picture that is sent for an agent: its system prompt, then every message behind
the last reset, less excluded and virtual ones, summaries where asked, in order. Pure: a
document and an agent in, values out. The text that follows the typing is ``live``'s.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.conversation.agents import SeeingAgent, agent_in, prompt_span
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.seen import Seen, seen
from msgls.conversation.sights import CellSight, cell_sights
from msgls.document.document import Document
from msgls.formats.msgmd import MessageFile
from msgls.text.spans import Span
from msgls.text.tokens import estimate_tokens


class Entry(NamedTuple):
    """A message that is sent, and where it comes from."""

    message: Message
    spans: tuple[Span, ...]
    """Absolute, in order."""
    orders: tuple[int, ...]
    """The labels of the cells that say it; none for the system prompt of an agent."""
    first_line: int
    """From 0."""
    last_line: int


class View(NamedTuple):
    """What one agent sees of one version of a document."""

    agent: SeeingAgent
    seen: Seen
    entries: tuple[Entry, ...]
    cells: tuple[CellSight, ...]
    """Every cell, seen or not."""

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        return estimate_tokens(self.agent.system_prompt) + sum(cell.tokens for cell in self.cells)


def see(document: Document, agent: str | None = None) -> View:
    """What ``agent``, else the default one, sees of a document."""
    conversation = read_document(document)
    seeing = agent_in(conversation, agent)
    if isinstance(document.format, MessageFile):
        from msgls.formats.msgmd.meaning import frontmatter_of

        seeing = seeing._replace(prompt_span=prompt_span(frontmatter_of(document), seeing))
    shown = seen(conversation, seeing)
    messages = zip(shown.conversation.messages, shown.conversation.sources, strict=True)
    entries = [_entry(document, message, spans) for message, spans in messages]
    cells = tuple(cell_sights(document))
    return View(seeing, shown, tuple(entries), cells)


def _entry(document: Document, message: Message, spans: tuple[Span, ...]) -> Entry:
    orders = []
    for span in spans:
        placed = document.cell_at_offset(span.start)
        if placed is not None and placed.start_offset <= span.start:
            orders.append(placed.order)
    lines = [document.position_of(span.start).line for span in spans] or [0]
    ends = [document.position_of(max(span.end - 1, span.start)).line for span in spans] or [0]
    return Entry(message, spans, tuple(orders), min(lines), max(ends))

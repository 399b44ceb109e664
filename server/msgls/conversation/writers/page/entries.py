"""What a page shows of a document: its messages, and what the model does not see of them.

Owns the way from a document to entries. Every format comes through its reader, whose
messages say who sees them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgls.conversation.context import sent, sights_of, why_hidden
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.text.phrases import Phrase


class Entry(NamedTuple):
    """A message as the page shows it."""

    message: Message
    sight: Sight
    mark: str
    """The part of it that the model does not see; empty if it sees all."""
    number: int
    """Which message it is, from 1."""
    line: int = 0
    """Where it stands in its document, from 0."""

    @property
    def meta(self) -> Mapping[str, Any]:
        """What the message says of itself."""
        return self.message.meta or {}

    def told(self, key: str) -> str:
        """A value of its meta, where that is text."""
        value = self.meta.get(key)
        return value if isinstance(value, str) else ""

    @property
    def defined_agent(self) -> str:
        """The agent that it defines, if it is a definition."""
        return _defines(self.message)

    @property
    def level(self) -> int:
        """How many sub-agents deep it was said; what the model sees was said by none."""
        results = self.meta.get("results")
        about = results[0] if isinstance(results, Sequence) and results else self.meta
        depth = about.get("depth") if isinstance(about, Mapping) else None
        return (depth - 1) // 2 if isinstance(depth, int) and self.mark else 0

    @property
    def kind(self) -> str:
        """Whose it is to a reader: what a run wrote is a machine's, whatever its role."""
        return "tool" if self.meta.get("executionOf") is not None else self.message.role


def entries_of(documents: Sequence[Document]) -> list[Entry]:
    """All messages of documents, in order, each with its mark."""
    found: list[Entry] = []
    for document in documents:
        conversation = read_document(document)
        sights = sights_of(conversation)
        for message, sources, sight in zip(
            conversation.messages, conversation.sources, sights, strict=True
        ):
            line = document.position_of(sources[0].start).line if sources else 0
            found.append(Entry(message, sight, _mark(message, sight), len(found) + 1, line))
    return found


def seen(entries: Sequence[Entry]) -> list[Entry]:
    """What the model sees of messages.

    The definition of an agent is shown too: it is not a message, and not hidden.
    """
    found: list[Entry] = []
    for entry in entries:
        if entry.sight.is_sent:
            found.append(entry._replace(message=sent(entry.message, entry.sight)))
        elif entry.defined_agent and entry.sight is not Sight.EXCLUDED:
            found.append(entry)
    return found


def _mark(message: Message, sight: Sight) -> str:
    if sight is Sight.SEEN:
        return ""
    if sight is Sight.VIRTUAL and not message.visibility.is_boot and _defines(message):
        return Phrase("an agent of this conversation; not sent to the model")
    why = why_hidden(message, sight)
    if sight.is_sent:
        return Phrase("for the model, {why}", why=why)
    return Phrase("not sent to the model: {why}", why=why)


def _defines(message: Message) -> str:
    attributes = (message.meta or {}).get("attributes")
    said = attributes if isinstance(attributes, Mapping) else {}
    name = said.get("name") if said.get("definition") == "agent" else None
    return name if isinstance(name, str) else ""

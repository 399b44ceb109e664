"""The entries of a page: the messages of documents, each with its visibility.

Owns the conversion of documents to entries, which is the same for every format.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgls.conversation.context import sent, sights_of, why_hidden
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.text.phrases import Phrase


class Entry(NamedTuple):
    """A message on the page."""

    message: Message
    sight: Sight
    mark: str
    """Why the model does not see it, or not in full, for users; empty if it sees all."""
    number: int
    """The number of the message, from 1."""
    line: int = 0
    """Its line in the document, from 0."""

    @property
    def meta(self) -> Mapping[str, Any]:
        """The metadata of the message."""
        return self.message.meta or {}

    def text(self, key: str) -> str:
        """A value of its ``meta``; empty if it is not a string."""
        value = self.meta.get(key)
        return value if isinstance(value, str) else ""

    @property
    def defined_agent(self) -> str:
        """The name of the agent that it defines; empty if it does not define one."""
        return _defines(self.message)

    @property
    def level(self) -> int:
        """The nesting depth of sub-agents; 0 for what the model sees."""
        results = self.meta.get("results")
        about = results[0] if isinstance(results, Sequence) and results else self.meta
        depth = about.get("depth") if isinstance(about, Mapping) else None
        return (depth - 1) // 2 if isinstance(depth, int) and self.mark else 0

    @property
    def kind(self) -> str:
        """The role for display: an execution output is shown like a tool's message."""
        return "tool" if self.meta.get("executionOf") is not None else self.message.role


def entries_of(documents: Sequence[Document]) -> list[Entry]:
    """The entries for all messages of documents, in order."""
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
    """The entries that the model sees, as it sees them.

    Definitions of agents are included: they are configuration, and not hidden.
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
    given = attributes if isinstance(attributes, Mapping) else {}
    name = given.get("name") if given.get("definition") == "agent" else None
    return name if isinstance(name, str) else ""

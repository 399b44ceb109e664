"""What a page shows of a document: its messages, and what the model does not see of them.

Owns the way from a document to entries. Every format comes through its lowering; of a
message file it is also told, part by part, whether the model sees the cell that it is from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.exchange.sights import cell_sights, horizon_of, sight_in, why_not
from msgls.formats.msgmd import MessageFile
from msgls.formats.msgmd.history import Sight
from msgls.formats.msgmd.meaning import meaning_of
from msgls.model.conversation import EPOCH
from msgls.model.messages import Message, MessagePart
from msgls.text.phrases import Phrase
from msgls.text.spans import Span


class Entry(NamedTuple):
    """A message as the page shows it."""

    message: Message
    marks: tuple[str, ...]
    """By part: what of it the model does not see; empty where it sees all."""
    number: int
    """Which message it is, from 1."""
    time: str
    """When it was said; nothing where that is no news: a message has the time of the one above."""
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
    def mark(self) -> str:
        """What holds for the message as a whole."""
        return self.marks[0] if len(set(self.marks)) == 1 else ""

    @property
    def kind(self) -> str:
        """Whose it is to a reader: what a run wrote is a machine's, whoever sends it."""
        return "tool" if self.meta.get("executionOf") is not None else self.message.role


def entries_of(documents: Sequence[Document]) -> list[Entry]:
    """The messages of documents, in order."""
    found: list[Entry] = []
    time = EPOCH
    for document in documents:
        conversation = document.format.lower(document)
        marks = _Marks(document)
        for message, sources in zip(conversation.messages, conversation.sources, strict=True):
            by_part = tuple(marks.of_parts(message, sources))
            news = "" if message.timestamp == time else message.timestamp
            line = document.position_of(sources[0].start).line if sources else 0
            found.append(Entry(message, by_part, len(found) + 1, news, line))
            time = message.timestamp
    return found


def parts_with_marks(entry: Entry) -> Iterator[tuple[MessagePart, str]]:
    """The parts of a message, each with its own mark where the message has none as a whole."""
    for number, part in enumerate(entry.message.parts):
        own = entry.marks[min(number, len(entry.marks) - 1)] if entry.marks else ""
        yield part, "" if own == entry.mark else own


class _Marks:
    """What the model does not see of a document, by where it stands."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._is_message_file = isinstance(document.format, MessageFile)
        if self._is_message_file:
            self._horizon = horizon_of(document)
        else:
            self._by_message = iter(cell_sights(document))

    def of_parts(self, message: Message, sources: Sequence[Span]) -> Iterator[str]:
        """The marks of the next message's parts, or of the message itself where it has none."""
        if not self._is_message_file:
            row = next(self._by_message)
            yield _mark(row.sight, row.why)
            return
        # An answer that says nothing has no part: then the parts are those of its calls.
        is_silent = message.role == "assistant" and len(sources) > len(message.parts) > 0
        marks = [self._of_cell(source) for source in (sources[1:] if is_silent else sources)]
        if message.role == "tool" and len({*marks}) > 1:
            # Several cells are one result.
            yield Phrase("in part {mark}", mark=max(marks))
            return
        yield from marks

    def _of_cell(self, source: Span) -> str:
        placed = self._document.cell_at_offset(source.start)
        if placed is None:
            return ""
        meaning = meaning_of(self._document, placed)
        sight = sight_in(meaning, self._horizon)
        return _mark(sight, why_not(meaning, sight, self._horizon))


def _mark(sight: Sight, why: str) -> str:
    if sight is Sight.SEEN:
        return ""
    if sight.is_sent:
        return Phrase("for the model, {why}", why=why)
    return Phrase("not sent to the model: {why}", why=why)

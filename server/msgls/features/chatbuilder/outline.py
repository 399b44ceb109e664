"""The outline of a message: its header with the fields, and the headings of its body."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.outline import NodeKind, Symbol, heading_symbols
from msgls.formats.base import Placed
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.formats.chatbuilder.header import Field, MessageHeader
from msgls.rules.chatbuilder.cbm005_missing_fields import description_of
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase

# Deeper than any heading: none nests in the header.
_DEPTH = 10


def symbols(snapshot: Snapshot, placed: Placed) -> Iterator[Symbol]:
    """The message with its fields, then the headings of its body."""
    header = placed.cell.message_header if isinstance(placed.cell, ChatBuilderCell) else None
    if header is not None and header.lines:
        yield _message(snapshot.document, header)
        yield from map(_field, header.fields)
    yield from heading_symbols(placed.cell, 0)


def _message(document: Document, header: MessageHeader) -> Symbol:
    role = header.known_role or Phrase("message")
    given = header.get("Description")
    said = given.value if given is not None else ""
    words = said or description_of(document, header, role)
    name = Phrase("{role}: {words}", role=role, words=shorten(words, 80 - len(f"{role}: ")))
    kind = NodeKind.ANSWER if role == "assistant" else NodeKind.MESSAGE
    return Symbol(name, "", kind, header.lines[0].span, header.end, _DEPTH)


def _field(field: Field) -> Symbol:
    selection = field.key_span if field.key_span.end > field.key_span.start else field.value_span
    end, said = max(field.value_span.end, selection.end), shorten(field.value)
    return Symbol(field.key, said, NodeKind.FIELD, selection, end, _DEPTH + 1)

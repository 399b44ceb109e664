"""Reads a ChatBuilder file, or a folder of them, into a conversation.

Owns the mapping of a file to a message: its role, its body as one text, and its header in
``meta``: ``fields`` has the first value of each field, ``comments`` the lines that are not fields.
The line break at the end of the body is not content.
"""

from collections.abc import Iterable, Sequence

from msgls.conversation.conversation import Conversation, Loss, from_wires
from msgls.conversation.parts import Wire, text_parts
from msgls.document.document import Document
from msgls.formats.chatbuilder import message_number
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.formats.chatbuilder.escapes import unescape
from msgls.formats.chatbuilder.fields import CREATED, ROLE, is_time
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.formats.chatbuilder.roles import likely_roles
from msgls.text.lines import count_breaks, without_break
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

FIELDS, COMMENTS = "fields", "comments"
"""The keys of ``meta`` for the header."""


def read(document: Document) -> Conversation:
    """The conversation of one file: one message, or none if the file is empty."""
    return read_folder([document])


def read_folder(documents: Iterable[Document]) -> Conversation:
    """The conversation of a folder: one message for each file, in the order of their numbers.

    Spans and lines are relative to the file of each message.
    """
    wires: list[Wire] = []
    sources: list[tuple[Span, ...]] = []
    losses: list[Loss] = []
    for document in in_order(documents):
        header, text = header_of(document), document.text
        if header is None or not text.removeprefix("\ufeff"):
            continue
        wires.append(_message(document, header, text, len(wires), losses))
        sources.append((Span(0, len(text)),))
    return from_wires(wires, sources, losses)


def in_order(documents: Iterable[Document]) -> Sequence[Document]:
    """Files ordered by number; those without one come last, in the given order."""

    def place(document: Document) -> tuple[bool, int]:
        number = message_number(document.path)
        return number is None, number or 0

    return sorted(documents, key=place)


def header_of(document: Document) -> MessageHeader | None:
    """The header of a file."""
    first = document.first_cell()
    if first is None or not isinstance(first.cell, ChatBuilderCell):
        return None
    return first.cell.message_header


def content(body: str) -> str:
    """The content of a body, without the line break that ends its last line."""
    return unescape(without_break(body))


def _message(
    document: Document, header: MessageHeader, text: str, index: int, losses: list[Loss]
) -> Wire:
    fields = {key: field.value for key, field in header.first.items() if key != ROLE}
    line = counted = 0
    for field in header.fields:
        line += count_breaks(text[counted : field.line.start])
        counted = field.line.start
        if header.get(field.key) is not field:
            losses.append(Loss(Phrase("duplicate field `{key}`", key=field.key), line, index))
    body = content(text[header.body_start :])
    meta: Wire = {}
    if fields:
        meta[FIELDS] = fields
    comments = [line.comment for line in header.lines if line.comment]
    if comments:
        meta[COMMENTS] = comments
    wire: Wire = {"role": _role(document, header, text, index, losses), "parts": text_parts(body)}
    if meta:
        wire["meta"] = meta
    time = header.get(CREATED)
    if time is not None and is_time(time.value):
        wire["timestamp"] = time.value
    return wire


def _role(
    document: Document, header: MessageHeader, text: str, index: int, losses: list[Loss]
) -> str:
    """The role; if the file has none, the likeliest one is assumed and reported."""
    if header.known_role is not None:
        return header.known_role
    guess = likely_roles(header, document.path)[0]
    given, line = header.role, 0
    what = Phrase("the role is missing: `{guess}` is assumed", guess=guess)
    if given is not None and given.value:
        line = count_breaks(text[: given.line.start])
        what = Phrase("unknown role `{role}`: `{guess}` is assumed", role=given.value, guess=guess)
    losses.append(Loss(what, line, index))
    return guess

"""What is under the cursor in a message: the header, the field on the line, or a UUID."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.formats.chatbuilder.fields import UUID_SHAPE, is_uuid
from msgls.formats.chatbuilder.header import Field, MessageHeader
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_UUID = lazy_pattern(rf"(?<![\w-]){UUID_SHAPE}(?![\w-])")
_REACH = 40
"""How far to look for a UUID: its length, and one character more to see that it ends there."""


class FoundUuid(NamedTuple):
    """A UUID in the text."""

    name: str
    """In lower case, for comparison: its case has no meaning."""
    span: Span


def header_of(document: Document) -> MessageHeader | None:
    """The header of a message. Its spans are absolute, because it is in the first cell."""
    first = document.first_cell()
    if first is None or not isinstance(first.cell, ChatBuilderCell):
        return None
    return first.cell.message_header


def field_at(document: Document, offset: int) -> Field | None:
    """The field on the line around ``offset``."""
    header = header_of(document)
    for field in () if header is None else header.fields:
        if field.line.contains(offset):
            return field
    return None


def uuid_at(document: Document, offset: int) -> FoundUuid | None:
    """The UUID around ``offset``, in the header or in the body."""
    start = max(offset - _REACH, 0)
    text = document.store.slice(Span(start, min(offset + _REACH, len(document.store))))
    for match in _UUID.finditer(text):
        span = Span(*match.span()).shift(start)
        if span.contains(offset):
            return FoundUuid(match.group().lower(), span)
    return None


def uuid_fields(document: Document, name: str) -> Iterator[Field]:
    """The fields of the header whose value is a UUID, in order."""
    header = header_of(document)
    for field in () if header is None else header.fields:
        if is_uuid(field.value) and field.value.lower() == name:
            yield field

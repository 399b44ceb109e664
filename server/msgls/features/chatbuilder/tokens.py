"""Semantic tokens of a message: the header. The body is Markdown, and the grammar's.

A line without its ``;`` and a role that is none have no token: the grammar marks them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.tokens import CellTokens, Token, token
from msgls.formats.chatbuilder.cells import OWN_KEY, ChatBuilderCell
from msgls.formats.chatbuilder.fields import CREATED, ROLE, ROLES, is_uuid, is_valid
from msgls.formats.chatbuilder.header import Field, Line

_NUMBERS = ("Version", CREATED)


def tokens(document: Document, first: int = 0, last: int | None = None) -> Iterator[CellTokens]:
    """The tokens of the header, where the first cell is asked for."""
    placed = document.first_cell()
    if first > 0 or last == 0 or placed is None or not isinstance(placed.cell, ChatBuilderCell):
        return
    header = placed.cell.message_header
    if header is not None:
        found = [token for line in header.lines if not line.bare for token in _of_line(line)]
        yield CellTokens(placed, tuple(found))


def _of_line(line: Line) -> Iterator[Token]:
    field = line.field
    if field is None:
        if line.comment:
            yield token(line.span, "comment")
        return
    if field.key == OWN_KEY:
        yield token(line.span, "comment")
        return
    if field.key == ROLE:
        yield token(field.key_span, "keyword", "declaration")
    else:
        yield token(field.key_span, "property")
    if field.value:
        yield from _of_value(field)


def _of_value(field: Field) -> Iterator[Token]:
    span = field.value_span
    if field.key == ROLE:
        if field.value in ROLES:
            yield token(span, "keyword", *(["modification"] if field.value == ROLES[1] else []))
    elif is_uuid(field.value):
        yield token(span, "enumMember")
    elif field.key in _NUMBERS and is_valid(field.key, field.value):
        yield token(span, "number")
    else:
        yield token(span, "string")

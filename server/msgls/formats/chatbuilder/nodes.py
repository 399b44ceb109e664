"""The nodes of a message, its header and its body as Markdown, and its names: UUIDs.

A line without its ``;`` and a role that is none have no token: the grammar marks them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.formats.chatbuilder.cells import OWN_KEY, ChatBuilderCell
from msgls.formats.chatbuilder.fields import CREATED, ROLE, ROLES, UUID, is_uuid, is_valid
from msgls.formats.chatbuilder.header import Field, Line, MessageHeader
from msgls.formats.msgmd.nodes import markdown_nodes
from msgls.syntax.names import Name, NameKind, Use
from msgls.syntax.nodes import FoldKind, Node, NodeKind
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

_NUMBERS = ("Version", CREATED)


def nodes_in(cell: ChatBuilderCell) -> tuple[Node, ...]:
    """Every node of a cell; the sections of the body are its cells."""
    header = [] if cell.message_header is None else list(_header(cell.message_header))
    body = [node for node in markdown_nodes(cell, cell.body) if node.kind is not NodeKind.SECTION]
    return (*header, *body)


def _header(header: MessageHeader) -> Iterator[Node]:
    if header.lines:
        role = header.known_role
        label = Phrase("header · {role}", role=role) if role else Phrase("header")
        span = Span(header.lines[0].span.start, header.end)
        yield Node(NodeKind.HEADER, span, (), FoldKind.IMPORTS, label)
    for line in header.lines:
        yield from _line(line)


def _line(line: Line) -> Iterator[Node]:
    field = line.field
    if field is None or field.key == OWN_KEY:
        is_comment = not line.bare and (field is not None or line.comment)
        yield Node(NodeKind.COMMENT, line.span, ("comment",) if is_comment else ())
    if field is None:
        return
    is_coloured = not line.bare and field.key != OWN_KEY
    yield Node(NodeKind.FIELD, Span(field.key_span.start, field.value_span.end))
    key = ("keyword", "declaration") if field.key == ROLE else ("property",)
    yield Node(NodeKind.KEY, field.key_span, key if is_coloured else ())
    token = _value_token(field) if is_coloured and field.value else ()
    yield Node(NodeKind.VALUE, field.value_span, token)


def _value_token(field: Field) -> tuple[str, ...]:
    if field.key == ROLE:
        if field.value not in ROLES:
            return ()
        return ("keyword", "modification") if field.value == ROLES[1] else ("keyword",)
    if is_uuid(field.value):
        return ("enumMember",)
    is_number = field.key in _NUMBERS and is_valid(field.key, field.value)
    return ("number",) if is_number else ("string",)


def names_in(header: MessageHeader) -> tuple[Name, ...]:
    """Every UUID of a header, in order."""
    return tuple(
        [
            Name(
                NameKind.UUID,
                field.value.lower(),
                field.value_span,
                Use.DECLARES if field.key == UUID else Use.USES,
                field.value_span,
            )
            for field in header.fields
            if is_uuid(field.value)
        ]
    )

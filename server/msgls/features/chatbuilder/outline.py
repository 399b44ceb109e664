"""The outline of a message: its header with the fields, and the headings of its body."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.chatbuilder.places import header_of
from msgls.features.outline import NodeKind, OutlineNode
from msgls.formats.base import Placed
from msgls.formats.chatbuilder.header import Field, MessageHeader
from msgls.model.cells import Heading
from msgls.rules.chatbuilder.cbm005_missing_fields import description_of
from msgls.text.phrases import Phrase

_LONGEST_NAME = 80


def outline(snapshot: Snapshot) -> list[OutlineNode]:
    """The message, then its headings, nested by level."""
    document = snapshot.document
    first, header = document.first_cell(), header_of(document)
    if first is None or header is None:
        return []
    roots: list[OutlineNode] = []
    if header.lines:
        roots.append(_message(document, first, header))
    opened: list[tuple[int, OutlineNode]] = []
    for placed in document.cells():
        for heading in placed.cell.headings:
            node = _heading(placed, heading)
            while opened and opened[-1][0] >= heading.level:
                _, before = opened.pop()
                if heading.span.start:
                    before.end = (placed, heading.span.start)
            (opened[-1][1].children if opened else roots).append(node)
            opened.append((heading.level, node))
        for _, node in opened:
            node.end = (placed, placed.cell.length)
    return roots


def _message(document: Document, placed: Placed, header: MessageHeader) -> OutlineNode:
    role = header.known_role or Phrase("message")
    given = header.get("Description")
    said = given.value if given is not None else ""
    words = said or description_of(document, header, role)
    room = _LONGEST_NAME - len(f"{role}: ")
    name = Phrase("{role}: {words}", role=role, words=_shorten(words, room))
    kind = NodeKind.ANSWER if role == "assistant" else NodeKind.MESSAGE
    selection = header.lines[0].span
    node = OutlineNode(name, "", kind, placed, selection, (placed, header.end))
    node.children = [_field(placed, field) for field in header.fields]
    return node


def _field(placed: Placed, field: Field) -> OutlineNode:
    selection = field.key_span if field.key_span.end > field.key_span.start else field.value_span
    end = (placed, max(field.value_span.end, selection.end))
    return OutlineNode(field.key, _shorten(field.value), NodeKind.FIELD, placed, selection, end)


def _heading(placed: Placed, heading: Heading) -> OutlineNode:
    name = _shorten(heading.text) or Phrase("(empty heading)")
    end = (placed, placed.cell.length)
    return OutlineNode(name, "", NodeKind.HEADING, placed, heading.text_span, end)


def _shorten(text: str, most: int = _LONGEST_NAME) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"

"""The nodes of JSON around a place: keys, values, and keys with their values.

Only those on the way from the root to the place: a cell of JSON may be megabytes long.
"""

from collections.abc import Iterator

from msgls.formats.jsontree import JsonTree, JsonValue
from msgls.syntax.nodes import Node, NodeKind
from msgls.text.spans import Span


def json_nodes_at(tree: JsonTree, at: int) -> Iterator[Node]:
    """The nodes that a cursor is in, outer ones first; spans are those of the tree."""
    value = next((root for root in tree.roots if root.span.contains(at)), None)
    while value is not None:
        yield Node(NodeKind.OBJECT if value.members or value.items else NodeKind.VALUE, value.span)
        yield Node(NodeKind.VALUE, value.inside)
        inner: JsonValue | None = None
        for member in value.members:
            if member.span.contains(at):
                start, end = member.key_span
                yield Node(NodeKind.FIELD, member.span)
                yield Node(NodeKind.KEY, member.key_span)
                yield Node(NodeKind.KEY, Span(start + 1, max(end - 1, start + 1)))
                inner = member.value
                break
        value = inner or next((item for item in value.items if item.span.contains(at)), None)

"""The call hierarchy: who asked for what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.features.outline import NodeKind
from msgls.formats.base import Placed
from msgls.text.spans import Span


class HierarchyItem(NamedTuple):
    """Something that asks, or that was asked for."""

    name: str
    detail: str
    kind: NodeKind
    placed: Placed
    selection: Span
    """What is selected when somebody goes there, relative to the cell."""


def item_at(document: Document, offset: int) -> HierarchyItem | None:
    """What stands at ``offset``, if it can be part of a hierarchy."""
    found = provided(document, item_at)
    return None if found is None else found(document, offset)


def outgoing(document: Document, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """What the item asked for."""
    found = provided(document, outgoing)
    return iter(()) if found is None else found(document, item)


def incoming(document: Document, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """Who asked for the item."""
    found = provided(document, incoming)
    return iter(()) if found is None else found(document, item)

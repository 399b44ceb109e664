"""The call hierarchy: who asked for what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
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


def item_at(snapshot: Snapshot, offset: int) -> HierarchyItem | None:
    """What stands at ``offset``, if it can be part of a hierarchy."""
    found = provided(snapshot.document, item_at)
    return None if found is None else found(snapshot, offset)


def outgoing(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """What the item asked for."""
    found = provided(snapshot.document, outgoing)
    return iter(()) if found is None else found(snapshot, item)


def incoming(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """Who asked for the item."""
    found = provided(snapshot.document, incoming)
    return iter(()) if found is None else found(snapshot, item)

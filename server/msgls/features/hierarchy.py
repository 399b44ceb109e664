"""The call hierarchy: who asked for what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
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
    return language_of(snapshot.document).item_at(snapshot, offset)


def outgoing(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """What the item asked for."""
    return language_of(snapshot.document).outgoing(snapshot, item)


def incoming(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """Who asked for the item."""
    return language_of(snapshot.document).incoming(snapshot, item)

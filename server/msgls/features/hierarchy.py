"""The call hierarchy: which message made a call, and which result answers it.

An item is a symbol of the outline: a cell, or a call in it. A message calls what is in it. What
answers a call is found by names; the ``Language`` of a format may find it in another way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.names import PlacedName, places
from msgls.features.outline import Symbol, SymbolKind
from msgls.formats.base import Placed
from msgls.syntax.names import NameKind, Use
from msgls.text.spans import Span


class HierarchyItem(NamedTuple):
    """A message, a call or a result."""

    placed: Placed
    symbol: Symbol

    @property
    def span(self) -> Span:
        """All of it, relative to its cell."""
        return Span(self.symbol.selection.start, self.symbol.end)


def item_at(snapshot: Snapshot, offset: int) -> HierarchyItem | None:
    """The item at ``offset``, if it has incoming or outgoing calls."""
    placed = snapshot.document.cell_at_offset(offset)
    if placed is None:
        return None
    item = _innermost(_items(snapshot, placed), offset - placed.start_offset)
    if item is None or not (any(incoming(snapshot, item)) or any(outgoing(snapshot, item))):
        return None
    return item


def outgoing(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """The outgoing calls of an item: the calls in it, and the answers to it."""
    if item.symbol.kind is not SymbolKind.CALL:
        for inner in _items(snapshot, item.placed):
            if (
                inner.symbol.kind is SymbolKind.CALL
                and item.span.covers(inner.span)
                and inner != item
            ):
                yield inner
    answers = language_of(snapshot.document).answers(snapshot, item.placed, item.span)
    yield from _at(snapshot, answers)


def incoming(snapshot: Snapshot, item: HierarchyItem) -> Iterator[HierarchyItem]:
    """The incoming calls of an item: the message around a call, or the call that it answers."""
    if item.symbol.kind is SymbolKind.CALL:
        around = [
            outer
            for outer in _items(snapshot, item.placed)
            if outer.span.covers(item.span) and outer != item
        ]
        yield from around[-1:]
    askers = language_of(snapshot.document).askers(snapshot, item.placed, item.span)
    yield from _at(snapshot, askers)


def _items(snapshot: Snapshot, placed: Placed) -> list[HierarchyItem]:
    symbols = language_of(snapshot.document).cell_symbols(snapshot, placed)
    items = [HierarchyItem(placed, symbol) for symbol in symbols]
    return sorted(items, key=lambda item: (item.span.start, -item.span.end))


def _innermost(items: list[HierarchyItem], at: int) -> HierarchyItem | None:
    if items and at < items[0].span.start:
        return items[0]
    last = bisect_right(items, at, key=lambda item: item.span.start)
    return next((items[n] for n in range(last - 1, -1, -1) if items[n].span.contains(at)), None)


def _at(snapshot: Snapshot, found: Iterable[tuple[Placed, int]]) -> Iterator[HierarchyItem]:
    seen: set[HierarchyItem] = set()
    known: dict[int, list[HierarchyItem]] = {}
    for placed, at in found:
        if placed.label not in known:
            known[placed.label] = _items(snapshot, placed)
        item = _innermost(known[placed.label], at)
        if item is not None and item not in seen:
            seen.add(item)
            yield item


def counterparts(
    snapshot: Snapshot, placed: Placed, span: Span, use: Use
) -> Iterator[tuple[Placed, int]]:
    """The places that answer the calls of an item, or the calls that it answers; by ``use``."""
    other = {Use.ANSWERS: Use.DECLARES, Use.DECLARES: Use.ANSWERS}[use]
    items = _items(snapshot, placed)
    for name in placed.cell.names:
        if name.kind is not NameKind.CALL or name.use is not other or not span.covers(name.span):
            continue
        owner = _innermost(items, name.span.start)
        if owner is None or owner.span != span:
            continue
        for place in places(snapshot.document, PlacedName(placed, name)):
            if place.name.use is use:
                yield place.placed, place.name.span.start

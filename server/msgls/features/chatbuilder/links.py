"""Links of a message: relative links and images in its body."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.links import Link, PlacedLink
from msgls.features.proselinks import prose_links
from msgls.model.cells import Cell

_LINKS: WeakKeyDictionary[Cell, tuple[Link, ...]] = WeakKeyDictionary()


def links(document: Document) -> Iterator[PlacedLink]:
    """Every link of a document, by section."""
    for placed in document.cells():
        found = _LINKS.get(placed.cell)
        if found is None:
            found = _LINKS[placed.cell] = tuple(prose_links(placed.cell))
        for link in found:
            yield PlacedLink(placed, link)

"""Links of a message file: ``output_file``, and relative links and images in the prose."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.links import Link, PlacedLink
from msgls.features.proselinks import is_relative, prose_links
from msgls.model.cells import Cell
from msgls.text.spans import Span

_LINKS: WeakKeyDictionary[Cell, tuple[Link, ...]] = WeakKeyDictionary()


def links(document: Document) -> Iterator[PlacedLink]:
    """Every link of a document, by cell."""
    for placed in document.cells():
        for link in cell_links(placed.cell):
            yield PlacedLink(placed, link)


def cell_links(cell: Cell) -> tuple[Link, ...]:
    """The links of one cell, remembered with it."""
    found = _LINKS.get(cell)
    if found is None:
        found = _LINKS[cell] = tuple(_find(cell))
    return found


def _find(cell: Cell) -> Iterator[Link]:
    for definition in cell.definitions:
        attribute = definition.get("output_file")
        if attribute is not None and is_relative(attribute.value):
            inner = 1 if attribute.quote else 0
            span = attribute.value_span
            yield Link(Span(span.start + inner, span.end - inner), attribute.value)
    yield from prose_links(cell)

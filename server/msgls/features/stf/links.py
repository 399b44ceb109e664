"""Links of a Simple Text Format file: what ``embed`` names, where it is a relative path."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.links import Link, PlacedLink
from msgls.features.stf.meaning import cell_of
from msgls.formats.stf.calls import commands_of
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.embeds import relative_path

_LINKS: WeakKeyDictionary[StfCell, tuple[Link, ...]] = WeakKeyDictionary()


def links(document: Document) -> Iterator[PlacedLink]:
    """Every link of a document, by cell."""
    for placed in document.cells():
        cell = cell_of(placed)
        for link in () if cell is None else cell_links(cell):
            yield PlacedLink(placed, link)


def cell_links(cell: StfCell) -> tuple[Link, ...]:
    """The links of one cell, remembered with it."""
    found = _LINKS.get(cell)
    if found is None:
        found = _LINKS[cell] = tuple(_find(cell))
    return found


def _find(cell: StfCell) -> Iterator[Link]:
    for command in commands_of(cell):
        line = cell.data_line(command)
        if command.spec is None or command.spec.name != "embed" or line is None:
            continue
        target = relative_path(line.of(cell.text))
        if target is not None:
            yield Link(line, target)

"""Links in prose: what Markdown of every format has, outside of its fences."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.features.links import Link
from msgls.formats.prose import is_relative, linked
from msgls.model.cells import Cell

__all__ = ["is_relative", "prose_links"]


def prose_links(cell: Cell) -> Iterator[Link]:
    """The relative links and images of a cell's body."""
    return (Link(span, target) for span, target in linked(cell))

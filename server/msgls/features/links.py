"""Links that can be followed: where they are and what they name.

Whether the file exists, and opening it, is the client's business. Nothing is fetched.
Remote links are left to the client, which finds them by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.syntax.nodes import Link


class PlacedLink(NamedTuple):
    """A link and the cell that it stands in."""

    placed: Placed
    link: Link


def links(snapshot: Snapshot) -> Iterator[PlacedLink]:
    """Every link of a document, by cell."""
    for placed in snapshot.document.cells():
        for link in placed.cell.links:
            yield PlacedLink(placed, link)

"""Links that can be followed: their spans and their targets.

Whether the target exists is not checked here; the client opens it. Remote links are left to the
client, which finds them by itself.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.syntax.nodes import Link
from msgls.text.work import Pausing, Work


class PlacedLink(NamedTuple):
    """A link and the cell that it is in."""

    placed: Placed
    link: Link


@Pausing
def links(snapshot: Snapshot) -> Work[list[PlacedLink]]:
    """Every link of a document, by cell."""
    found: list[PlacedLink] = []
    for placed in snapshot.document.cells():
        yield from placed.cell.reading("links")
        found += [PlacedLink(placed, link) for link in placed.cell.links]
        yield
    return found

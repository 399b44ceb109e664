"""Go to definition: from a name to what it stands for."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Span


class Target(NamedTuple):
    """Where a jump leads."""

    span: Span
    """What to select there."""
    around: Span
    """The line or the cell that it stands in."""


class Jump(NamedTuple):
    """A jump: what is jumped from, and where it leads."""

    origin: Span
    targets: tuple[Target, ...]


def definition(document: Document, offset: int, other_agents: Collection[str] = ()) -> Jump | None:
    """Where the name at ``offset`` leads."""
    found = provided(document, definition)
    return None if found is None else found(document, offset, other_agents)

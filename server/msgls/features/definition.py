"""Go to definition: from a name to what it stands for, here or in another file.

What stands in another file is only named: whoever can open that file asks ``introduced``
where the name stands in it.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.features.elsewhere import Elsewhere
from msgls.rules.base import ALONE, Surroundings
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
    elsewhere: tuple[Elsewhere, ...] = ()
    """Other files that introduce the name."""


def definition(document: Document, offset: int, surroundings: Surroundings = ALONE) -> Jump | None:
    """Where the name at ``offset`` leads."""
    found = provided(document, definition)
    return None if found is None else found(document, offset, surroundings)


def introduced(document: Document, name: str) -> list[Target]:
    """Where a document introduces a name that other files use."""
    found = provided(document, introduced)
    return [] if found is None else found(document, name)

"""Highlight: where else in the document the name under the cursor is.

An editor requests this at every move of the cursor, so the time that it takes must not depend on
the length of the document.
"""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.names import name_at, places
from msgls.syntax.names import Use
from msgls.text.spans import Span


class Highlight(NamedTuple):
    """An occurrence of the name."""

    span: Span
    is_declared: bool
    """Whether the name is declared or defined here, and not only used."""


def highlights(snapshot: Snapshot, offset: int) -> list[Highlight]:
    """The occurrences, in order."""
    document = snapshot.document
    found = name_at(document, offset)
    if found is None:
        return []
    return [
        Highlight(place.span, place.name.use in (Use.DECLARES, Use.DEFINES))
        for place in places(document, found, near_offset=offset)
    ]

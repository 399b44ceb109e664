"""Hover: what is under the cursor, in a few words."""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.markup import Part
from msgls.text.spans import Span


class Hover(NamedTuple):
    """The text of a hover, and the span that it is about."""

    span: Span
    parts: tuple[Part, ...]


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover at ``offset``."""
    return language_of(snapshot.document).hover(snapshot, offset)

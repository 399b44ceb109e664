"""Linked editing: places with the same text, which change together while the user types in one."""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.names import name_at
from msgls.text.spans import Span


class Linked(NamedTuple):
    """Places that hold the same text."""

    spans: tuple[Span, ...]
    word_pattern: str
    """What may be typed there; anything else ends the linked editing."""


def linked(snapshot: Snapshot, offset: int) -> Linked | None:
    """The places that change together with the one at ``offset``."""
    document = snapshot.document
    found = name_at(document, offset)
    both = None if found is None else language_of(document).linked(document, found)
    if both is None or len(both.spans) < 2 or not any(s.contains(offset) for s in both.spans):
        return None
    texts = {document.store.slice(span) for span in both.spans}
    return both if len(texts) == 1 else None

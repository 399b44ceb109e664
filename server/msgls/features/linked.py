"""Linked editing: places that hold the same text and change together while one is typed in."""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Span


class Linked(NamedTuple):
    """Places that hold the same text."""

    spans: tuple[Span, ...]
    word_pattern: str
    """What may be typed there; anything else ends the linked editing."""


def linked(document: Document, offset: int) -> Linked | None:
    """The places that are to change with the one at ``offset``."""
    found = provided(document, linked)
    return None if found is None else found(document, offset)

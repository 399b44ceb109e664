"""Hover: what stands under the cursor, in a few words."""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.features.markup import Part
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


class Hover(NamedTuple):
    """What is said, and of which piece of the text."""

    span: Span
    parts: tuple[Part, ...]


def hover(document: Document, offset: int, surroundings: Surroundings = ALONE) -> Hover | None:
    """What can be said of the place at ``offset``."""
    found = provided(document, hover)
    return None if found is None else found(document, offset, surroundings)

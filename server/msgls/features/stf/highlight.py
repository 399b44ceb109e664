"""Highlight in a Simple Text Format file: the same places as the references."""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.highlight import Highlight
from msgls.features.stf.names import named_at, occurrences


def highlights(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> list[Highlight]:
    """The places, in order."""
    named = named_at(document, offset)
    if named is None:
        return []
    return [Highlight(found.span, found.gives) for found in occurrences(document, named[1])]

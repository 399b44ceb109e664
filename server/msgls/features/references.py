"""Find references: every place that says the name under the cursor."""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, other_agents: Collection[str] = ()
) -> list[Span]:
    """The places, in order; without those that introduce the name unless ``declared``."""
    found = provided(document, references)
    return [] if found is None else found(document, offset, declared, other_agents)

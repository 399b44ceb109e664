"""Find references: every place that says the name under the cursor, here and in other files.

Other files are only named: whoever can open them asks ``mentions`` for the places there.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.features.elsewhere import Elsewhere
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> list[Span]:
    """The places, in order; without those that introduce the name unless ``declared``."""
    found = provided(document, references)
    return [] if found is None else found(document, offset, declared, surroundings)


def elsewhere(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The other files that may say the name under the cursor, found on the way."""
    found = provided(document, elsewhere)
    return [] if found is None else found(document, offset, declared, surroundings)


def mentions(document: Document, name: str, declared: bool = True) -> list[Span]:
    """Where a document says a name that was looked for in another file."""
    found = provided(document, mentions)
    return [] if found is None else found(document, name, declared)

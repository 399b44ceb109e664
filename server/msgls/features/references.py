"""Find references: every place that says the name under the cursor, here and in other files.

Other files are only named: whoever can open them asks ``mentions`` for the places there.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.features.elsewhere import Elsewhere
from msgls.features.language import language_of
from msgls.features.names import PlacedName, name_at, places, shared_places
from msgls.rules.base import ALONE, Surroundings
from msgls.syntax.names import Use
from msgls.text.spans import Span

_USES = tuple(use for use in Use if use is not Use.DECLARES)


def references(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> list[Span]:
    """The places, in order; without those that introduce the name unless ``declared``."""
    found = name_at(document, offset)
    return [] if found is None else _spans(places(document, found), declared)


def elsewhere(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The other files that may say the name under the cursor, found on the way."""
    found = name_at(document, offset)
    if found is None:
        return ()
    uses = tuple(Use) if declared else _USES
    return language_of(document).elsewhere(document, found, surroundings, uses)


def mentions(document: Document, name: str, declared: bool = True) -> list[Span]:
    """Where a document says a name that was looked for in another file."""
    return _spans(shared_places(document, name), declared)


def _spans(found: Iterable[PlacedName], declared: bool) -> list[Span]:
    return [place.span for place in found if declared or place.name.use is not Use.DECLARES]

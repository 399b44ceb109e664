"""Find references: every occurrence of the name under the cursor, here and in other files.

Other files are returned as paths: a caller that can open them calls ``mentions`` with each.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.names import Elsewhere, PlacedName, name_at, places, shared_places
from msgls.syntax.names import Use
from msgls.text.spans import Span

_USES = tuple(use for use in Use if use is not Use.DECLARES)


def references(snapshot: Snapshot, offset: int, declared: bool = True) -> list[Span]:
    """The occurrences, in order; without declarations unless ``declared``."""
    document = snapshot.document
    found = name_at(document, offset)
    return [] if found is None else _spans(places(document, found), declared)


def elsewhere(snapshot: Snapshot, offset: int, declared: bool = True) -> Iterable[Elsewhere]:
    """The other files where the name under the cursor may occur, found while iterating."""
    found = name_at(snapshot.document, offset)
    if found is None:
        return ()
    uses = tuple(Use) if declared else _USES
    return language_of(snapshot.document).elsewhere(snapshot, found, uses)


def mentions(snapshot: Snapshot, name: str, declared: bool = True) -> list[Span]:
    """The occurrences of a name that another file shares."""
    return _spans(shared_places(snapshot.document, name), declared)


def _spans(found: Iterable[PlacedName], declared: bool) -> list[Span]:
    return [place.span for place in found if declared or place.name.use is not Use.DECLARES]

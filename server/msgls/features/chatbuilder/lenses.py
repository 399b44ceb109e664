"""Code lenses of a message: which of its folder it is, and the way to the others.

Each that does something has its twin among the code actions.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.chatbuilder.folder import Standing, standing
from msgls.features.chatbuilder.places import header_of
from msgls.features.lenses import Lens, Said
from msgls.formats.base import Placed
from msgls.text.phrases import EMPTY, Phrase

PLACE, PREVIOUS, NEXT, NEW = "place", "previous", "next", "new"


def lenses(snapshot: Snapshot) -> Iterator[Lens]:
    """All above the first line."""
    found, first = standing(snapshot), snapshot.document.first_cell()
    if found is None or first is None:
        return
    yield Lens(first.order, 0, PLACE)
    if found.previous is not None:
        yield Lens(first.order, 0, PREVIOUS)
    if found.next is not None:
        yield Lens(first.order, 0, NEXT)
    elif not found.is_alone:
        yield Lens(first.order, 0, NEW)


def say(snapshot: Snapshot, placed: Placed, what: str) -> Said:
    """What a lens says; one whose folder has changed meanwhile says nothing."""
    found = standing(snapshot)
    if found is None:
        return Said(EMPTY)
    if what == PREVIOUS and found.previous is not None:
        return Said(Phrase("previous message"), table.GO_TO_PREVIOUS_MESSAGE.id)
    if what == NEXT and found.next is not None:
        return Said(Phrase("next message"), table.GO_TO_NEXT_MESSAGE.id)
    if what == NEW and found.is_last:
        return Said(Phrase("new next message"), table.INSERT_NEXT_MESSAGE.id)
    return Said(_place(snapshot.document, found) if what == PLACE else EMPTY)


def _place(document: Document, found: Standing) -> Phrase:
    header = header_of(document)
    role = None if header is None else header.known_role
    place = Phrase(
        "message {number:,} of {count:,}", number=found.place + 1, count=len(found.names)
    )
    if found.is_alone:
        place = Phrase("message {name}", name=found.names[0].rpartition(".")[0])
    return Phrase("{place} · {role}", place=place, role=role) if role else place

"""Ids of a Simple Text Format file, and every place that says one.

A call and the messages that answer it say the same id; the id of a message nobody else says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.stf.meaning import cell_of
from msgls.features.stf.places import Place, place_at
from msgls.formats.base import Placed
from msgls.formats.stf.calls import IdKind, IdPlace, id_places
from msgls.text.spans import Span


class Occurrence(NamedTuple):
    """A place that says an id."""

    placed: Placed
    id: IdPlace

    @property
    def span(self) -> Span:
        """Where, absolute, without quotes."""
        return self.id.span.shift(self.placed.start_offset)

    @property
    def written(self) -> Span:
        """Where, absolute, with quotes."""
        return self.id.written.shift(self.placed.start_offset)

    @property
    def gives(self) -> bool:
        """Whether the id is given here, and not only used."""
        return self.id.kind is not IdKind.RESULT


def named_at(document: Document, offset: int) -> tuple[Place, IdPlace] | None:
    """The id at ``offset``."""
    place = place_at(document, offset)
    return None if place is None or place.id is None else (place, place.id)


def occurrences(document: Document, identifier: IdPlace) -> list[Occurrence]:
    """Every place that says the same id of the same kind of thing, in order."""
    is_message = identifier.kind is IdKind.MESSAGE
    kinds = (IdKind.MESSAGE,) if is_message else (IdKind.CALL, IdKind.RESULT)
    found = [place for kind in kinds for place in _of_kind(document, kind, identifier.text)]
    return sorted(found, key=lambda occurrence: occurrence.span)


def _of_kind(document: Document, kind: IdKind, text: str) -> Iterator[Occurrence]:
    for entry in document.entries(kind.value, text):
        placed = document.cell(entry.order)
        cell = cell_of(placed)
        for place in () if cell is None else id_places(cell):
            if place.kind is kind and place.text == text:
                yield Occurrence(placed, place)

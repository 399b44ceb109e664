"""A snapshot: a version of a document with everything that rules and features may know.

It is the one context that they are given, so none of it can be forgotten on the way: what a
cell means depends on the agents around its file, and is asked here.
"""

from __future__ import annotations

from datetime import datetime
from typing import NoReturn

from msgls.document.document import Document
from msgls.document.settings import Settings
from msgls.document.surroundings import Surroundings
from msgls.formats.base import Meaning, Placed
from msgls.text.tokens import TokenCounter


class Snapshot:
    """A document, its surroundings, its settings and the time. Nothing of it ever changes."""

    __slots__ = ("_meanings", "document", "now", "settings", "surroundings")

    document: Document
    """As it reads among the agents of ``surroundings``."""
    surroundings: Surroundings
    settings: Settings
    now: datetime
    """For what is written or shown. Rules never look at it: a problem follows from the text."""
    _meanings: dict[int, Meaning]

    def __init__(
        self, document: Document, surroundings: Surroundings, settings: Settings, now: datetime
    ) -> None:
        assign = object.__setattr__
        assign(self, "document", document.around(surroundings.other_agents))
        assign(self, "surroundings", surroundings)
        assign(self, "settings", settings)
        assign(self, "now", now)
        assign(self, "_meanings", {})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a snapshot is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a snapshot is frozen: {name} cannot be deleted")

    @property
    def tokens(self) -> TokenCounter:
        """How tokens are counted."""
        return self.surroundings.tokens

    def of(self, document: Document) -> Snapshot:
        """The same context around another document: its next version, or one made from it."""
        return Snapshot(document, self.surroundings, self.settings, self.now)

    @property
    def time(self) -> str:
        """The time as files have it: ISO 8601, to the second."""
        return self.now.isoformat(timespec="seconds")

    def meaning(self, placed: Placed) -> Meaning:
        """What a cell of the document is."""
        meanings = self._meanings
        known = meanings.get(placed.order)
        if known is None:
            document = self.document
            known = meanings[placed.order] = document.format.meaning(document, placed)
        return known

    def meaning_at(self, order: int) -> Meaning:
        """What the cell with that label is."""
        known = self._meanings.get(order)
        return self.meaning(self.document.cell(order)) if known is None else known

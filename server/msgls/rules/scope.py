"""What a format adds to the checker: which cells and ids a result depends on.

``Scope`` is the answer of a format whose cells stand for themselves. ``rules/registry.py`` chooses
by format.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from msgls.conversation.visibility import NO_HORIZON, Horizon
from msgls.document.document import Change, Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.rules.topics import topics_held


class Surrounding(NamedTuple):
    """What every cell of a document depends on."""

    horizon: Horizon = NO_HORIZON
    section: str | None = None
    """The name of the section that holds the record, where only a section does."""


class Staleness(NamedTuple):
    """What an edit invalidates, beyond the cells that it touched."""

    cells: Collection[int] = ()
    roots: Collection[str] = ()
    """The roots of families."""


class Scope:
    """A format whose cells do not depend on each other."""

    id_relations: Collection[str] = ()
    """The relations of the index that say an id of a family."""
    decisive: frozenset[str] = frozenset()
    """Relations: an edit of a cell that says one of them may change what every cell depends on.

    The same facts may be said in another order. Where no fact changes, no cell moves and what
    is before the first cell stays as it is, no other edit can.
    """

    def surrounding(self, document: Document) -> Surrounding:
        """What every cell depends on."""
        return Surrounding()

    def meaning(self, snapshot: Snapshot, placed: Placed) -> Meaning:
        """What a cell is; not remembered, for it costs nothing."""
        return Meaning(placed, None, None, CellRole.PREAMBLE)

    def topics(self, meaning: Meaning, passed: int) -> int:
        """The topics of a cell; the model does not see cells up to the label ``passed``."""
        return topics_held(meaning.placed.cell)

    def family_topics(self, document: Document, root: str, dotted: Iterable[str]) -> int:
        """The topics of a family of ids."""
        return 0

    def stale(
        self,
        before: Document,
        document: Document,
        change: Change,
        ids: dict[str, set[str]],
        labels_by_type: Mapping[str, Collection[int]],
    ) -> Staleness:
        """What an edit invalidates; new dotted ids are added to ``ids``, by their root."""
        return Staleness()

    def seen_text(self, document: Document, meaning: Meaning, horizon: Horizon) -> str:
        """What of a cell the model sees."""
        return ""

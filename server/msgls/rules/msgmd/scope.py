"""What the message file adds to the checker: meanings, resets, sections and families of ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgls.conversation.cell_visibility import last_reset, seen_text
from msgls.conversation.visibility import Sight
from msgls.document.document import Change, Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Meaning, Placed
from msgls.formats.msgmd.section import section_name, section_order
from msgls.rules.msgmd.stale import ID_RELATIONS, Stale
from msgls.rules.msgmd.topics import family_topics, topics_of
from msgls.rules.scope import Scope, Staleness, Surrounding


class MessageFileScope(Scope):
    """Cells that define, answer, hide and name each other."""

    id_relations = ID_RELATIONS

    def surrounding(self, document: Document) -> Surrounding:
        """The last reset, and the section."""
        horizon = last_reset(document), section_order(document)
        return Surrounding(horizon, section_name(document))

    def meaning(self, snapshot: Snapshot, placed: Placed) -> Meaning:
        """What a cell is, by its definition wherever that stands."""
        return snapshot.meaning(placed)

    def topics(self, meaning: Meaning, passed: int) -> int:
        """By role, id and attributes too."""
        return topics_of(meaning, passed)

    def family_topics(self, document: Document, root: str, dotted: Iterable[str]) -> int:
        """As the index tells."""
        return family_topics(document, root, dotted)

    def stale(
        self,
        before: Document,
        document: Document,
        change: Change,
        ids: dict[str, set[str]],
        orders_by_type: Mapping[str, Collection[int]],
    ) -> Staleness:
        """By the facts that changed."""
        stale = Stale(before, document, change, ids, orders_by_type)
        return Staleness(stale.cells(), stale.roots())

    def seen_text(self, meaning: Meaning, sight: Sight) -> str:
        """What of its content is sent."""
        return seen_text(meaning, sight)

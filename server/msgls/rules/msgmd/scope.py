"""What the message file adds to the checker: meanings, resets, sections and families of ids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgls.conversation.cell_visibility import last_reset, seen_text
from msgls.conversation.visibility import Sight
from msgls.document.document import Change, Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.formats.msgmd.meaning import TOOL
from msgls.formats.msgmd.section import section_name, section_order
from msgls.rules.msgmd.stale import ID_RELATIONS, Stale
from msgls.rules.scope import Scope, Staleness, Surrounding
from msgls.rules.topics import FamilyTopic, Topic, topics_held
from msgls.text.patterns import lazy_pattern


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


# -- The topics of a cell of a message file, and of a family of its ids.

_PLAIN_ID = lazy_pattern(r"[^\s.\[\]^]+")
# As plain numbers: an operation on flags makes an object each time.
_BY_ROLE = {role: int(Topic[role.name]) for role in CellRole}
_BY_KEY = {
    **dict.fromkeys(ATTRIBUTES, 0),
    "history": int(Topic.HISTORY),
    "virtual": int(Topic.VIRTUAL),
    "definition": int(Topic.AGENT),
}
_NO_ID, _UNDEFINED, _AWAY = int(Topic.NO_ID), int(Topic.UNDEFINED), int(Topic.AWAY)
_ODD_ID, _ATTRIBUTES, _FAULTS = int(Topic.ODD_ID), int(Topic.ATTRIBUTES), int(Topic.FAULTS)
_UNKNOWN, _TIME, _PASSED = int(Topic.UNKNOWN_ATTRIBUTE), int(Topic.TIME), int(Topic.PASSED)
_TIME_FACT = ("time", "")


def topics_of(meaning: Meaning, passed: int) -> int:
    """The topics of a cell; cells up to the label ``passed`` are not seen by the model."""
    placed, definition, holder, role = meaning
    cell = placed.cell
    topics = _BY_ROLE[role]
    cell_id = cell.id
    if definition is None:
        topics |= _NO_ID if cell_id is None else _UNDEFINED
    else:
        values = definition.values
        if values:
            topics |= _ATTRIBUTES
            for key in values:
                topics |= _BY_KEY.get(key, _UNKNOWN)
        if definition.problems:
            topics |= _FAULTS
        if holder is not placed or definition is not cell.home:
            topics |= _AWAY
    if cell_id is not None and not _PLAIN_ID.fullmatch(cell_id):
        topics |= _ODD_ID
    if placed.order <= passed:
        topics |= _PASSED
    if _TIME_FACT in cell.facts:
        topics |= _TIME
    return topics | topics_held(cell)


_HEADLESS, _REPEATED = int(FamilyTopic.HEADLESS), int(FamilyTopic.REPEATED)
_CHILDREN, _TOOLS = int(FamilyTopic.CHILDREN), int(FamilyTopic.TOOLS)
_RUNS = int(FamilyTopic.RUNS)


def family_topics(document: Document, root: str, dotted: Iterable[str]) -> int:
    """The topics of the family of ``root`` and its dotted ids; no cell is looked at."""
    topics = _id_topics(document, root)
    for cell_id in dotted:
        topics |= _id_topics(document, cell_id)
        if document.entries("header", cell_id):
            topics |= _CHILDREN
            said = document.entries("definition", cell_id)
            kinds = {p[0] for entry in said for p in entry.payloads if isinstance(p, tuple)}
            if TOOL in kinds:
                topics |= _TOOLS
            if kinds != {TOOL}:
                topics |= _RUNS
    return topics


def _id_topics(document: Document, cell_id: str) -> int:
    entries = document.entries
    headers, definitions = entries("header", cell_id), entries("definition", cell_id)
    if not headers:
        return _HEADLESS if definitions else 0
    if len(headers) > 1 or len(definitions) > 1 or (definitions and len(definitions[0][1]) > 1):
        return _REPEATED
    return _REPEATED if entries("footnote", cell_id) or entries("malformed", cell_id) else 0

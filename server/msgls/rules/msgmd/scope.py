"""What the message file adds to the checker: meanings, resets, sections and families of ids."""

from collections.abc import Collection, Iterable, Mapping

from msgls.conversation.cell_visibility import last_reset, seen_text, sight_of
from msgls.conversation.visibility import Horizon
from msgls.document.document import Change, Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.formats.msgmd.meaning import TOOL
from msgls.formats.msgmd.section import section_label, section_name
from msgls.rules.msgmd.ids import positive_number
from msgls.rules.msgmd.stale import ID_RELATIONS, Stale
from msgls.rules.scope import Scope, Staleness, Surrounding
from msgls.rules.topics import FamilyTopic, Topic, topics_held
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.patterns import lazy_pattern

_SEGMENT, _NUMBER = r"[^\s.\[\]^]+", "0*[1-9][0-9]{0,8}"
# The ids that a role has where nothing is odd.
_PLAIN_ID = lazy_pattern(_SEGMENT)
_CHILD_IDS = {
    CellRole.CALL: lazy_pattern(rf"{_SEGMENT}\.[A-Za-z0-9_-]+"),
    CellRole.RESULT: lazy_pattern(rf"{_SEGMENT}\.{_SEGMENT}\.{_NUMBER}"),
    CellRole.RUN: lazy_pattern(rf"{_SEGMENT}\.{_NUMBER}"),
}
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
_HEADLESS, _REPEATED = int(FamilyTopic.HEADLESS), int(FamilyTopic.REPEATED)
_MESSAGE, _OUTPUT = CellKind.MESSAGE.value, CellKind.OUTPUT.value
_TOOLS, _REUSED, _LOOSE = int(FamilyTopic.TOOLS), int(FamilyTopic.REUSED), int(FamilyTopic.LOOSE)


class MessageFileScope(Scope):
    """Cells that define, answer, hide and name each other."""

    id_relations = ID_RELATIONS
    # Where the section is, where the last reset is, and how much the default agent can take.
    decisive = frozenset({"heading", "reset", "agents"})

    def surrounding(self, document: Document) -> Surrounding:
        """The last reset, and the section."""
        return Surrounding(checked_horizon(document), section_name(document))

    def meaning(self, snapshot: Snapshot, placed: Placed) -> Meaning:
        """What a cell is, by its definition wherever that is."""
        return snapshot.meaning(placed)

    def topics(self, meaning: Meaning, passed: int) -> int:
        """By role, id and attributes too."""
        placed, definition, holder, role, lost = meaning
        cell = placed.cell
        topics = _BY_ROLE[role]
        cell_id = cell.id
        if definition is None:
            topics |= _NO_ID if cell_id is None else _UNDEFINED
            if lost is not None:
                for key in lost.marks:
                    topics |= _BY_KEY.get(key, 0)
        else:
            values = definition.values
            if values:
                topics |= _ATTRIBUTES
                for key in values:
                    topics |= _BY_KEY.get(key, _UNKNOWN)
            if definition.problems:
                topics |= _FAULTS
                for key in definition.marks:
                    topics |= _BY_KEY.get(key, 0)
            if holder is not placed or definition is not cell.home:
                topics |= _AWAY
        if cell_id is not None and not _CHILD_IDS.get(role, _PLAIN_ID).fullmatch(cell_id):
            topics |= _ODD_ID
        if placed.label <= passed:
            topics |= _PASSED
        if _TIME_FACT in cell.facts:
            topics |= _TIME
        return topics | topics_held(cell)

    def family_topics(self, document: Document, root: str, dotted: Iterable[str]) -> int:
        """As the index knows; no cell is looked at."""
        topics = _id_topics(document, root)
        types: dict[str, str] = {}
        for cell_id in dotted:
            topics |= _id_topics(document, cell_id)
            headers = document.entries("header", cell_id)
            if not headers:
                continue
            said = _types_of(document, cell_id)
            if TOOL in said:
                topics |= _TOOLS
                nonces = document.entries("nonce", CellId(cell_id).rest)
                if nonces and nonces[0].label < headers[-1].label:
                    topics |= _REUSED
            types[cell_id] = said[0] if said else ""
        if types and (topics & _REPEATED or not _is_in_order(document, root, types)):
            topics |= _LOOSE
        return topics

    def stale(
        self,
        before: Document,
        document: Document,
        change: Change,
        ids: dict[str, set[str]],
        labels_by_type: Mapping[str, Collection[int]],
    ) -> Staleness:
        """By the facts that changed."""
        stale = Stale(before, document, change, ids, labels_by_type)
        return Staleness(stale.cells(), stale.roots())

    def seen_text(self, document: Document, meaning: Meaning, horizon: Horizon) -> str:
        """What of its content is sent."""
        return seen_text(meaning, sight_of(document, meaning, horizon))


def checked_horizon(document: Document) -> Horizon:
    """The horizon of a document for rules: a section that is missing hides no cell.

    That is one mistake of the file (MSG501), and not one of each cell.
    """
    return Horizon(last_reset(document), section_label(document))


def _is_in_order(document: Document, root: str, types: Mapping[str, str]) -> bool:
    """Whether each of the dotted ids follows what it belongs to, and its number the one before.

    They are given with their types; each has one header and one definition at most.
    """
    header_of = {name: document.entries("header", name) for name in (root, *types)}
    is_code = "code" in _types_of(document, root)
    counted: set[str] = set()
    for cell_id, kind in types.items():
        parent = CellId(cell_id).parent
        is_call = kind == TOOL and parent == root
        is_result = kind == TOOL and types.get(parent) == TOOL
        is_run = kind != TOOL and is_code and parent == root
        above = header_of.get(parent)
        if not above or above[0].label > header_of[cell_id][0].label:
            return False
        if (_MESSAGE if is_run else _OUTPUT) not in above[0].payloads:
            return False
        if is_result or is_run:
            counted.add(parent)
        elif not is_call:
            return False
    return all(_counts_on(document, parent, parent == root) for parent in counted)


def _counts_on(document: Document, parent: str, may_skip: bool) -> bool:
    """Whether the numbers of what belongs to an id grow from 1 on, with gaps where it may."""
    last = 0
    for entry in document.entries("child", parent):
        number = positive_number(str(entry.payloads[0]))
        if number is None or number <= last or not (may_skip or number == last + 1):
            return False
        last = number
    return True


def _types_of(document: Document, cell_id: str) -> list[str]:
    said = document.entries("definition", cell_id)
    return [p[0] for entry in said for p in entry.payloads if isinstance(p, tuple)]


def _id_topics(document: Document, cell_id: str) -> int:
    entries = document.entries
    headers, definitions = entries("header", cell_id), entries("definition", cell_id)
    if not headers:
        return _HEADLESS if definitions else 0
    if len(headers) > 1 or len(definitions) > 1 or (definitions and len(definitions[0][1]) > 1):
        return _REPEATED
    return _REPEATED if entries("footnote", cell_id) or entries("malformed", cell_id) else 0

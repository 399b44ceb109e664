"""What a cell may hold that rules are about.

A rule declares the topics that it wants, and is called only for cells that hold one of them.
Each topic may say too much (the rule looks closer), but never too little: a property test
compares with calling every rule on every cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag, auto

from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.attributes import ATTRIBUTES
from msgls.formats.msgmd.meaning import TOOL
from msgls.model.cells import Cell, Held
from msgls.text.patterns import lazy_pattern


class Topic(IntFlag):
    """One thing that a cell may hold."""

    PREAMBLE = auto()
    MESSAGE = auto()
    CODE = auto()
    ANSWER = auto()
    CALL = auto()
    RESULT = auto()
    RUN = auto()
    NO_ID = auto()
    UNDEFINED = auto()
    """An id that no definition counts for."""
    AWAY = auto()
    """A definition that does not stand at home."""
    ODD_ID = auto()
    """An id that is not one plain segment."""
    ATTRIBUTES = auto()
    FAULTS = auto()
    """Something in the definition that is no attribute."""
    UNKNOWN_ATTRIBUTE = auto()
    HISTORY = auto()
    VIRTUAL = auto()
    AGENT = auto()
    """The attribute ``definition``."""
    TIME = auto()
    """Some definition in the cell says a time."""
    PASSED = auto()
    """The cell stands before the last reset, or outside the section."""
    REFERENCE = auto()
    NEAR_MISS = auto()
    OPEN_FENCE = auto()
    SUPPRESSION = auto()
    LINK = auto()
    UNSOUND = auto()
    """A JSON value that may not have its shape."""
    ODD_PART = auto()
    ODD_TIME = auto()


class FamilyTopic(IntFlag):
    """One thing that is said of the ids of a family, as the index tells it."""

    HEADLESS = auto()
    """A typed definition of an id that no header has."""
    REPEATED = auto()
    """Something says an id beyond one header and one definition."""
    CHILDREN = auto()
    """A header with a dotted id."""
    TOOLS = auto()
    """A dotted id that is a tool's."""
    RUNS = auto()
    """A dotted id that is not a tool's."""


_PLAIN_ID = lazy_pattern(r"[^\s.\[\]^]+")
# As plain numbers: an operation on flags makes an object each time.
_BY_ROLE = {role: int(Topic[role.name]) for role in CellRole}
_BY_KEY = {
    **dict.fromkeys(ATTRIBUTES, 0),
    "history": int(Topic.HISTORY),
    "virtual": int(Topic.VIRTUAL),
    "definition": int(Topic.AGENT),
}
_BY_HELD = [(int(held), int(Topic[str(held.name)])) for held in Held]
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
    return topics | _held_topics(cell.holds)


def topics_held(cell: Cell) -> int:
    """The topics of a cell of any other format."""
    return _held_topics(cell.holds)


def _held_topics(holds: int) -> int:
    topics = 0
    if holds:
        for held, topic in _BY_HELD:
            if holds & held:
                topics |= topic
    return topics


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

"""What a cell may hold that rules are about.

A rule declares the topics that it wants, and is called only for cells that hold one of them.
Each topic may say too much (the rule looks closer), but never too little: a property test
compares with calling every rule on every cell.
"""

from __future__ import annotations

from enum import IntFlag, auto

from msgls.syntax.cells import Cell, Held


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


# As plain numbers: an operation on flags makes an object each time.
_BY_HELD = [(int(held), int(Topic[str(held.name)])) for held in Held]


def topics_held(cell: Cell) -> int:
    """The topics that a cell of any format knows by itself."""
    topics, holds = 0, cell.holds
    if holds:
        for held, topic in _BY_HELD:
            if holds & held:
                topics |= topic
    return topics

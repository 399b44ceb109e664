"""Topics: what a cell may contain that rules are about.

A rule declares its topics in ``wants``, and is called only for cells with one of them. A topic may
be claimed too often, because the rule looks closer, but never too rarely: a property test compares
this with calling every rule on every cell.
"""

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
    """An id without a definition."""
    AWAY = auto()
    """A definition that is not right below its header."""
    ODD_ID = auto()
    """An id that does not have the shape that its role needs."""
    ATTRIBUTES = auto()
    FAULTS = auto()
    """Something in the definition that is not an attribute."""
    UNKNOWN_ATTRIBUTE = auto()
    HISTORY = auto()
    VIRTUAL = auto()
    AGENT = auto()
    """The attribute ``definition``."""
    TIME = auto()
    """Some definition in the cell says a time."""
    PASSED = auto()
    """The cell is before the last reset, or outside the section."""
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
    """One thing that the index knows about the ids of a family."""

    HEADLESS = auto()
    """A typed definition of an id that no header has."""
    REPEATED = auto()
    """An id with more than one header and one definition."""
    TOOLS = auto()
    """A dotted id that is a tool's."""
    REUSED = auto()
    """A call whose nonce an earlier cell has."""
    LOOSE = auto()
    """A dotted id that may not follow what it belongs to, or the number before it."""


# As plain numbers: an operation on flags makes an object each time.
_BY_HELD = [(int(held), int(Topic[str(held.name)])) for held in Held]


def topics_held(cell: Cell) -> int:
    """The topics that follow from a cell alone, in any format."""
    topics, holds = 0, cell.holds
    if holds:
        for held, topic in _BY_HELD:
            if holds & held:
                topics |= topic
    return topics

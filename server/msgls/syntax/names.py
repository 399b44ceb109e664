"""Names: the places in a cell that say what something is called.

A format finds the names of its cells; highlight, references, definition, linked editing and
rename work on names alone. What the index of a document knows of a name is a fact of the
cell that says it, so every place that says a name is found without reading other cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import NamedTuple

from msgls.syntax.ids import CellId
from msgls.text.spans import Span


class NameKind(Enum):
    """What has the name."""

    CELL = auto()
    AGENT = auto()
    MODEL = auto()
    """A model of an agent, by which the agent can be called too."""
    TOOL = auto()
    CALL = auto()
    UUID = auto()
    TASK = auto()
    MESSAGE = auto()

    @property
    def relation(self) -> str:
        """The relation of the index that ``name_facts`` says such names by."""
        return f"name:{self.name.lower()}"

    @property
    def family(self) -> NameKind:
        """The kind whose names these are: an agent can be called by its model."""
        return NameKind.AGENT if self is NameKind.MODEL else self


class Use(Enum):
    """What a place does with the name that it says."""

    DECLARES = auto()
    """Introduces it: a header, a registration, a call."""
    DEFINES = auto()
    """Says what it stands for: the definition of a cell."""
    ANSWERS = auto()
    """Gives what it asked for: the result of a call."""
    USES = auto()


class Name(NamedTuple):
    """A place in a cell that says a name. Spans are relative to the cell."""

    kind: NameKind
    text: str
    span: Span
    """The name itself, without quotes or brackets."""
    use: Use
    reach: Span
    """Where a cursor counts as being on the name: with quotes or brackets."""
    scope: str | None = None
    """What the name is unique in, for instance a run; nothing where it is the document."""

    @property
    def segment(self) -> Span:
        """What of the name the cursor is on: of an id, its last segment; else all of it."""
        if self.kind is not NameKind.CELL:
            return self.span
        return Span(self.span.end - len(CellId(self.text).last), self.span.end)

    def is_same(self, other: Name) -> bool:
        """Whether both say the same name; one without a scope belongs to every scope."""
        if self.text != other.text or self.kind.family is not other.kind.family:
            return False
        return self.scope is None or other.scope is None or self.scope == other.scope


def name_facts(names: Iterable[Name]) -> dict[tuple[str, str], tuple[object, ...]]:
    """What a cell that says these names adds to the index: how it uses each of them."""
    facts: dict[tuple[str, str], tuple[object, ...]] = {}
    for name in names:
        key = name.kind.relation, name.text
        facts[key] = (*facts.get(key, ()), name.use)
    return facts

"""Names: the places in a cell where something is named.

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
    """The kind of thing that has the name."""

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
    def relations(self) -> tuple[tuple[Use, str], ...]:
        """The relations of the index that hold such names, each with the use that it stands for."""
        return _RELATIONS[self.family]

    @property
    def family(self) -> NameKind:
        """The kind whose names these are: an agent can be called by its model."""
        return NameKind.AGENT if self is NameKind.MODEL else self


class Use(Enum):
    """How a place uses a name."""

    DECLARES = auto()
    """The place that introduces it: a header, a registration, a call."""
    DEFINES = auto()
    """The place that defines it: the definition of a cell."""
    ANSWERS = auto()
    """The place that answers it: the result of a call."""
    USES = auto()


class Name(NamedTuple):
    """A place in a cell where a name is written. Spans are relative to the cell."""

    kind: NameKind
    text: str
    span: Span
    """The name itself, without quotes or brackets."""
    use: Use
    reach: Span
    """Where a cursor counts as being on the name: with quotes or brackets."""
    scope: str | None = None
    """Where the name is unique, for instance a run; ``None`` means the document."""

    @property
    def segment(self) -> Span:
        """The part of the name under the cursor: the last segment of an id, otherwise all of it."""
        if self.kind is not NameKind.CELL:
            return self.span
        return Span(self.span.end - len(CellId(self.text).last), self.span.end)

    def is_same(self, other: Name) -> bool:
        """Whether both are the same name; one without a scope belongs to every scope."""
        if self.text != other.text or self.kind.family is not other.kind.family:
            return False
        return self.scope is None or other.scope is None or self.scope == other.scope


_RELATIONS: dict[NameKind, tuple[tuple[Use, str], ...]] = {
    NameKind.CELL: (
        (Use.DECLARES, "header"),
        (Use.DEFINES, "definition"),
        # Definitions that carry no metadata, that are half-written, and that a tool has escaped.
        (Use.DEFINES, "footnote"),
        (Use.DEFINES, "malformed"),
        (Use.DEFINES, "escaped"),
        (Use.USES, "reference"),
    ),
    NameKind.AGENT: ((Use.DECLARES, "agent"), (Use.USES, "typed"), (Use.USES, "model")),
    NameKind.TOOL: ((Use.USES, "tool"),),
    NameKind.CALL: ((Use.DECLARES, "call"), (Use.ANSWERS, "result"), (Use.USES, "call-use")),
    NameKind.UUID: ((Use.DECLARES, "uuid"), (Use.USES, "uuid-use")),
    NameKind.TASK: ((Use.DECLARES, "task"),),
    NameKind.MESSAGE: ((Use.DECLARES, "message-id"),),
}


def relation_of(kind: NameKind, use: Use) -> str:
    """The relation of the index by which a cell says that it uses a name so."""
    return next(relation for known, relation in kind.relations if known is use)


def name_facts(names: Iterable[Name]) -> dict[tuple[str, str], tuple[object, ...]]:
    """What a cell that says these names adds to the index.

    A format that reads as much without its names, as for a cell that is plainly written, may
    make these facts itself, and with payloads that say more.
    """
    facts: dict[tuple[str, str], tuple[object, ...]] = {}
    for name in names:
        key = relation_of(name.kind, name.use), name.text
        facts[key] = (*facts.get(key, ()), None)
    return facts

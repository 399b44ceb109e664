"""What a rule is, what it finds, and how a fix looks.

A rule is a module whose docstring is its documentation, with one class that
says code, name and severity and yields problems. A problem is in a cell, by
the cell's label and a span relative to it, so that it stays true while the text
around the cell moves. A fix is data: a title, edits, and whether it is safe.

Rules never raise on purpose, never open a file and keep no state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from msgls.conversation.visibility import NO_HORIZON, Horizon
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Format, Meaning, Placed
from msgls.rules.topics import FamilyTopic, Topic
from msgls.syntax.cells import Cell, Definition
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

NO_ARGS: Mapping[str, str] = MappingProxyType({})


class Severity(IntEnum):
    """The numbers of LSP: the lower, the worse."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4

    @property
    def label(self) -> str:
        """How it is written in settings and output."""
        return _LABELS[self]


_LABELS = {
    Severity.ERROR: Phrase("error"),
    Severity.WARNING: Phrase("warning"),
    Severity.INFORMATION: Phrase("info"),
    Severity.HINT: Phrase("hint"),
}


class Related(NamedTuple):
    """Another place that explains a problem."""

    label: int
    """The label of the cell that it stands in."""
    span: Span
    """Relative to that cell."""
    key: str
    """Which of the rule's texts describes it."""
    args: Mapping[str, str] = NO_ARGS
    has_fixes: bool = False
    """Whether the fixes of the problem are offered here, too."""


class Problem(NamedTuple):
    """One problem that a rule found."""

    code: str
    label: int
    """The label of the cell that it stands in."""
    span: Span
    """Relative to that cell."""
    key: str = "message"
    """Which of the rule's texts is its message."""
    args: Mapping[str, str] = NO_ARGS
    related: tuple[Related, ...] = ()
    subject: int | None = None
    """The label of the cell that it is about, where that is another one."""
    data: Any = None
    """Data that the rule needs for its fixes."""
    severity: Severity | None = None
    """A severity that differs from the rule's; a configured severity still takes precedence."""


class Fix(NamedTuple):
    """Edits that solve a problem, absolute in the document that was checked."""

    key: str
    """Which of the rule's texts is its title."""
    edits: tuple[Edit, ...]
    safe: bool = False
    args: Mapping[str, str] = NO_ARGS
    code: str = ""
    """The rule; filled in by the caller."""

    @classmethod
    def of(cls, key: str, /, *edits: Edit, safe: bool = False, **args: str) -> Fix:
        """A fix with these edits, and the arguments of its title."""
        return cls(key, tuple(edits), safe, args)


class Subject:
    """A cell under check: the cell, its meaning and its document."""

    __slots__ = (
        "cell",
        "definition",
        "document",
        "horizon",
        "meaning",
        "placed",
        "role",
        "snapshot",
    )

    def __init__(self, snapshot: Snapshot, meaning: Meaning, horizon: Horizon = NO_HORIZON) -> None:
        self.snapshot = snapshot
        self.document = snapshot.document
        self.meaning = meaning
        self.horizon = horizon
        self.placed: Placed = meaning.placed
        self.cell: Cell = meaning.placed.cell
        self.definition: Definition | None = meaning.definition
        self.role: CellRole = meaning.role

    @property
    def label(self) -> int:
        """The label of the cell."""
        return self.placed.label

    @property
    def definition_label(self) -> int:
        """The label of the cell that the definition stands in."""
        holder = self.meaning.holder
        return self.label if holder is None else holder.label

    def value(self, key: str) -> str | None:
        """The value of an attribute."""
        return None if self.definition is None else self.definition.value(key)


class Rule(ABC):
    """What all rules have. A subclass says when it runs."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    texts: ClassVar[Mapping[str, str]]
    """What users read, in English: messages, related places and titles of fixes, by key.

    ``{name}`` is an argument of the problem or the fix. Code is in back-quotes.
    """
    worst: ClassVar[Severity | None] = None
    """The severity of its worst problems, where those are worse than the others."""
    unnecessary: ClassVar[bool] = False
    """Editors fade what it finds."""
    format: str | None = None
    """The name of the only format that it looks at, which the list of its rules says."""

    def is_for(self, format: Format) -> bool:
        """Whether it looks at documents of that format."""
        return format.is_checked if self.format is None else format.name == self.format

    @property
    def may_have_fix(self) -> bool:
        """Whether some of its problems have a fix."""
        return type(self).fixes is not Rule.fixes

    def problem(self, label: int, span: Span, key: str = "message", **args: str) -> Problem:
        """A problem of this rule."""
        return Problem(self.code, label, span, key, args or NO_ARGS)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterable[Fix]:
        """The fixes of ``problem``, the best one first. Called only when fixes are needed."""
        return ()


def rules_in(names: Mapping[str, object], format: str | None = None) -> tuple[Rule, ...]:
    """One instance of each rule that a module imports, in that order; all for one format or any."""
    classes = [value for value in names.values() if isinstance(value, type)]
    rules = tuple([cls() for cls in classes if issubclass(cls, Rule)])
    for rule in rules:
        rule.format = format
    return rules


class CellRule(Rule):
    """Looks at one cell with its meaning; run again when either changes.

    It may look up facts of other cells, but not their text: where one of those facts changes,
    ``Scope.stale`` of the format names the cells that it is run again for.
    """

    roles: ClassVar[Collection[CellRole] | None] = None
    """Called only for cells of these roles; ``None`` means all."""
    wants: ClassVar[Topic | None] = None
    """Called only for cells with one of these topics; ``None`` means every cell."""

    def screen(self, texts: Sequence[str]) -> Collection[int] | None:
        """Of the texts of many cells, the numbers of those that it must be called for.

        Follows from the texts alone: a cell is not screened again while its text is the same. When
        a document is opened, searching many together takes less time than each by itself. Too many
        are allowed, too few are not; nothing means all of them. After an edit of a long cell, only
        the pieces that changed are screened, each with the 4,096 characters that follow it: what
        is longer must show by its beginning or its end alone.
        """
        return None

    reads: ClassVar[Collection[str]] = ()
    """Parts of the cell that it asks for: of a long cell, they are read with pauses before."""

    @abstractmethod
    def check(self, subject: Subject) -> Iterable[Problem | None]:
        """What is wrong with that cell.

        ``None`` among the problems is a pause: what may take long in a cell of megabytes gives
        one after each small part of its work.
        """


class Family:
    """All ids with the same first segment, in headers, definitions and prose."""

    __slots__ = (
        "_by_id",
        "_members",
        "children",
        "document",
        "ids",
        "last_message",
        "numbered",
        "root",
        "snapshot",
    )

    def __init__(
        self, snapshot: Snapshot, root: str, ids: tuple[str, ...], last_message: int
    ) -> None:
        self.snapshot = snapshot
        self.document = snapshot.document
        self.root = root
        self.ids = ids
        """Sorted."""
        self.last_message = last_message
        """The label of the last message cell: what follows it is the last turn. -1: none."""
        self.children: Sequence[Meaning] | None = None
        """The calls, results and runs, once some rule has asked for them."""
        self.numbered: Sequence[tuple[Meaning, Any]] | None = None
        """The results and runs with their numbers, once some rule has asked for them."""
        self._members: tuple[Meaning, ...] | None = None
        self._by_id: dict[str, list[Meaning]] = {}

    @property
    def has_children(self) -> bool:
        """Whether some id is dotted: without one there are neither calls nor results nor runs."""
        return self.ids[-1] != self.root

    @property
    def members(self) -> tuple[Meaning, ...]:
        """Every cell whose header has one of the ids, in document order."""
        if self._members is None:
            labels = [e.label for name in self.ids for e in self.document.entries("header", name)]
            self._members = tuple(map(self.snapshot.meaning_at, sorted(labels)))
            for member in self._members:
                self._by_id.setdefault(member.cell.id or "", []).append(member)
        return self._members

    def named(self, cell_id: str) -> Sequence[Meaning]:
        """The cells whose header has exactly that id, in document order."""
        return self._by_id.get(cell_id, ()) if self.members else ()

    def definitions(self, cell_id: str) -> list[tuple[Placed, Definition]]:
        """The typed definitions of that id, in order."""
        return [
            (placed, definition)
            for entry in self.document.entries("definition", cell_id)
            for placed in (self.document.cell(entry.label),)
            for definition in placed.cell.definitions_of(cell_id)
            if definition.is_typed
        ]


class FamilyRule(Rule):
    """Looks at the ids of one family; run again when one of their facts changes."""

    wants: ClassVar[FamilyTopic | None] = None
    """Called only for families with one of these topics; ``None`` means every family."""

    @abstractmethod
    def check(self, family: Family) -> Iterable[Problem]:
        """What is wrong with those ids."""


class NameRule(Rule):
    """Looks at all facts of one name; run again when one of them changes."""

    relations: ClassVar[Collection[str]]
    """The relations of the index that it looks at."""

    @abstractmethod
    def check(self, snapshot: Snapshot, name: str) -> Iterable[Problem]:
        """The problems of ``name``."""


class DocumentRule(Rule):
    """Looks at the whole document; run again only when what it depends on changes.

    That may be at each key, so it asks the index for the few cells that it looks at
    (``Document.entries``): a check that visits every cell would make typing slow in a long file.
    """

    depends: ClassVar[Collection[str]] = ()
    """Relations of the index whose change makes it run again."""
    on_cells: ClassVar[bool] = False
    """Whether it looks at cells and their places, and not at facts alone.

    Then it runs again when any fact changes, when cells come, go or change their kind, when what
    is before the first cell is edited, and when a cell with a fact of one of ``depends`` is edited.
    The text of other cells may change without it.
    """

    @abstractmethod
    def check(self, snapshot: Snapshot) -> Iterable[Problem]:
        """What is wrong with the document."""


class BudgetRule(Rule):
    """Looks at how many tokens the model sees in all; the checker keeps the sum."""

    def counts_above(self, snapshot: Snapshot) -> float:
        """With how many characters at most the sum cannot matter; then nothing is counted.

        Infinity where it never matters.
        """
        return 0

    @abstractmethod
    def check(self, snapshot: Snapshot, tokens: int) -> Iterable[Problem]:
        """What is wrong with that many tokens."""

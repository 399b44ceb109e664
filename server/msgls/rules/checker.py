"""Runs the rules on a document, and again on only what an edit changed.

Owns the results by cell, by family of ids and by rule, and the knowledge of
which facts make which of them stale. A checker belongs to one document and
follows it from version to version; ``update`` returns nothing, ``problems``
gives what holds now.

What makes a result stale: an edit of the cell that it is about, a change of a
fact that it looked up, and an edit of any piece that one of its problems is in
or points at, because their spans are relative to that piece (``places.py``).

A rule that raises is reported once and left out, with all that it found, until it
does not raise any more where it did; the others go on.

A whole document is checked in slices where the caller asks for that: ``advance``
makes the next one, and asking for results makes what is left first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar, cast

from msgls.document.document import Document, PlacedBlock
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.rules.base import (
    BudgetRule,
    CellRule,
    DocumentRule,
    Family,
    FamilyRule,
    NameRule,
    Problem,
    Rule,
    Subject,
)
from msgls.rules.places import Places, whole
from msgls.rules.registry import scope_of
from msgls.rules.scope import Staleness, Surrounding
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell, CellKind, FactKey
from msgls.syntax.ids import CellId
from msgls.text.garbage import without_collection
from msgls.text.spans import Span
from msgls.text.work import MANY, Work, done

Report = Callable[[Rule, Exception], None]
K = TypeVar("K", int, str)
T = TypeVar("T")

Source = tuple[str, int | str]
"""Where a result comes from: a cell by its label, a family by its root, a name by the code of
the rule and itself, a rule by its code."""


# By name: a member of an enumeration is looked up ten times as slowly.
_OUTPUT = CellKind.OUTPUT
_SUPPRESSION = int(Topic.SUPPRESSION)
# So many characters are searched together.
_BATCH = 1 << 16
# A piece of a long cell is screened with at least so many characters that follow it.
_REACH = 4_096
# A slice: cells of so many characters, or so many families, names or facts. A cell costs as
# much as these characters, however short it is.
_SLICE, _SLICE_KEYS, _CELL_COST = 1 << 14, 200, 64
# What an edit makes so many stale of is checked in slices.
_MANY = 500


class _Left:
    """What an edit left to be checked again."""

    __slots__ = ("cells", "names", "roots", "rules")

    def __init__(self) -> None:
        self.cells: dict[int, None] = {}
        """Their labels, in order."""
        self.roots: set[str] = set()
        self.names: set[str] = set()
        self.rules: set[str] = set()
        """The codes of rules about the whole document."""

    def add(
        self, cells: dict[int, None], roots: set[str], names: set[str], rules: Iterable[str]
    ) -> None:
        """Besides, what the next edit concerns."""
        self.cells |= cells
        self.roots |= roots
        self.names |= names
        self.rules.update(rules)


class _CellState(NamedTuple):
    """What the checker remembers of one cell."""

    problems: tuple[Problem, ...]
    tokens: int
    type: str | None


class _Mentions(Generic[K]):
    """Which results, by their key, have problems in, or related to, which pieces and cells."""

    def __init__(self) -> None:
        self._keys: dict[int, set[K]] = {}
        self._labels: dict[K, Collection[int]] = {}

    def add(self, key: K, labels: Collection[int]) -> None:
        """Set the labels that the result of ``key`` is about."""
        # A set takes three times as much.
        self._labels[key] = tuple(labels)
        for label in labels:
            self._keys.setdefault(label, set()).add(key)

    def remove(self, key: K) -> None:
        """Forget a result."""
        for label in self._labels.pop(key, ()):
            keys = self._keys[label]
            keys.discard(key)
            if not keys:
                del self._keys[label]

    def of(self, labels: Iterable[int]) -> set[K]:
        """The keys of the results with a problem in, or related to, one of those."""
        named = self._keys.keys() & set(labels)
        return {key for label in named for key in self._keys[label]}


def _concerns(problem: Problem, labels: Collection[int]) -> bool:
    return problem.label in labels or any(
        related.has_fixes and related.label in labels for related in problem.related
    )


class _Chosen:
    """The rules of a format, by what they look at; checkers of many files share it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.cell = [rule for rule in rules if isinstance(rule, CellRule)]
        self.screening = [rule for rule in self.cell if type(rule).screen is not CellRule.screen]
        self.looks_at_all = any(r.wants is None and r not in self.screening for r in self.cell)
        """Whether some rule is called for cells that hold nothing."""
        self.family = [rule for rule in rules if isinstance(rule, FamilyRule)]
        self.name = {rule.code: rule for rule in rules if isinstance(rule, NameRule)}
        self.document = [
            (rule, frozenset(rule.depends)) for rule in rules if isinstance(rule, DocumentRule)
        ]
        self.budget = [rule for rule in rules if isinstance(rule, BudgetRule)]
        self._on_cell: dict[int, tuple[list[CellRule], list[CellRule]]] = {}
        self._on_family: dict[int, list[FamilyRule]] = {}

    def on_cell(self, role: CellRole, topics: int) -> tuple[list[CellRule], list[CellRule]]:
        """The rules that want one of the topics of a cell; those of them that do not screen."""
        known = self._on_cell.get(topics)
        if known is None:
            wanting = _wanting(self.cell, role, topics)
            unscreened = [rule for rule in wanting if rule not in self.screening]
            known = self._on_cell[topics] = wanting, unscreened
        return known

    def on_family(self, topics: int) -> list[FamilyRule]:
        """The rules that want one of the topics of a family."""
        known = self._on_family.get(topics)
        if known is None:
            known = [r for r in self.family if r.wants is None or int(r.wants) & topics]
            self._on_family[topics] = known
        return known


@lru_cache(maxsize=32)
def _chosen(rules: tuple[Rule, ...]) -> _Chosen:
    return _Chosen(rules)


def _ignore(rule: Rule, error: Exception) -> None:
    """The default report: does nothing."""


class Checker:
    """The problems of one document, kept current."""

    def __init__(
        self,
        snapshot: Snapshot,
        rules: Sequence[Rule],
        on_rule_error: Report = _ignore,
        *,
        in_slices: bool = False,
    ) -> None:
        self._rules = rules
        self._in_slices = in_slices
        self._rest: Iterator[None] | None = None
        """What is left of checking the whole document, or what an edit concerns."""
        self._left: _Left | None = None
        """What an edit concerns, and was not checked again yet."""
        self._code_by_name = {rule.name: rule.code for rule in rules}
        self._on_rule_error = on_rule_error
        self.snapshot = snapshot
        self._reported: set[str] = set()
        self._surrounding = Surrounding()
        self._passed = -1
        self._counting = False
        self._counts_above = inf
        self._changed: set[Source] = set()
        self._all_changed = True
        self._silenced_before: frozenset[str] = frozenset()
        self._check_all(snapshot)

    def fresh(self, document: Document) -> Checker:
        """A checker of another document with the same rules."""
        return Checker(self.snapshot.of(document), self._rules, self._on_rule_error)

    @property
    def document(self) -> Document:
        """The version that was checked."""
        return self.snapshot.document

    # -- checking bit by bit ----------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        """Whether all of the document has been checked."""
        return self._rest is None

    def advance(self) -> bool:
        """Check one more slice; true while there is more."""
        rest = self._rest
        if rest is not None:
            with without_collection():
                try:
                    next(rest)
                except StopIteration:
                    self._rest = None
        return self._rest is not None

    def stop(self) -> None:
        """Check no more: nobody will ask. What is left to do refers to this, and would keep it."""
        self._rest = None

    def _finish(self) -> None:
        rest, self._rest = self._rest, None
        if rest is not None:
            with without_collection():
                for _ in rest:
                    pass

    # -- asking ---------------------------------------------------------------------------

    @property
    def tokens(self) -> int:
        """About how many tokens the model sees; 0 if no rule needs the number."""
        self._finish()
        return self._tokens if self._counting else 0

    def tokens_of(self, label: int) -> int:
        """About how many tokens of one cell the model sees."""
        self._finish()
        state = self._cells.get(label)
        return 0 if state is None else state.tokens

    def problems(self) -> list[Problem]:
        """Every problem that no comment suppresses, in document order, relative to its cell."""
        self._finish()
        found: list[Problem] = []
        for label in self._troubled:
            found += self._cells[label].problems
        for results in (self._families, self._names, self._whole):
            for problems in results.values():
                found += problems
        return self._places.all_to_cells(done(self._shown(found)))

    def problems_in(self, labels: Collection[int]) -> Work[list[Problem]]:
        """Those that are in certain cells, or can be fixed there; other cells are not looked at.

        Cells are named by their labels.
        """
        self._finish()
        pieces = self._places.pieces(labels)
        results = chain(
            (self._cells[label].problems for label in self._cell_mentions.of(pieces)),
            (self._families[root] for root in self._family_mentions.of(pieces)),
            (self._names[key] for key in self._name_mentions.of(pieces)),
            self._whole.values(),
        )
        found: list[Problem] = []
        for problem in chain.from_iterable(results):
            if _concerns(problem, pieces):
                found.append(problem)
            yield
        shown = yield from self._shown(found)
        return [self._places.to_cells(problem) for problem in shown]

    def take_changes(self) -> set[Source] | None:
        """The sources of the results that may have changed since the last call.

        ``None`` says that all of them may have changed: ask for ``sources`` then.
        """
        self._finish()
        silenced = self._suppressed_everywhere().union(self._failed)
        if self._all_changed or silenced != self._silenced_before:
            self._all_changed, self._silenced_before = False, silenced
            self._changed.clear()
            return None
        changes, self._changed = self._changed, set()
        return changes

    def sources(self) -> list[Source]:
        """The sources of all results that are not empty."""
        self._finish()
        sources: list[Source] = [("cell", label) for label in self._troubled]
        sources += [("family", root) for root in self._families]
        sources += [("name", key) for key in self._names]
        sources += [("rule", code) for code in self._whole]
        return sources

    def result(self, source: Source) -> Work[tuple[Problem, ...]]:
        """What a source finds and no comment suppresses; relative to pieces (``places.py``)."""
        kind, key = source
        found: tuple[Problem, ...] = ()
        if kind == "cell" and isinstance(key, int):
            state = self._cells.get(key)
            found = () if state is None else state.problems
        elif isinstance(key, str):
            by_kind = {"family": self._families, "name": self._names, "rule": self._whole}
            found = by_kind[kind].get(key, ())
        return tuple((yield from self._shown(found))) if found else ()

    def _shown(self, found: Sequence[Problem]) -> Work[list[Problem]]:
        """Those that no comment suppresses, in document order."""
        silenced = self._suppressed_everywhere().union(self._failed)
        shown: list[Problem] = []
        places: list[tuple[int, Span, str, int]] = []
        for number, problem in enumerate(found, 1):
            if problem.code not in silenced and not self._is_suppressed(problem):
                places.append((problem.label, problem.span, problem.code, len(shown)))
                shown.append(problem)
            if not number % MANY:
                yield
        places.sort()
        return [shown[number] for *_, number in places]

    def _suppressed_everywhere(self) -> frozenset[str]:
        first = self.document.first_cell()
        if first is None or first.cell.kind is not CellKind.PREAMBLE:
            return frozenset()
        return self._suppressed_by(first.cell)

    def _suppressed_by(self, cell: Cell) -> frozenset[str]:
        """The codes that suppression comments in a cell name, or whose rules they name."""
        words = [word for suppression in cell.suppressions for word in suppression.codes]
        return frozenset([self._code_by_name.get(word.lower(), word.upper()) for word in words])

    def _is_suppressed(self, problem: Problem) -> bool:
        if not self._suppressing:
            return False
        label, _ = self._places.in_cell(problem.label, problem.span)
        labels = (label,) if problem.subject is None else (label, problem.subject)
        return any(problem.code in self._suppressing.get(label, ()) for label in labels)

    # -- checking -------------------------------------------------------------------------

    def update(self, document: Document) -> None:
        """Follow the document to its next version."""
        change = document.change
        snapshot = self.snapshot.of(document)
        left = self._left
        # An edit before the check is done may change what was checked already.
        is_begun = self._rest is not None and left is None
        if is_begun or change.whole or document.format is not self.document.format:
            self._check_all(snapshot)
            return
        before = self.document
        self.snapshot, self._places = snapshot, Places(document)
        if any(self._has_recovered(rule, where) for rule, where in self._failed.values()):
            self._check_all(snapshot)
            return
        touched = change.pieces.union(map(whole, change.removed), map(whole, change.added))
        added = {label: document.cell(label) for label in change.added}
        other_kind = [p for p in added.values() if _has_changed_kind(before, p)]
        stale = Staleness()
        if change.facts or other_kind:
            # What is before the first cell counts less: the same facts may mean something else.
            facts = change.facts.union(*[placed.cell.facts for placed in other_kind])
            change = change._replace(facts=facts)
            stale = self._scope.stale(before, document, change, self._ids, self._labels_by_type)
        dirty = {*change.added, *self._cell_mentions.of(touched), *stale.cells}
        roots = self._family_mentions.of(touched) | {*stale.roots}
        names = self._name_mentions.of(touched) | self._names_of(change.facts)
        for label in change.removed:
            self._drop(label)
            self._suspected.pop(label, None)
            if label not in added or len(added[label].cell.parts) == 1:
                self._screened.pop(label, None)
        has_moved = bool(other_kind) or added.keys() != change.removed
        if self._chosen.family and has_moved:
            roots |= self._follow_last_message()
        relations = {relation for relation, _ in change.facts}
        is_first = self._has_first(change.removed.union(change.added), before)
        is_steady = not (has_moved or relations or is_first)
        # What cells say that changed in other ways: their text may be in another order.
        edited = added.values() if is_steady else ()
        said = {relation for placed in edited for relation, _ in placed.cell.facts}
        may_be_other = not is_steady or not said.isdisjoint(self._scope.decisive)
        is_other = may_be_other and self._find_surrounding()
        if self._counts() or is_other:
            dirty.update(placed.label for placed in document.cells())
        if self._in_slices and len(dirty) + len(roots) + len(names) > _MANY:
            # So many would take too long at once; checking from scratch finds the same.
            self._check_all(self.snapshot)
            return
        made = list(added.values())
        for placed, suspected in zip(made, self._screen_edited(made), strict=True):
            if suspected:
                self._suspected[placed.label] = suspected
        concerned = self._concerned(touched, relations, said if is_steady else None)
        cells = dict.fromkeys((*added, *dirty))
        if left is None:
            left = _Left()
        # Those that are left of before are found in this version, or are gone.
        left.add(cells, roots, names, concerned)
        self._left = left
        self._rest = self._check_left(left)
        # Nearly always, that is all.
        if not self._in_slices:
            self._finish()
        else:
            self.advance()

    def _check_left(self, left: _Left) -> Iterator[None]:
        """Check what an edit concerns, with a pause after each slice."""
        document = self.document
        cost = 0
        while left.cells:
            label = next(iter(left.cells))
            placed = _find(document, label)
            # The text of those that were not edited is that of before, and so is what it may hold.
            suspected = self._suspected.get(label, ())
            if placed is not None and self._in_slices and placed.cell.length > _SLICE:
                yield from self._checking_long(placed, suspected)
            elif placed is not None:
                self._check_cell(placed, suspected)
                cost += placed.cell.length + _CELL_COST
            del left.cells[label]
            if cost >= _SLICE and left.cells:
                yield
                cost = 0
        while left.roots:
            self._check_family(left.roots.pop())
        while left.names:
            self._check_name(left.names.pop())
        for rule, _ in self._chosen.document:
            if rule.code in left.rules:
                self._check_whole(rule)
        self._check_budget()
        # Forget what is remembered of each cell: a large file has very many.
        self.snapshot, self._places = self.snapshot.of(document), Places(document)
        self._reported &= self._failed.keys()
        self._left = None

    def _concerned(
        self, touched: Set[int], relations: Set[str], said: Set[str] | None
    ) -> Iterator[str]:
        """The codes of the rules about the whole document that an edit concerns.

        ``relations`` are those of the facts that changed, ``said`` those of all facts of the edited
        cells; ``None`` where cells came or went.
        """
        for rule, depends in self._chosen.document:
            changed = said if rule.on_cells else relations
            if (
                changed is None
                or not changed.isdisjoint(depends)
                or rule.code in self._failed
                or not touched.isdisjoint(self._whole_labels[rule.code])
            ):
                yield rule.code

    def _check_all(self, snapshot: Snapshot) -> None:
        self._start_over(snapshot)
        self._rest = self._check_slices()
        document = snapshot.document
        cost = len(document.store) + document.cell_count * _CELL_COST
        if not self._in_slices or cost <= 2 * _SLICE:
            self._finish()

    def _start_over(self, snapshot: Snapshot) -> None:
        self._left = None
        self.snapshot, self._places = snapshot, Places(snapshot.document)
        # An edit at the start may change the format.
        format = self.document.format
        self._scope = scope_of(format.name)
        self._chosen = _chosen(tuple([rule for rule in self._rules if rule.is_for(format)]))
        self._cells: dict[int, _CellState] = {}
        """By label, the cells of which there is something to know."""
        self._families: dict[str, tuple[Problem, ...]] = {}
        self._names: dict[str, tuple[Problem, ...]] = {}
        self._whole: dict[str, tuple[Problem, ...]] = {}
        self._whole_labels: dict[str, set[int]] = {}
        self._ids: dict[str, set[str]] = {}
        """By root, the dotted ids of a family."""
        self._labels_by_type: dict[str, set[int]] = {}
        self._cell_mentions: _Mentions[int] = _Mentions()
        self._family_mentions: _Mentions[str] = _Mentions()
        self._name_mentions: _Mentions[str] = _Mentions()
        self._failed: dict[str, tuple[Rule, int | str | None]] = {}
        """Rules that raised, by code, and the cell or the family that made them."""
        self._suppressing: dict[int, frozenset[str]] = {}
        """By label, the codes that a cell suppresses: kept, for a file may have many problems."""
        self._suspected: dict[int, Collection[CellRule]] = {}
        """By label, the rules that a cell's text gives reason to call, of those that screen."""
        self._screened: dict[int, tuple[Sequence[str], Sequence[Collection[CellRule]]]] = {}
        """By label, the pieces of a long cell, and the rules that each gives reason to call."""
        self._all_changed = True
        self._troubled: set[int] = set()
        """Labels of cells with problems: what is clean is not looked at again."""
        self._tokens = 0
        self._find_surrounding()
        self._counts()
        self._last_message = self._find_last_message()

    def _check_slices(self) -> Iterator[None]:
        """Check the whole document, with a pause after each slice."""
        document = self.document
        if document.format.has_blocks:
            yield from self._check_blocks(document)
        else:
            yield from self._check_cells(document)
        if self._chosen.family:
            roots: dict[str, None] = {}
            for keys in _portions(document.index):
                self._find_families(keys, roots)
                yield
            for some in _portions(roots):
                for root in some:
                    self._check_family(root)
                yield
        if self._chosen.name:
            names: dict[str, None] = {}
            for keys in _portions(document.index):
                names.update(dict.fromkeys(self._names_of(keys)))
                yield
            for some in _portions(names):
                for key in some:
                    self._check_name(key)
                yield
        for rule, _ in self._chosen.document:
            self._check_whole(rule)
            yield
        self._check_budget()
        # Forget what is remembered of each cell: a large file has very many.
        self.snapshot, self._places = self.snapshot.of(document), Places(document)
        self._reported &= self._failed.keys()

    def _check_cells(self, document: Document) -> Iterator[None]:
        if self._in_slices and document.has_long_cells:
            # Of all definitions at the end of a file, each cell before them asks for its own.
            for placed in document.cells():
                if len(placed.cell.parts) > 1:
                    yield from placed.cell.indexing()
        for batch in _batches(document.cells(), _length_of_cell):
            cost = 0
            *others, last = batch
            screened: Sequence[Collection[CellRule]]
            if self._in_slices and last.cell.length > 2 * _BATCH:
                screened = [*self._screen(others), (yield from self._screening_long(last))]
            else:
                screened = self._screen(batch)
            for placed, suspected in zip(batch, screened, strict=True):
                if self._in_slices and placed.cell.length > _SLICE:
                    yield from self._checking_long(placed, suspected)
                else:
                    self._check_cell(placed, suspected)
                cost += placed.cell.length + _CELL_COST
                if cost >= _SLICE:
                    yield
                    cost = 0
            yield

    def _check_blocks(self, document: Document) -> Iterator[None]:
        """Check the cells that hold something; others need not even be made."""
        looks_at_all = self._counting or self._chosen.looks_at_all
        for batch in _batches(document.blocks(), _length_of_block):
            texts = [block.chunk.piece.texts() for block in batch]
            found = self._screen_texts(list(chain.from_iterable(texts)))
            first = 0
            for block, of_block in zip(batch, texts, strict=True):
                suspected = found[first : first + len(of_block)]
                first += len(of_block)
                held = block.chunk.piece.held()
                numbers: Iterable[int] = range(len(of_block))
                if not looks_at_all:
                    numbers = [n for n in numbers if suspected[n] or n in held]
                for placed in block.cells(numbers) if numbers else ():
                    self._check_cell(placed, suspected[placed.label - block.chunk.first])
                yield

    def _find_surrounding(self) -> bool:
        """Find out what every cell depends on; true if that has changed."""
        before = self._surrounding
        self._surrounding = self._scope.surrounding(self.document)
        self._passed = max(self._surrounding.horizon)
        limits = [rule.counts_above(self.snapshot) for rule in self._chosen.budget]
        self._counts_above = min(limits, default=inf)
        return self._surrounding != before

    def _counts(self) -> bool:
        """Find out whether tokens must be counted; true if that has changed."""
        before = self._counting
        self._counting = len(self.document.store) > self._counts_above
        return self._counting and not before

    def _has_first(self, labels: Collection[int], before: Document) -> bool:
        """Whether what is before the first cell, now or then, is among those labels."""
        firsts = before.first_cell(), self.document.first_cell()
        return any(first is not None and first.label in labels for first in firsts)

    def _drop(self, label: int) -> None:
        self._troubled.discard(label)
        self._changed.add(("cell", label))
        self._suppressing.pop(label, None)
        state = self._cells.pop(label, None)
        if state is not None:
            self._cell_mentions.remove(label)
            self._tokens -= state.tokens
            if state.type is not None:
                self._labels_by_type[state.type].discard(label)

    def _screen(self, batch: Sequence[Placed]) -> Sequence[Collection[CellRule]]:
        """Of the rules that look at many cells together, those that each cell needs."""
        found = self._screen_texts([placed.cell.text for placed in batch])
        for placed, suspected in zip(batch, found, strict=True):
            parts = placed.cell.parts
            if len(parts) > 1 and not suspected:
                self._screened[placed.label] = parts, [()] * len(parts)
        return found

    def _screen_edited(self, made: Sequence[Placed]) -> Sequence[Collection[CellRule]]:
        """The same after an edit: of a long cell, only the pieces that it touched."""
        found = {p.label: self._screen_long(p) for p in made if len(p.cell.parts) > 1}
        short = [placed for placed in made if placed.label not in found]
        found.update(zip([p.label for p in short], self._screen(short), strict=True))
        return [found[placed.label] for placed in made]

    def _screen_texts(self, texts: Sequence[str]) -> Sequence[Collection[CellRule]]:
        suspected: list[Collection[CellRule]] = [()] * len(texts)
        for rule in self._chosen.screening if texts else ():
            numbers: Iterable[int] | None = None
            # Where it raises, the cells will show it.
            with suppress(Exception):
                numbers = rule.screen(texts)
            for number in range(len(texts)) if numbers is None else numbers:
                suspected[number] = (*suspected[number], rule)
        return suspected

    def _screen_long(self, placed: Placed) -> Collection[CellRule]:
        """Screen each piece with what follows it, but those where neither has changed."""
        parts = placed.cell.parts
        before, known = self._screened.get(placed.label, ((), ()))
        start, reach = _alike(parts, before), 0
        while start and reach < _REACH:
            start -= 1
            reach += len(parts[start])
        tail = min(_alike(parts[::-1], before[::-1]), len(parts) - start, len(before) - start)
        new = [_window(parts, at) for at in range(start, len(parts) - tail)]
        found = [*known[:start], *self._screen_texts(new), *known[len(known) - tail :]]
        self._screened[placed.label] = parts, found
        return tuple({rule: None for rules in found for rule in rules})

    def _screening_long(self, placed: Placed) -> Work[Collection[CellRule]]:
        """Screen a cell that is too long to be screened at once, as ``_screen_long`` does."""
        parts = placed.cell.parts
        found: list[Collection[CellRule]] = []
        for at in range(len(parts)):
            found += self._screen_texts([_window(parts, at)])
            yield
        self._screened[placed.label] = parts, found
        return tuple({rule: None for rules in found for rule in rules})

    def _checking_long(self, placed: Placed, suspected: Collection[CellRule]) -> Work[None]:
        """Check one cell with pauses: a long one."""
        meaning = self._scope.meaning(self.snapshot, placed)
        topics = self._scope.topics(meaning, self._passed)
        wanting, unscreened = self._chosen.on_cell(meaning.role, topics)
        rules = [rule for rule in wanting if rule in unscreened or rule in suspected]
        subject = self._subject(meaning)
        found: list[Problem] = []
        for rule in rules:
            yield from placed.cell.reading(*rule.reads)
            yield
            found += yield from self._running(rule, placed.label, subject)
        yield from placed.cell.reading("suppressions")
        self._places.saw(placed)
        in_pieces = yield from self._places.placing(found)
        self._check_cell(placed, suspected, in_pieces)

    def _check_cell(
        self,
        placed: Placed,
        suspected: Collection[CellRule],
        known: tuple[tuple[Problem, ...], set[int]] | None = None,
    ) -> None:
        """Check one cell; of the rules that screen, by those that suspect it.

        ``known`` are the problems, relative to pieces, where the rules have looked at it already.
        """
        label = placed.label
        if suspected:
            self._suspected[label] = suspected
        if label in self._cells:
            self._drop(label)
        if not self._all_changed:
            self._changed.add(("cell", label))
        meaning = self._scope.meaning(self.snapshot, placed)
        topics = self._scope.topics(meaning, self._passed)
        rules, unscreened = self._chosen.on_cell(meaning.role, topics)
        rules = [*unscreened, *(r for r in rules if r in suspected)] if suspected else unscreened
        found: Sequence[Problem] = ()
        # Hardly any rule looks at a line of JSON that is as it should be.
        if rules and known is None:
            found = self._run_all(rules, label, self._subject(meaning))
        problems: tuple[Problem, ...] = ()
        tokens = 0
        if self._counting:
            seen = self._scope.seen_text(self.document, meaning, self._surrounding.horizon)
            tokens = self.snapshot.tokens.count(seen)
            self._tokens += tokens
        kind = meaning.type if placed.cell.kind is _OUTPUT else None
        if kind is not None:
            self._labels_by_type.setdefault(kind, set()).add(label)
        if topics & _SUPPRESSION and placed.cell.suppressions:
            self._suppressing[label] = self._suppressed_by(placed.cell)
        if found:
            self._places.saw(placed)
            known = self._places.to_pieces(found)
        if known is not None and known[0]:
            problems, labels = known
            self._troubled.add(label)
            self._cell_mentions.add(label, labels)
        elif not tokens and kind is None:
            # Nearly every cell: there is nothing to remember.
            return
        self._cells[label] = _CellState(problems, tokens, kind)

    def _run_all(
        self, rules: Sequence[CellRule] | Sequence[FamilyRule], where: int | str, subject: Any
    ) -> list[Problem]:
        """Run all rules on one cell or family, at once if none of them raises."""
        found: list[Problem | None] = []
        if not self._failed:
            try:
                for rule in rules:
                    found += rule.check(subject)
            except Exception:
                # One of them raised: run each by itself to find out which.
                found.clear()
            else:
                return _problems(found)
        for rule in rules:
            found += self._run(rule, where, rule.check, subject)
        return _problems(found)

    def _subject(self, meaning: Meaning) -> Subject:
        return Subject(self.snapshot, meaning, self._surrounding.horizon)

    def _running(self, rule: CellRule, where: int, subject: Subject) -> Work[list[Problem]]:
        """Run one rule on a long cell, with the pauses that it makes."""
        found: list[Problem] = []
        if rule.code not in self._failed:
            try:
                for number, problem in enumerate(rule.check(subject)):
                    if problem is not None:
                        found.append(problem)
                    if problem is None or not number % _SLICE_KEYS:
                        yield
            except Exception as error:
                self._fail(rule, where, error)
                return []
        return found

    def _run(
        self,
        rule: Rule,
        where: int | str | None,
        check: Callable[..., Iterable[Problem | None]],
        *arguments: object,
    ) -> list[Problem]:
        if rule.code in self._failed:
            return []
        try:
            return _problems([*check(*arguments)])
        except Exception as error:
            self._fail(rule, where, error)
            return []

    def _fail(self, rule: Rule, where: int | str | None, error: Exception) -> None:
        self._failed[rule.code] = rule, where
        if rule.code not in self._reported:
            self._reported.add(rule.code)
            self._on_rule_error(rule, error)

    def _has_recovered(self, rule: Rule, where: int | str | None) -> bool:
        """Whether a rule that raised on a cell or a family no longer does."""
        try:
            if isinstance(rule, CellRule) and isinstance(where, int):
                placed = _find(self.document, where)
                if placed is not None:
                    meaning = self._scope.meaning(self.snapshot, placed)
                    list(rule.check(self._subject(meaning)))
                return True
            if isinstance(rule, NameRule) and isinstance(where, str):
                if any(self.document.entries(relation, where) for relation in rule.relations):
                    list(rule.check(self.snapshot, where))
                return True
            if isinstance(rule, FamilyRule) and isinstance(where, str):
                family = self._family(where)
                if family is not None:
                    list(rule.check(family))
                return True
        except Exception:
            return False
        return False

    def _find_families(self, keys: Iterable[FactKey], roots: dict[str, None]) -> None:
        """Add the roots of families, and to ``_ids`` what else belongs to them."""
        for relation, name in keys:
            if relation in self._scope.id_relations:
                root, dot, _ = name.partition(".")
                roots[root] = None
                if dot:
                    self._ids.setdefault(root, set()).add(name)

    def _is_used(self, name: str) -> bool:
        """Whether anything in the document declares or uses that id."""
        entries = self.document.entries
        return any(entries(relation, name) for relation in self._scope.id_relations)

    def _family(self, root: str) -> Family | None:
        """The ids that begin with ``root``, if there are any."""
        ids = [root] if self._is_used(root) else []
        dotted = self._ids.get(root)
        if dotted:
            left = {name for name in dotted if self._is_used(name)}
            ids += sorted(left)
            if left:
                self._ids[root] = left
            else:
                del self._ids[root]
        if not ids:
            return None
        return Family(self.snapshot, root, tuple(ids), self._last_message)

    def _check_family(self, root: str) -> None:
        if not self._all_changed:
            self._changed.add(("family", root))
        if self._families.pop(root, None) is not None:
            self._family_mentions.remove(root)
        topics = self._scope.family_topics(self.document, root, self._ids.get(root, ()))
        rules = self._chosen.on_family(topics)
        family = self._family(root) if rules else None
        if family is None:
            return
        found = self._run_all(rules, root, family)
        if found:
            self._families[root], labels = self._places.to_pieces(found)
            self._family_mentions.add(root, labels)

    def _names_of(self, facts: Iterable[FactKey]) -> set[str]:
        """What must be checked when facts about certain names change: pairs of rule and name."""
        return {
            f"{code} {name}"
            for relation, name in facts
            for code, rule in self._chosen.name.items()
            if relation in rule.relations
        }

    def _check_name(self, key: str) -> None:
        self._changed.add(("name", key))
        if self._names.pop(key, None) is not None:
            self._name_mentions.remove(key)
        code, _, name = key.partition(" ")
        rule = self._chosen.name[code]
        if not any(self.document.entries(relation, name) for relation in rule.relations):
            return
        found = self._run(rule, name, rule.check, self.snapshot, name)
        if found:
            self._names[key], labels = self._places.to_pieces(found)
            self._name_mentions.add(key, labels)

    def _check_whole(self, rule: DocumentRule) -> None:
        self._changed.add(("rule", rule.code))
        self._failed.pop(rule.code, None)
        found = self._run(rule, None, rule.check, self.snapshot)
        self._whole[rule.code], self._whole_labels[rule.code] = self._places.to_pieces(found)

    def _check_budget(self) -> None:
        for rule in self._chosen.budget:
            before = self._whole.get(rule.code, ())
            if self._counting or before or rule.code in self._failed:
                self._changed.add(("rule", rule.code))
                self._failed.pop(rule.code, None)
                tokens = self._tokens if self._counting else 0
                found = self._run(rule, None, rule.check, self.snapshot, tokens)
                self._whole[rule.code], _ = self._places.to_pieces(found)

    # -- the last turn ----------------------------------------------------------------------

    def _find_last_message(self) -> int:
        for number in range(self.document.cell_count - 1, -1, -1):
            placed = self.document.cell_number(number)
            if placed.cell.kind is CellKind.MESSAGE:
                return placed.label
        return -1

    def _follow_last_message(self) -> set[str]:
        """The families of cells that left or entered the last turn."""
        before, self._last_message = self._last_message, self._find_last_message()
        if before == self._last_message:
            return set()
        low, high = sorted((before, self._last_message))
        roots: set[str] = set()
        number = self.document.cell_count - 1
        if number >= 0:
            number = min(self.document.number_of(high), number)
        while number >= 0:
            placed = self.document.cell_number(number)
            if placed.label < low:
                break
            if placed.cell.id:
                roots.add(_root(placed.cell.id))
            number -= 1
        return roots


def _problems(found: list[Problem | None]) -> list[Problem]:
    """What rules found, without their pauses."""
    # Hardly any rule makes one.
    if None in found:
        return [problem for problem in found if problem is not None]
    return cast("list[Problem]", found)


def _length_of_cell(placed: Placed) -> int:
    return placed.cell.length


def _length_of_block(block: PlacedBlock) -> int:
    return block.chunk.piece.length


def _batches(items: Iterable[T], length_of: Callable[[T], int]) -> Iterator[list[T]]:
    """Cells or blocks in portions of about as many characters."""
    batch: list[T] = []
    length = 0
    for item in items:
        batch.append(item)
        length += length_of(item)
        if length >= _BATCH:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _window(parts: Sequence[str], at: int) -> str:
    """A piece of a cell with some of what follows it."""
    end, reach = at + 1, 0
    while end < len(parts) and reach < _REACH:
        reach += len(parts[end])
        end += 1
    return "".join(parts[at:end])


def _alike(some: Sequence[object], others: Sequence[object]) -> int:
    """How many are the same ones at the start."""
    pairs = enumerate(zip(some, others, strict=False))
    return next((n for n, (a, b) in pairs if a is not b), min(len(some), len(others)))


def _portions(keys: Iterable[T]) -> Iterator[list[T]]:
    """All of them, in order, a few at a time."""
    left = iter(keys)
    while some := list(islice(left, _SLICE_KEYS)):
        yield some


def _root(cell_id: str) -> str:
    return CellId(cell_id).root


def _has_changed_kind(before: Document, placed: Placed) -> bool:
    old = _find(before, placed.label)
    return old is None or old.cell.kind is not placed.cell.kind


def _find(document: Document, label: int) -> Placed | None:
    """The cell with that label, if it is there."""
    if not document.cell_count:
        return None
    try:
        return document.cell(label)
    except KeyError:
        return None


def _wanting(rules: Iterable[CellRule], role: CellRole, topics: int) -> list[CellRule]:
    """The rules that look at cells of that role with those topics."""
    return [
        rule
        for rule in rules
        if (rule.roles is None or role in rule.roles)
        and (rule.wants is None or int(rule.wants) & topics)
    ]

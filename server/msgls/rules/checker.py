"""Runs the rules on a document, and again on only what an edit changed.

Owns the results by cell, by family of ids and by rule, and the knowledge of
which facts make which of them stale. A checker belongs to one document and
follows it from version to version; ``update`` returns nothing, ``problems``
gives what holds now.

What makes a result stale: an edit of the cell that it is about, a change of a
fact that it looked up, and an edit of any cell that one of its problems stands in
or points at, because their spans are relative to that cell.

A rule that raises is reported once and left out, with all that it found, until it
does not raise any more where it did; the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from msgls.document.document import Document
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
from msgls.rules.scope import Surrounding, scope_of
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell, CellKind, FactKey
from msgls.syntax.ids import CellId
from msgls.text.garbage import without_collection

Report = Callable[[Rule, Exception], None]
K = TypeVar("K", int, str)

Source = tuple[str, int | str]
"""Where a result comes from: a cell by its label, a family by its root, a name by the code of
the rule and itself, a rule by its code."""


# By name: a member of an enumeration is looked up ten times as slowly.
_OUTPUT = CellKind.OUTPUT
_SUPPRESSION = int(Topic.SUPPRESSION)


class _CellState(NamedTuple):
    """What is known of one cell."""

    problems: tuple[Problem, ...]
    tokens: int
    type: str | None


class _Mentions(Generic[K]):
    """Which results, by their key, stand in or point at which cells."""

    def __init__(self) -> None:
        self._keys: dict[int, set[K]] = {}

    def add(self, key: K, problems: Iterable[Problem]) -> None:
        """The result of ``key`` is ``problems``."""
        for order in _orders(problems):
            self._keys.setdefault(order, set()).add(key)

    def remove(self, key: K, problems: Iterable[Problem]) -> None:
        """It is not any more."""
        for order in _orders(problems):
            keys = self._keys.get(order)
            if keys is not None:
                keys.discard(key)
                if not keys:
                    del self._keys[order]

    def of(self, orders: Iterable[int]) -> set[K]:
        """The keys of the results that speak of one of those cells."""
        return {key for order in orders for key in self._keys.get(order, ())}


def _orders(problems: Iterable[Problem]) -> set[int]:
    orders: set[int] = set()
    for problem in problems:
        orders.add(problem.order)
        orders.update([related.order for related in problem.related])
        if problem.subject is not None:
            orders.add(problem.subject)
    return orders


def _concerns(problem: Problem, orders: Collection[int]) -> bool:
    return problem.order in orders or any(
        related.has_fixes and related.order in orders for related in problem.related
    )


def _ignore(rule: Rule, error: Exception) -> None:
    """The default report: nobody listens."""


class Checker:
    """The problems of one document, kept current."""

    def __init__(
        self, snapshot: Snapshot, rules: Sequence[Rule], on_rule_error: Report = _ignore
    ) -> None:
        self._rules = rules
        self._code_by_name = {rule.name: rule.code for rule in rules}
        self._on_rule_error = on_rule_error
        self.snapshot = snapshot
        self._reported: set[str] = set()
        self._surrounding = Surrounding()
        self._passed = -1
        self._counting = False
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

    # -- asking ---------------------------------------------------------------------------

    @property
    def tokens(self) -> int:
        """About how many tokens the model sees; 0 where no rule wants to know."""
        return self._tokens if self._counting else 0

    def tokens_of(self, order: int) -> int:
        """About how many tokens of one cell the model sees."""
        state = self._cells.get(order)
        return 0 if state is None else state.tokens

    def problems(self) -> list[Problem]:
        """Every problem that nobody silenced, in document order."""
        found: list[Problem] = []
        for order in self._troubled:
            found += self._cells[order].problems
        for results in (self._families, self._names, self._whole):
            for problems in results.values():
                found += problems
        return self._heard(found)

    def problems_in(self, orders: Collection[int]) -> list[Problem]:
        """Those that stand in certain cells, or can be fixed there; other cells are not looked at.

        Cells are named by their labels.
        """
        found: list[Problem] = []
        for order in self._cell_mentions.of(orders):
            found += self._cells[order].problems
        for root in self._family_mentions.of(orders):
            found += self._families[root]
        for key in self._name_mentions.of(orders):
            found += self._names[key]
        for problems in self._whole.values():
            found += problems
        return self._heard([problem for problem in found if _concerns(problem, orders)])

    def take_changes(self) -> dict[Source, tuple[Problem, ...]] | None:
        """What each result is now that may have changed since the last call, by its source.

        ``None`` says that all of it may have: ask for ``results`` then.
        """
        silenced = self._silenced_everywhere().union(self._failed)
        if self._all_changed or silenced != self._silenced_before:
            self._all_changed, self._silenced_before = False, silenced
            self._changed.clear()
            return None
        changes = {source: self._result(source) for source in self._changed}
        self._changed.clear()
        return changes

    def results(self) -> dict[Source, tuple[Problem, ...]]:
        """Every result that is not empty, by its source."""
        sources: list[Source] = [("cell", order) for order in self._troubled]
        sources += [("family", root) for root in self._families]
        sources += [("name", key) for key in self._names]
        sources += [("rule", code) for code in self._whole]
        return {source: self._result(source) for source in sources}

    def _result(self, source: Source) -> tuple[Problem, ...]:
        kind, key = source
        found: tuple[Problem, ...] = ()
        if kind == "cell" and isinstance(key, int):
            state = self._cells.get(key)
            found = () if state is None else state.problems
        elif isinstance(key, str):
            by_kind = {"family": self._families, "name": self._names, "rule": self._whole}
            found = by_kind[kind].get(key, ())
        return tuple(self._heard(list(found)))

    def _heard(self, found: list[Problem]) -> list[Problem]:
        """Those that nobody silenced, in document order."""
        if not found:
            return found
        silenced = self._silenced_everywhere().union(self._failed)
        if silenced or self._silencing:
            found = [p for p in found if p.code not in silenced and not self._is_silenced(p)]
        found.sort(key=lambda p: (p.order, p.span, p.code))
        return found

    def _silenced_everywhere(self) -> frozenset[str]:
        first = self.document.first_cell()
        if first is None or first.cell.kind is not CellKind.PREAMBLE:
            return frozenset()
        return self._silenced_by(first.cell)

    def _silenced_by(self, cell: Cell) -> frozenset[str]:
        """The codes that comments in a cell name, by themselves or by the name of the rule."""
        words = [word for suppression in cell.suppressions for word in suppression.codes]
        return frozenset([self._code_by_name.get(word.lower(), word.upper()) for word in words])

    def _is_silenced(self, problem: Problem) -> bool:
        orders = (problem.order,) if problem.subject is None else (problem.order, problem.subject)
        return any(problem.code in self._silencing.get(order, ()) for order in orders)

    # -- checking -------------------------------------------------------------------------

    def update(self, document: Document) -> None:
        """Follow the document to its next version."""
        change = document.change
        snapshot = self.snapshot.of(document)
        if change.whole or document.format is not self.document.format:
            self._check_all(snapshot)
            return
        before = self.document
        self.snapshot = snapshot
        if any(self._has_recovered(rule, where) for rule, where in self._failed.values()):
            self._check_all(snapshot)
            return
        touched = change.removed.union(change.added)
        other_kind = [order for order in change.added if self._changed_kind(before, order)]
        # What stands before the first cell counts less: the same facts may mean something else.
        facts = change.facts.union(*[document.cell(order).cell.facts for order in other_kind])
        change = change._replace(facts=facts)
        stale = self._scope.stale(before, document, change, self._ids, self._orders_by_type)
        dirty = set(change.added) | self._cell_mentions.of(touched) | {*stale.cells}
        roots = self._family_mentions.of(touched) | {*stale.roots}
        names = self._name_mentions.of(touched) | self._names_of(change.facts)
        for order in change.removed:
            self._drop(order)
        if self._family_rules and (other_kind or set(change.added) != change.removed):
            roots |= self._follow_last_message()
        if self._look_around():
            dirty.update(placed.order for placed in document.cells())
        for order in dirty:
            placed = _find(self.document, order)
            if placed is not None:
                self._check_cell(placed)
        for root in roots:
            self._check_family(root)
        for key in names:
            self._check_name(key)
        relations = {relation for relation, _ in change.facts}
        for rule in self._document_rules:
            concerned = rule.on_cells or rule.code in self._failed or relations & {*rule.depends}
            if concerned or not touched.isdisjoint(self._whole_orders[rule.code]):
                self._check_whole(rule)
        self._check_budget()
        # Without what it remembers of each cell, of which a large file has very many.
        self.snapshot = self.snapshot.of(document)
        self._reported &= self._failed.keys()

    def _choose_rules(self) -> None:
        """Those of the document's format, which an edit of its head may change."""
        rules = [rule for rule in self._rules if rule.is_for(self.document.format)]
        self._scope = scope_of(self.document.format.name)
        self._cell_rules = [rule for rule in rules if isinstance(rule, CellRule)]
        self._rules_on: dict[int, list[CellRule]] = {}
        """By the topics of a cell, the rules that want one of them."""
        self._family_rules = [rule for rule in rules if isinstance(rule, FamilyRule)]
        self._rules_on_family: dict[int, list[FamilyRule]] = {}
        self._name_rules = {rule.code: rule for rule in rules if isinstance(rule, NameRule)}
        self._document_rules = [rule for rule in rules if isinstance(rule, DocumentRule)]
        self._budget_rules = [rule for rule in rules if isinstance(rule, BudgetRule)]

    def _check_all(self, snapshot: Snapshot) -> None:
        with without_collection():
            self._start_over(snapshot)

    def _start_over(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        document = snapshot.document
        self._choose_rules()
        self._cells: dict[int, _CellState] = {}
        """By label, the cells of which there is something to know."""
        self._families: dict[str, tuple[Problem, ...]] = {}
        self._names: dict[str, tuple[Problem, ...]] = {}
        self._whole: dict[str, tuple[Problem, ...]] = {}
        self._whole_orders: dict[str, set[int]] = {}
        self._ids: dict[str, set[str]] = {}
        """By root, the dotted ids of a family."""
        self._orders_by_type: dict[str, set[int]] = {}
        self._cell_mentions: _Mentions[int] = _Mentions()
        self._family_mentions: _Mentions[str] = _Mentions()
        self._name_mentions: _Mentions[str] = _Mentions()
        self._failed: dict[str, tuple[Rule, int | str | None]] = {}
        """Rules that raised, by code, and the cell or the family that made them."""
        self._silencing: dict[int, frozenset[str]] = {}
        """By label, the codes that a cell silences: kept, for a file may have many problems."""
        self._all_changed = True
        self._troubled: set[int] = set()
        """Labels of cells with problems: what is clean is not looked at again."""
        self._tokens = 0
        self._look_around()
        self._last_message = self._find_last_message()
        for placed in document.cells():
            self._check_cell(placed)
        if self._family_rules:
            for root in self._find_families():
                self._check_family(root)
        for key in self._names_of(document.index) if self._name_rules else ():
            self._check_name(key)
        for rule in self._document_rules:
            self._check_whole(rule)
        self._check_budget()
        # Without what it remembers of each cell, of which a large file has very many.
        self.snapshot = self.snapshot.of(document)
        self._reported &= self._failed.keys()

    def _look_around(self) -> bool:
        """Find out what every cell depends on, and whether it is not what it was."""
        document = self.document
        surrounding = self._scope.surrounding(document)
        counting = any(rule.wants_tokens(self.snapshot) for rule in self._budget_rules)
        changed = surrounding != self._surrounding
        changed = changed or (counting and not self._counting)
        self._surrounding, self._counting = surrounding, counting
        self._passed = max(surrounding.horizon)
        return changed

    def _drop(self, order: int) -> None:
        self._troubled.discard(order)
        self._changed.add(("cell", order))
        self._silencing.pop(order, None)
        state = self._cells.pop(order, None)
        if state is not None:
            self._cell_mentions.remove(order, state.problems)
            self._tokens -= state.tokens
            if state.type is not None:
                self._orders_by_type[state.type].discard(order)

    def _check_cell(self, placed: Placed) -> None:
        order = placed.order
        if order in self._cells:
            self._drop(order)
        if not self._all_changed:
            self._changed.add(("cell", order))
        meaning = self._scope.meaning(self.snapshot, placed)
        topics = self._scope.topics(meaning, self._passed)
        subject = self._subject(meaning)
        rules = self._rules_on.get(topics)
        if rules is None:
            rules = self._rules_on[topics] = _wanting(self._cell_rules, meaning.role, topics)
        found = self._run_all(rules, order, subject)
        tokens = 0
        if self._counting:
            tokens = self.snapshot.tokens.count(self._scope.seen_text(meaning, subject.sight))
            self._tokens += tokens
        kind = meaning.type if placed.cell.kind is _OUTPUT else None
        if kind is not None:
            self._orders_by_type.setdefault(kind, set()).add(order)
        if topics & _SUPPRESSION and placed.cell.suppressions:
            self._silencing[order] = self._silenced_by(placed.cell)
        if found:
            self._troubled.add(order)
            self._cell_mentions.add(order, found)
        elif not tokens and kind is None:
            # Nearly every cell: there is nothing to know of it.
            return
        self._cells[order] = _CellState(tuple(found), tokens, kind)

    def _run_all(
        self, rules: Sequence[CellRule] | Sequence[FamilyRule], where: int | str, subject: Any
    ) -> list[Problem]:
        """Every rule on one cell or family, in one go where none of them raises."""
        found: list[Problem] = []
        if not self._failed:
            try:
                for rule in rules:
                    found += rule.check(subject)
            except Exception:
                # Which one raised must be known: each by itself then.
                found.clear()
            else:
                return found
        for rule in rules:
            found += self._run(rule, where, rule.check, subject)
        return found

    def _subject(self, meaning: Meaning) -> Subject:
        return Subject(self.snapshot, meaning, self._surrounding.horizon)

    def _run(
        self,
        rule: Rule,
        where: int | str | None,
        check: Callable[..., Iterable[Problem]],
        *arguments: object,
    ) -> list[Problem]:
        if rule.code in self._failed:
            return []
        try:
            return list(check(*arguments))
        except Exception as error:
            self._failed[rule.code] = rule, where
            if rule.code not in self._reported:
                self._reported.add(rule.code)
                self._on_rule_error(rule, error)
            return []

    def _has_recovered(self, rule: Rule, where: int | str | None) -> bool:
        """Whether a rule that raised on a cell or a family would not do so any more."""
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

    def _find_families(self) -> list[str]:
        """The roots of all families, and in ``_ids`` what else belongs to them."""
        roots: dict[str, None] = {}
        for relation, name in self.document.index:
            if relation in self._scope.id_relations:
                root, dot, _ = name.partition(".")
                roots[root] = None
                if dot:
                    self._ids.setdefault(root, set()).add(name)
        return list(roots)

    def _is_said(self, name: str) -> bool:
        """Whether anything in the document has or names that id."""
        entries = self.document.entries
        return any(entries(relation, name) for relation in self._scope.id_relations)

    def _family(self, root: str) -> Family | None:
        """The ids that begin with ``root``, if there are any."""
        ids = [root] if self._is_said(root) else []
        dotted = self._ids.get(root)
        if dotted:
            left = {name for name in dotted if self._is_said(name)}
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
        self._family_mentions.remove(root, self._families.pop(root, ()))
        topics = self._scope.family_topics(self.document, root, self._ids.get(root, ()))
        rules = self._rules_on_family.get(topics)
        if rules is None:
            rules = [r for r in self._family_rules if r.wants is None or int(r.wants) & topics]
            self._rules_on_family[topics] = rules
        family = self._family(root) if rules else None
        if family is None:
            return
        found = self._run_all(rules, root, family)
        if found:
            self._families[root] = tuple(found)
            self._family_mentions.add(root, found)

    def _names_of(self, facts: Iterable[FactKey]) -> set[str]:
        """What must be checked where something is said of certain names: rule and name each."""
        return {
            f"{code} {name}"
            for relation, name in facts
            for code, rule in self._name_rules.items()
            if relation in rule.relations
        }

    def _check_name(self, key: str) -> None:
        self._changed.add(("name", key))
        self._name_mentions.remove(key, self._names.pop(key, ()))
        code, _, name = key.partition(" ")
        rule = self._name_rules[code]
        if not any(self.document.entries(relation, name) for relation in rule.relations):
            return
        found = self._run(rule, name, rule.check, self.snapshot, name)
        if found:
            self._names[key] = tuple(found)
            self._name_mentions.add(key, found)

    def _check_whole(self, rule: DocumentRule) -> None:
        self._changed.add(("rule", rule.code))
        self._failed.pop(rule.code, None)
        found = self._run(rule, None, rule.check, self.snapshot)
        self._whole[rule.code] = tuple(found)
        self._whole_orders[rule.code] = _orders(found)

    def _check_budget(self) -> None:
        for rule in self._budget_rules:
            self._changed.add(("rule", rule.code))
            self._failed.pop(rule.code, None)
            found = self._run(rule, None, rule.check, self.snapshot, self._tokens)
            self._whole[rule.code] = tuple(found)

    # -- the last turn ----------------------------------------------------------------------

    def _changed_kind(self, before: Document, order: int) -> bool:
        old = _find(before, order)
        return old is None or old.cell.kind is not self.document.cell(order).cell.kind

    def _find_last_message(self) -> int:
        for number in range(self.document.cell_count - 1, -1, -1):
            placed = self.document.cell_number(number)
            if placed.cell.kind is CellKind.MESSAGE:
                return placed.order
        return -1

    def _follow_last_message(self) -> set[str]:
        """The families of cells that are not in the last turn any more, or are now."""
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
            if placed.order < low:
                break
            if placed.cell.id:
                roots.add(_root(placed.cell.id))
            number -= 1
        return roots


def _root(cell_id: str) -> str:
    return CellId(cell_id).root


def _find(document: Document, order: int) -> Placed | None:
    """The cell with that label, if it is there."""
    if not document.cell_count:
        return None
    try:
        return document.cell(order)
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

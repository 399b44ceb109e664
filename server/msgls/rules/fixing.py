"""Applying fixes: the one place, for the quick fix, fix-all and ``--fix``.

Owns the loop "apply what can be applied together, check again, until nothing
changes", and the question whether a fix helps: a fixed file has fewer problems, or
less severe ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.rules.base import Fix, Problem, Rule, Severity
from msgls.rules.checker import Checker
from msgls.rules.settings import severity_of
from msgls.text.spans import Span

# A round is what can be applied at once. Few fixes bring more to light, so few rounds do it;
# the number of checks bounds what files take that were made to take long.
_MOST_ROUNDS = 64
_MOST_CHECKS = 128
_MOST_CHECKS_A_ROUND = 24


class Left(NamedTuple):
    """A problem that was not fixed, and how many fixes a person can choose from."""

    problem: Problem
    ways: int


class Fixed(NamedTuple):
    """What fixing did."""

    document: Document
    applied: Counter[str]
    """How many fixes were applied, by rule."""
    left: tuple[Left, ...] = ()
    """The chosen problems that are still there."""


def fixes_of(snapshot: Snapshot, problem: Problem, rule: Rule) -> list[Fix]:
    """The fixes of a problem, the best one first."""
    return [fix._replace(code=rule.code) for fix in rule.fixes(snapshot, problem)]


def fix_all(
    snapshot: Snapshot,
    rules: Sequence[Rule],
    wanted: Callable[[Problem], bool],
    unsafe: bool = False,
) -> Fixed:
    """Apply the safe fixes of every chosen problem, and with ``unsafe`` the certain others.

    A problem with several unsafe fixes is left: which of them is right, only a person knows.
    """
    by_code = {rule.code: rule for rule in rules}
    severities = {
        rule.code: severity_of(snapshot.settings, rule) or rule.severity for rule in rules
    }
    applied: Counter[str] = Counter()
    checker = Checker(snapshot, rules)
    checks = _MOST_CHECKS
    for _ in range(_MOST_ROUNDS):
        fixes = []
        aims: dict[int, tuple[int, str]] = {}
        for problem in checker.problems():
            if wanted(problem):
                ways = fixes_of(checker.snapshot, problem, by_code[problem.code])
                fix = _automatic(ways, unsafe)
                if fix is not None:
                    fixes.append(fix)
                    start = checker.document.cell(problem.label).start_offset
                    aims[id(fix)] = (problem.span.start + start, problem.code)
        budget = _Budget(min(checks, _MOST_CHECKS_A_ROUND))
        trial = _Trial(checker, severities, budget, aims)
        trial.add(_compatible(fixes))
        if not trial.state.used:
            break
        checks -= min(checks, _MOST_CHECKS_A_ROUND) - max(budget.left, 0)
        checker, used, _ = trial.state
        applied.update(fix.code for fix in used)
    left = [
        Left(problem, len(fixes_of(checker.snapshot, problem, by_code[problem.code])))
        for problem in checker.problems()
        if wanted(problem)
    ]
    return Fixed(checker.document, applied, tuple(left))


def _automatic(fixes: Sequence[Fix], unsafe: bool) -> Fix | None:
    safe = [fix for fix in fixes if fix.safe]
    if safe:
        return safe[0]
    return fixes[0] if unsafe and len(fixes) == 1 else None


class _State(NamedTuple):
    """A document that was checked, the fixes that led to it, and what is left."""

    checker: Checker
    used: tuple[Fix, ...]
    found: list[_Found]


class _Found(NamedTuple):
    """A problem at its absolute place."""

    start: int
    end: int
    code: str
    cell: Span


class _Trial:
    """One round: which of some fixes help, each judged by what it does itself.

    All are applied at once. A problem that went is charged to the fix that was made for it; what
    else went, and what came, to the fix whose edits are nearest, in the same cell. A fix that
    does not help by that account is left out, and the others are tried again. Where new problems
    cannot be charged to any fix, the fixes are halved, as long as the budget of checks lasts.
    """

    def __init__(
        self,
        checker: Checker,
        severities: Mapping[str, Severity],
        budget: _Budget,
        aims: Mapping[int, tuple[int, str]],
    ) -> None:
        self.document = checker.document
        self.severities = severities
        self.budget = budget
        self.aims = aims
        """Where the problem of each fix is, and its code, by the identity of the fix."""
        self.state = _State(checker, (), _found(checker))
        self.before = self.state.found

    def add(self, fixes: Sequence[Fix]) -> None:
        """Take as many of ``fixes`` as help."""
        if not fixes or not self.budget.spend():
            return
        used = (*self.state.used, *fixes)
        document = self.document.apply([edit for fix in used for edit in fix.edits])
        checker = self.state.checker.fresh(document)
        tried = _State(checker, used, _found(checker))
        if len(fixes) == 1:
            if self._helps(fixes[0], _levels(self.state.found, tried.found, self.severities)):
                self.state = tried
            return
        aims = [self.aims[id(fix)] for fix in used]
        accounts = _Accounts(used, aims, self.before, tried.found)
        harmful = {
            number
            for number in range(len(self.state.used), len(used))
            if not self._helps(used[number], accounts.levels(number, self.severities))
        }
        if not harmful and not self._is_unexplained(fixes, accounts):
            self.state = tried
            return
        left = [
            fix for number, fix in enumerate(fixes, len(self.state.used)) if number not in harmful
        ]
        if 0 < len(left) < len(fixes):
            self.add(left)
            return
        middle = len(fixes) // 2
        self.add(fixes[:middle])
        self.add(fixes[middle:])

    def _is_unexplained(self, fixes: Sequence[Fix], accounts: _Accounts) -> bool:
        """Whether a problem came that counts and that no fix can be charged with."""
        counted = max(self._counted(fix) for fix in fixes)
        return any(self.severities[code] <= counted for code in accounts.unexplained)

    def _counted(self, fix: Fix) -> Severity:
        """Down to where a fix may not add problems."""
        return Severity.HINT if fix.safe else self.severities[fix.code]

    def _helps(self, fix: Fix, more: Mapping[Severity, int]) -> bool:
        """Whether a fix leaves less of what is as severe as its own problem, and no more of worse.

        What it brings to light may be less severe, unless it is safe: then less is left in all.
        ``more`` says by how many the problems of each severity grew.
        """
        own = self.severities[fix.code]

        def until(level: Severity) -> int:
            return sum(count for severity, count in more.items() if severity <= level)

        if any(until(level) > 0 for level in Severity if level < own):
            return False
        return until(own) < 0 and until(self._counted(fix)) < 0


class _Budget:
    """How many more checks of the whole document fixing may run."""

    def __init__(self, checks: int) -> None:
        self.left = checks

    def spend(self) -> bool:
        """Take one check, if there is one."""
        self.left -= 1
        return self.left >= 0


class _Accounts:
    """Which fix is charged with which problem that went or came."""

    def __init__(
        self,
        fixes: Sequence[Fix],
        aims: Sequence[tuple[int, str]],
        before: Sequence[_Found],
        after: Sequence[_Found],
    ) -> None:
        self._went: dict[int, list[str]] = {}
        self._came: dict[int, list[str]] = {}
        self.unexplained: list[str] = []
        """The codes of problems that came and are near no edit."""
        edits = sorted(
            (edit.span.start, edit.span.end, len(edit.text), number)
            for number, fix in enumerate(fixes)
            for edit in fix.edits
        )
        self._owners = [number for *_, number in edits]
        self._old = [Span(start, end) for start, end, _, _ in edits]
        self._new: list[Span] = []
        shift = 0
        for start, end, length, _ in edits:
            self._new.append(Span(start + shift, start + shift + length))
            shift += length - (end - start)
        # A fix may edit another cell than that of its problem, where a fix of that one is nearer.
        own = {aim: number for number, aim in enumerate(aims)}
        remaining = Counter((found.start, found.code) for found in after)
        for found in before:
            key = (self._moved(found.start), found.code)
            if remaining[key] > 0:
                remaining[key] -= 1
            elif (found.start, found.code) in own:
                self._went.setdefault(own[found.start, found.code], []).append(found.code)
            else:
                self._charge(found, self._old, self._went)
        for found in after:
            if remaining[found.start, found.code] > 0:
                remaining[found.start, found.code] -= 1
                if not self._charge(found, self._new, self._came):
                    self.unexplained.append(found.code)

    def levels(self, number: int, severities: Mapping[str, Severity]) -> Counter[Severity]:
        """By how many the problems of each severity grew through one fix."""
        more = Counter(severities[code] for code in self._came.get(number, ()))
        more.subtract(severities[code] for code in self._went.get(number, ()))
        return more

    def _moved(self, offset: int) -> int:
        """Where what stood at ``offset`` is now."""
        at = bisect_right(self._old, offset, key=lambda span: span.start) - 1
        if at < 0:
            return offset
        old, new = self._old[at], self._new[at]
        return offset + new.end - old.end if offset >= old.end else new.start

    def _charge(self, found: _Found, spans: Sequence[Span], to: dict[int, list[str]]) -> bool:
        """Charge the fix with the nearest edit in the cell; false where none is there."""
        at = bisect_right(spans, found.start, key=lambda span: span.start)
        near = [n for n in (at - 1, at) if 0 <= n < len(spans)]
        near = [n for n in near if _distance(spans[n], found.cell) == 0]
        if not near:
            return False
        here = Span(found.start, found.end)
        nearest = min(near, key=lambda n: _distance(spans[n], here))
        to.setdefault(self._owners[nearest], []).append(found.code)
        return True


def _distance(one: Span, other: Span) -> int:
    return max(one.start - other.end, other.start - one.end, 0)


def _found(checker: Checker) -> list[_Found]:
    found = []
    for problem in checker.problems():
        placed = checker.document.cell(problem.label)
        span = problem.span.shift(placed.start_offset)
        found.append(_Found(span.start, span.end, problem.code, placed.span))
    return found


def _levels(
    before: Sequence[_Found], after: Sequence[_Found], severities: Mapping[str, Severity]
) -> Counter[Severity]:
    """By how many the problems of each severity grew."""
    more = Counter(severities[found.code] for found in after)
    more.subtract(severities[found.code] for found in before)
    return more


def _compatible(fixes: Sequence[Fix]) -> list[Fix]:
    """As many fixes as can be applied at once, the earlier one first where two clash."""
    taken: list[Span] = []
    chosen: list[Fix] = []
    for fix in fixes:
        if fix.edits and not any(_clashes(edit.span, taken) for edit in fix.edits):
            chosen.append(fix)
            for edit in fix.edits:
                insort(taken, edit.span)
    return chosen


def _clashes(span: Span, taken: Sequence[Span]) -> bool:
    """Whether ``span`` touches one of ``taken``, which are sorted and apart.

    Two edits at one place do, for their order would be a guess.
    """
    at = bisect_left(taken, span)
    before = at > 0 and taken[at - 1].end >= span.start
    return before or (at < len(taken) and taken[at].start <= span.end)

"""Applying fixes: the one place, for the quick fix, fix-all and ``--fix``.

Owns the loop "apply what can be applied together, check again, until nothing
changes", and the question whether a fix helps: a fixed file has fewer problems, or
less severe ones.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgls.document.document import Document
from msgls.rules.base import Fix, Problem, Rule, Severity, Surroundings
from msgls.rules.checker import Checker
from msgls.text.spans import Span

# Each round leaves fewer problems, or less severe ones; this only bounds a mistake of ours.
_MOST_ROUNDS = 1_000
# Fixes that clash, such as two that give the same id, are better tried in the next round.
_ENOUGH_CHECKS = 16


class Fixed(NamedTuple):
    """What fixing did."""

    document: Document
    applied: Counter[str]
    """How many fixes were applied, by rule."""


def fixes_of(
    document: Document, problem: Problem, rule: Rule, surroundings: Surroundings
) -> list[Fix]:
    """The ways out of a problem, the best one first."""
    return [fix._replace(code=rule.code) for fix in rule.fixes(document, problem, surroundings)]


def fix_all(
    document: Document,
    rules: Sequence[Rule],
    surroundings: Surroundings,
    wanted: Callable[[Problem], bool],
    unsafe: bool = False,
    severity_of: Callable[[Rule], Severity | None] = lambda rule: rule.severity,
) -> Fixed:
    """Apply the safe fixes of every wanted problem, and with ``unsafe`` the certain others.

    A problem with several unsafe ways out is left: which of them is right, only a person knows.
    """
    by_code = {rule.code: rule for rule in rules}
    severities = {rule.code: severity_of(rule) or rule.severity for rule in rules}
    applied: Counter[str] = Counter()
    checker = Checker(document, rules, surroundings)
    for _ in range(_MOST_ROUNDS):
        fixes = []
        for problem in checker.problems():
            if wanted(problem):
                ways = fixes_of(document, problem, by_code[problem.code], surroundings)
                fix = _automatic(ways, unsafe)
                if fix is not None:
                    fixes.append(fix)
        trial = _Trial(document, checker, severities)
        trial.add(_compatible(fixes))
        if not trial.state.used:
            break
        document, checker, used, _ = trial.state
        applied.update(fix.code for fix in used)
    return Fixed(document, applied)


def _automatic(fixes: Sequence[Fix], unsafe: bool) -> Fix | None:
    safe = [fix for fix in fixes if fix.safe]
    if safe:
        return safe[0]
    return fixes[0] if unsafe and len(fixes) == 1 else None


class _State(NamedTuple):
    """A document that was checked, the fixes that led to it, and what is left."""

    document: Document
    checker: Checker
    used: tuple[Fix, ...]
    codes: Counter[str]


class _Trial:
    """One round: which of some fixes help, each by what it does itself.

    Many are applied at once where nothing but their own problems goes and comes; else they
    are halved, until each one that does more is judged alone. So no fix hides behind the
    good that others do, and what comes of one does not hang on what else is wrong.
    """

    def __init__(
        self, document: Document, checker: Checker, severities: Mapping[str, Severity]
    ) -> None:
        self.document = document
        self.severities = severities
        self.checks = 0
        self.state = _State(document, checker, (), _count(checker))

    def add(self, fixes: Sequence[Fix]) -> None:
        """Take as many of ``fixes`` as help."""
        if not fixes or (self.state.used and self.checks >= _ENOUGH_CHECKS):
            return
        self.checks += 1
        state = self.state
        used = (*state.used, *fixes)
        document = self.document.apply([edit for fix in used for edit in fix.edits])
        checker = state.checker.fresh(document)
        tried = _State(document, checker, used, _count(checker))
        if len(fixes) == 1:
            if self._helps(fixes[0], tried.codes):
                self.state = tried
        elif self._is_plain(fixes, tried.codes):
            self.state = tried
        else:
            for part in self._parts(fixes):
                self.add(part)

    def _parts(self, fixes: Sequence[Fix]) -> Iterable[Sequence[Fix]]:
        """Fixes that are judged alike, else halves."""
        kinds: dict[tuple[bool, Severity], list[Fix]] = {}
        for fix in fixes:
            kinds.setdefault((fix.safe, self.severities[fix.code]), []).append(fix)
        middle = len(fixes) // 2
        return kinds.values() if len(kinds) > 1 else (fixes[:middle], fixes[middle:])

    def _is_plain(self, fixes: Sequence[Fix], after: Counter[str]) -> bool:
        """Whether each of several fixes took its own problem away and added none that counts."""
        own = Counter(fix.code for fix in fixes)
        before = self.state.codes
        counted = max([self._counted(fix) for fix in fixes])
        return all(
            after[code] <= before[code] - own[code] or self.severities[code] > counted
            for code in {*before, *after, *own}
        )

    def _counted(self, fix: Fix) -> Severity:
        """Down to where a fix may not add problems."""
        return Severity.HINT if fix.safe else self.severities[fix.code]

    def _helps(self, fix: Fix, after: Counter[str]) -> bool:
        """Whether a fix leaves less of what is as severe as its own problem, and no more of worse.

        What it brings to light may be less severe, unless it is safe: then less is left in all.
        """
        before = self.state.codes
        own = self.severities[fix.code]
        worse = [level for level in Severity if level < own]
        if any(self._until(level, after) > self._until(level, before) for level in worse):
            return False
        levels = (own, self._counted(fix))
        return all(self._until(level, after) < self._until(level, before) for level in levels)

    def _until(self, level: Severity, codes: Counter[str]) -> int:
        """How many problems are at least that severe."""
        return sum(count for code, count in codes.items() if self.severities[code] <= level)


def _count(checker: Checker) -> Counter[str]:
    return Counter(problem.code for problem in checker.problems())


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

"""Applying fixes: the one place, for the quick fix, fix-all and ``--fix``.

Owns the loop "apply what can be applied together, check again, until nothing
changes". A round that does not leave fewer problems is taken back and tried one
fix at a time, so that a fixed file never has more problems than before.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgls.document.document import Document
from msgls.rules.base import Fix, Problem, Rule, Surroundings
from msgls.rules.checker import Checker
from msgls.text.spans import Span

# Each round makes the number of problems smaller; this only bounds a mistake of ours.
_MOST_ROUNDS = 1_000


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
) -> Fixed:
    """Apply the safe fixes of every wanted problem, and with ``unsafe`` the certain others.

    A problem with several unsafe ways out is left: which of them is right, only a person knows.
    """
    by_code = {rule.code: rule for rule in rules}
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
        step = _step(checker, document, _compatible(fixes))
        if step is None:
            break
        document, checker, used = step
        applied.update(fix.code for fix in used)
    return Fixed(document, applied)


def _automatic(fixes: Sequence[Fix], unsafe: bool) -> Fix | None:
    safe = [fix for fix in fixes if fix.safe]
    if safe:
        return safe[0]
    return fixes[0] if unsafe and len(fixes) == 1 else None


def _step(
    checker: Checker, document: Document, fixes: list[Fix]
) -> tuple[Document, Checker, list[Fix]] | None:
    """Apply all of ``fixes``, else the first of them that helps by itself."""
    if not fixes:
        return None
    before = len(checker.problems())
    attempts = [fixes] if len(fixes) == 1 else [fixes, *([fix] for fix in fixes)]
    for attempt in attempts:
        after = document.apply([edit for fix in attempt for edit in fix.edits])
        checked = checker.fresh(after)
        if len(checked.problems()) < before:
            return after, checked, attempt
    return None


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

"""The problems of a document, kept in order while their sources come and go.

Owns the bookkeeping that lets a server with ten thousand problems answer a
keystroke: each source (a cell, a family of ids, a rule on the whole document)
replaces its own problems, and the first thousand, worst first, are found without
looking at the others. ``generation`` changes only if the problems did.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from msgls.rules.base import Problem, Severity


class Selection(NamedTuple):
    """Some of the problems, in document order, and how many there are in all."""

    problems: list[tuple[Problem, Severity]]
    total: int


class ProblemSet:
    """Problems by source and by place."""

    def __init__(self, severity_of: Callable[[Problem], Severity | None]) -> None:
        self._severity_of = severity_of
        self._by_source: dict[Hashable, tuple[Problem, ...]] = {}
        self._at: dict[tuple[Severity, int], list[Problem]] = {}
        self._orders: dict[Severity, list[int]] = {severity: [] for severity in Severity}
        self._counts: Counter[Severity] = Counter()
        self.generation = 0

    def __len__(self) -> int:
        return self._counts.total()

    def replace(self, source: Hashable, problems: Sequence[Problem]) -> None:
        """What ``source`` finds now, in place of what it found before."""
        before = self._by_source.get(source, ())
        now = tuple(problems)
        if before == now:
            return
        # From the end: what comes out of a list moves all that follows.
        for problem in reversed(before):
            self._remove(problem)
        for problem in now:
            self._add(problem)
        if now:
            self._by_source[source] = now
        else:
            del self._by_source[source]
        self.generation += 1

    def _add(self, problem: Problem) -> None:
        severity = self._severity_of(problem)
        if severity is None:
            return
        here = self._at.get((severity, problem.order))
        if here is None:
            here = self._at[severity, problem.order] = []
            insort(self._orders[severity], problem.order)
        insort(here, problem, key=_place)
        self._counts[severity] += 1

    def _remove(self, problem: Problem) -> None:
        severity = self._severity_of(problem)
        if severity is None:
            return
        here = self._at[severity, problem.order]
        del here[here.index(problem, bisect_left(here, _place(problem), key=_place))]
        self._counts[severity] -= 1
        if not here:
            del self._at[severity, problem.order]
            orders = self._orders[severity]
            del orders[bisect_left(orders, problem.order)]

    def __iter__(self) -> Iterator[tuple[Problem, Severity]]:
        return iter(self.first(len(self)).problems)

    def first(self, limit: int) -> Selection:
        """The ``limit`` worst ones (of equal ones, the earlier), in document order."""
        chosen: list[tuple[Problem, Severity]] = []
        for severity in Severity:
            for order in self._orders[severity]:
                room = limit - len(chosen)
                if room <= 0:
                    break
                chosen += [(problem, severity) for problem in self._at[severity, order][:room]]
        chosen.sort(key=lambda found: (found[0].order, *_place(found[0])))
        return Selection(chosen, len(self))


def _place(problem: Problem) -> tuple[object, ...]:
    return problem.span, problem.code, problem.key

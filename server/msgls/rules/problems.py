"""The problems of a document, kept in order while their sources come and go.

Owns the bookkeeping that lets a server with ten thousand problems answer a
keystroke: each source (a cell, a family of ids, a rule on the whole document)
replaces its own problems, and the first thousand, worst first, are found without
looking at the others. ``generation`` changes only if the problems did.
"""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from msgls.rules.base import Problem, Severity
from msgls.text.work import MANY, Work, done

# So many of a source in one cell are put in at once, which takes a look at all that are there;
# one by one, each moves those after it.
_MANY = 256


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
        self._labels: dict[Severity, list[int]] = {severity: [] for severity in Severity}
        self._counts: Counter[Severity] = Counter()
        self.generation = 0

    def __len__(self) -> int:
        return self._counts.total()

    def replace(self, source: Hashable, problems: Sequence[Problem]) -> None:
        """What ``source`` finds now, in place of what it found before."""
        done(self.replacing(source, problems))

    def replacing(self, source: Hashable, problems: Sequence[Problem]) -> Work[None]:
        """The same with pauses before the change, which is made at once."""
        before = self._by_source.get(source, ())
        now = tuple(problems)
        if before == now:
            return
        leaving = yield from self._by_place(before)
        coming = yield from self._by_place(now)
        for place, gone in leaving.items():
            self._remove(place, gone)
        for place, new in coming.items():
            self._add(place, new)
        if now:
            self._by_source[source] = now
        else:
            del self._by_source[source]
        self.generation += 1

    def _by_place(
        self, problems: Sequence[Problem]
    ) -> Work[dict[tuple[Severity, int], list[Problem]]]:
        found: dict[tuple[Severity, int], list[Problem]] = {}
        for number, problem in enumerate(problems, 1):
            if not number % MANY:
                yield
            severity = self._severity_of(problem)
            if severity is not None:
                found.setdefault((severity, problem.label), []).append(problem)
        return found

    def _add(self, place: tuple[Severity, int], new: list[Problem]) -> None:
        severity, label = place
        here = self._at.get(place)
        if here is None:
            here = self._at[place] = []
            insort(self._labels[severity], label)
        if len(new) < _MANY:
            for problem in new:
                insort(here, problem, key=_place)
        else:
            here += new
            here.sort(key=_place)
        self._counts[severity] += len(new)

    def _remove(self, place: tuple[Severity, int], gone: list[Problem]) -> None:
        severity, label = place
        here = self._at[place]
        if len(gone) < _MANY:
            # From the end: what comes out of a list moves all that follows.
            for problem in reversed(gone):
                at = bisect_left(here, _place(problem), key=_place)
                # Another source may have an equal one, which stays.
                while here[at] is not problem:
                    at += 1
                del here[at]
        else:
            own = set(map(id, gone))
            here[:] = [problem for problem in here if id(problem) not in own]
        self._counts[severity] -= len(gone)
        if not here:
            del self._at[place]
            labels = self._labels[severity]
            del labels[bisect_left(labels, label)]

    def __iter__(self) -> Iterator[tuple[Problem, Severity]]:
        return iter(self.first(len(self)).problems)

    def first(self, limit: int) -> Selection:
        """The ``limit`` worst ones (of equal ones, the earlier), in document order."""
        chosen: list[tuple[Problem, Severity]] = []
        for severity in Severity:
            for label in self._labels[severity]:
                room = limit - len(chosen)
                if room <= 0:
                    break
                chosen += [(problem, severity) for problem in self._at[severity, label][:room]]
        chosen.sort(key=lambda found: (found[0].label, *_place(found[0])))
        return Selection(chosen, len(self))


def _place(problem: Problem) -> tuple[object, ...]:
    return problem.span, problem.code, problem.key

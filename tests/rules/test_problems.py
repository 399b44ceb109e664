"""The set of problems: whatever comes and goes, it is what sorting all of them again gives."""

from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from msgls.rules.base import Problem, Severity
from msgls.rules.problems import ProblemSet
from msgls.text.spans import Span

# By the first letter of their code; what has none of these is switched off.
_SEVERITIES = dict(zip("EWIH", Severity, strict=True))


def severity_of(problem: Problem) -> Severity | None:
    return _SEVERITIES.get(problem.code[0])


def problem(code: str, label: int = 0, start: int = 0, key: str = "message") -> Problem:
    return Problem(code, label, Span(start, start + 1), key)


def codes(found: list[tuple[Problem, Severity]]) -> list[str]:
    return [problem.code for problem, _ in found]


_problems = st.builds(
    problem,
    st.sampled_from(["E1", "E2", "W1", "I1", "H1", "-1"]),
    st.integers(0, 3),
    st.integers(0, 2),
    st.sampled_from(["message", "other"]),
)
_steps = st.lists(st.tuples(st.sampled_from("abc"), st.lists(_problems, max_size=5)), max_size=8)


@given(_steps, st.integers(0, 12), st.integers(1, 6))
# Two sources have an equal problem, and only one of them is looked through as a whole.
@example([("b", [problem("E1")] * 2), ("a", [problem("E1")]), ("a", []), ("b", [])], 1, 2)
def test_any_sources_that_come_and_go(
    steps: list[tuple[str, list[Problem]]], limit: int, many: int
) -> None:
    kept = ProblemSet(severity_of)
    sources: dict[str, list[Problem]] = {}
    for source, problems in steps:
        before, generation = sources.get(source, []), kept.generation
        with patch("msgls.rules.problems._MANY", many):
            kept.replace(source, problems)
        sources[source] = problems
        assert (kept.generation == generation) == (before == problems)
    everything = [
        (found, severity)
        for problems in sources.values()
        for found in problems
        if (severity := severity_of(found)) is not None
    ]

    def place(found: tuple[Problem, Severity]) -> tuple[object, ...]:
        return found[0].label, found[0].span, found[0].code, found[0].key

    worst_first = sorted(everything, key=lambda found: (found[1], *place(found)))
    assert len(kept) == len(everything)
    assert list(kept) == sorted(everything, key=place)
    assert kept.first(limit) == (sorted(worst_first[:limit], key=place), len(everything))


def test_errors_are_never_crowded_out_by_hints() -> None:
    kept = ProblemSet(severity_of)
    kept.replace("cell", [problem("H1")])
    kept.replace("family", [problem("E1", label=9), problem("W1", label=5)])
    assert codes(kept.first(1).problems) == ["E1"]
    assert codes(kept.first(2).problems) == ["W1", "E1"]
    assert codes(kept.first(9).problems) == ["H1", "W1", "E1"]
    assert kept.first(1).total == 3


def test_the_same_problems_again_are_not_a_change() -> None:
    kept = ProblemSet(severity_of)
    kept.replace("cell", [problem("E1")])
    kept.replace("cell", [problem("E1")])
    assert kept.generation == 1
    kept.replace("cell", [])
    assert (kept.generation, len(kept)) == (2, 0)

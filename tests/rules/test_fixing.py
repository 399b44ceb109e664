"""Applying fixes: each is judged by what it does itself."""

from collections.abc import Iterator, Sequence

import pytest

from msgls.document.document import Document
from msgls.document.snapshot import Settings, Snapshot
from msgls.rules import fixing
from msgls.rules.base import DocumentRule, Fix, Problem, Rule, Severity
from msgls.rules.checker import Checker
from msgls.rules.msgjson.dlt001_invalid_json import InvalidJson
from msgls.text.spans import Edit, Span
from tests.snapshots import snapshot_of


class Letter(DocumentRule):
    """Finds a letter; its fix puts another text there."""

    on_cells = True

    def __init__(self, letter: str, severity: Severity, instead: str | None, safe: bool) -> None:
        self.code = letter  # type: ignore[misc]  # one class for all of them
        self.name = letter  # type: ignore[misc]
        self.severity = severity  # type: ignore[misc]
        self.instead = instead
        self.safe = safe

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        """Every place of the letter."""
        first = snapshot.document.first_cell()
        for at, letter in enumerate(snapshot.document.text):
            if letter == self.code and first is not None:
                yield self.problem(first.label, Span(at, at + 1))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """The other text."""
        if self.instead is not None:
            yield Fix.of("fix", Edit(problem.span, self.instead), safe=self.safe)


def rules(safe: bool) -> Sequence[Rule]:
    return [
        Letter("x", Severity.ERROR, ".", safe),
        Letter("y", Severity.ERROR, "zz", safe),
        Letter("v", Severity.WARNING, "hh", safe),
        Letter("w", Severity.WARNING, "e", safe),
        Letter("z", Severity.ERROR, None, safe),
        Letter("e", Severity.ERROR, None, safe),
        Letter("h", Severity.HINT, None, safe),
    ]


def fixed(text: str, safe: bool) -> str:
    document = Document.open("chat.msg.md", text)
    result = fixing.fix_all(snapshot_of(document), rules(safe), lambda _: True, unsafe=True)
    return result.document.text


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x x x", ". . ."),
        ("y", "y"),
        # Neither hides what the others do.
        ("x x x y x x", ". . . y . ."),
        ("w x x", "w . ."),
        ("w y", "w y"),
    ],
)
def test_what_does_not_help_is_not_applied(before: str, after: str, safe: bool) -> None:
    assert fixed(before, safe) == after


def test_what_comes_to_light_may_be_less_severe_unless_the_fix_is_safe() -> None:
    assert fixed("v x v", safe=False) == "hh . hh"
    assert fixed("v x v", safe=True) == "v . v"


def test_the_severity_is_the_one_that_is_configured() -> None:
    document = Document.open("chat.msg.md", "v")
    settings = Settings(severity={"ALL": "error"})
    snapshot = snapshot_of(document, settings=settings)
    result = fixing.fix_all(snapshot, rules(False), lambda _: True, True)
    assert result.document.text == "v"


@pytest.mark.parametrize("bad", ["", " y"])
def test_many_fixes_take_few_checks(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = []
    fresh = Checker.fresh

    def counted(checker: Checker, document: Document) -> Checker:
        checks.append(document)
        return fresh(checker, document)

    monkeypatch.setattr(Checker, "fresh", counted)
    assert fixed("x v " * 200 + bad, safe=False) == ". hh " * 200 + bad
    assert len(checks) < 40


def test_many_fixes_may_each_edit_the_cell_before_their_problem() -> None:
    element = '  {"runId": "r", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:05Z"}'
    document = Document.open("talk.messages.json", "\n".join(["[", *[element] * 300, "]"]))
    result = fixing.fix_all(snapshot_of(document), [InvalidJson()], lambda _: True)
    assert result.document.text == "[\n" + ",\n".join([element] * 300) + "\n]"

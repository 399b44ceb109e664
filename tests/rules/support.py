"""How rules are tested: a source with the expected range marked, and what a fix makes of it.

``«`` and ``»`` mark the range of one expected problem; they are taken out before the
text is checked. Every test names the code that it is about; other rules stay silent.
"""

from collections.abc import Sequence

from msgls.document.document import Document
from msgls.document.snapshot import Surroundings
from msgls.rules.base import Fix, Problem, Rule
from msgls.rules.checker import Checker
from msgls.rules.fixing import fixes_of
from msgls.rules.registry import BY_CODE, rule_text
from msgls.text.spans import Span
from tests.snapshots import snapshot_of

PATH = "chat.msg.md"


def unmark(marked: str) -> tuple[str, list[Span]]:
    """The text without its marks, and the ranges that they held."""
    pieces: list[str] = []
    spans: list[Span] = []
    opened: list[int] = []
    length = 0
    for character in marked:
        if character == "«":
            opened.append(length)
        elif character == "»":
            spans.append(Span(opened.pop(), length))
        else:
            pieces.append(character)
            length += 1
    assert not opened, "a mark is not closed"
    return "".join(pieces), sorted(spans)


def _open(path: str, text: str, surroundings: Surroundings | None) -> Document:
    return Document.open(path, text).with_agents((surroundings or Surroundings()).other_agents)


def _rule(code: str) -> Rule:
    assert code in BY_CODE, f"no `every.py` of a format imports {code}"
    return BY_CODE[code]


def find(
    code: str, source: str, path: str = PATH, surroundings: Surroundings | None = None
) -> tuple[Document, list[Problem]]:
    """The problems of one rule in a text, in order. A rule that raises fails the test."""

    def fail(rule: object, error: Exception) -> None:
        raise AssertionError(f"{code} raised") from error

    document = _open(path, source, surroundings)
    checker = Checker(snapshot_of(document, surroundings), [_rule(code)], fail)
    return document, checker.problems()


def absolute(document: Document, problem: Problem) -> Span:
    """Where a problem stands in the document."""
    return problem.span.shift(document.cell(problem.label).start_offset)


def message(problem: Problem) -> str:
    """What a person reads."""
    return rule_text(problem.code, problem.key, problem.args)


def title(fix: Fix) -> str:
    """What a person reads of a fix."""
    return rule_text(fix.code, fix.key, fix.args)


def expect(
    code: str,
    marked: str,
    *messages: str,
    path: str = PATH,
    surroundings: Surroundings | None = None,
) -> None:
    """``code`` is found at exactly the marked ranges; messages, where given, are exact too."""
    source, spans = unmark(marked)
    document, problems = find(code, source, path, surroundings)
    assert [absolute(document, problem) for problem in problems] == spans
    if messages:
        assert [message(problem) for problem in problems] == list(messages)


def expect_nothing(
    code: str, source: str, path: str = PATH, surroundings: Surroundings | None = None
) -> None:
    """A near miss: ``code`` is not found."""
    document, problems = find(code, source, path, surroundings)
    assert [(absolute(document, p).of(source), message(p)) for p in problems] == []


def fixes(
    code: str,
    source: str,
    number: int = 0,
    path: str = PATH,
    surroundings: Surroundings | None = None,
) -> list[tuple[str, bool, str]]:
    """The fixes of problem ``number``: title, whether it is safe, and the text after it."""
    document, problems = find(code, source, path, surroundings)
    ways = fixes_of(
        snapshot_of(document, surroundings or Surroundings()), problems[number], _rule(code)
    )
    return [(title(fix), fix.safe, document.apply(fix.edits).text) for fix in ways]


def expect_fix(
    code: str,
    source: str,
    fixed: str,
    *,
    safe: bool,
    name: str | None = None,
    number: int = 0,
    path: str = PATH,
    surroundings: Surroundings | None = None,
) -> None:
    """Some fix of problem ``number`` gives exactly ``fixed``, is as safe as said, and helps."""
    ways = fixes(code, source, number, path, surroundings)
    after: Sequence[tuple[str, bool, str]] = [
        way for way in ways if way[2] == fixed and (name is None or way[0] == name)
    ]
    assert after, f"no fix gives that; there are {ways}"
    assert after[0][1] is safe
    _, before = find(code, source, path, surroundings)
    _, left = find(code, fixed, path, surroundings)
    assert len(left) < len(before)


def shown(document: Document, problems: Sequence[Problem]) -> list[tuple[object, ...]]:
    """Problems as a reader sees them: labels of cells, which may differ, left out."""
    return [
        (
            absolute(document, problem),
            message(problem),
            None if problem.subject is None else document.cell(problem.subject).start_offset,
            [r.span.shift(document.cell(r.label).start_offset) for r in problem.related],
        )
        for problem in problems
    ]


def expect_follows(
    code: str,
    source: str,
    *edits: tuple[str, str],
    path: str = PATH,
    surroundings: Surroundings | None = None,
) -> list[int]:
    """A checker that follows edits finds what a fresh one finds; how many each time, is given.

    An edit is an old text, which must be there, and the new one for its first place.
    """
    document = _open(path, source, surroundings)
    checker = Checker(snapshot_of(document, surroundings), [_rule(code)])
    counts = [len(checker.problems())]
    for old, new in edits:
        at = document.text.index(old)
        document = document.edit(Span(at, at + len(old)), new)
        checker.update(document)
        fresh = _open(path, document.text, surroundings)
        expected = Checker(snapshot_of(fresh, surroundings), [_rule(code)]).problems()
        followed = shown(document, checker.problems())
        assert followed == shown(fresh, expected), f"{old!r} became {new!r}"
        counts.append(len(expected))
    return counts

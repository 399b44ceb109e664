"""What a checker says to whoever follows it: what changed, and what stands in a cell."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.rules.base import CellRule, Problem, Rule, Severity, Subject
from msgls.rules.checker import Checker, Source
from msgls.rules.places import Places
from msgls.rules.registry import rules_of
from msgls.text.spans import Span
from msgls.text.work import done
from tests.fuzz.vocabularies import ALL, files
from tests.snapshots import snapshot_of

CELLS = (
    "# %% One[^a]\n\n[^a]: [markdwn]\n\nWords\n\n"
    "# %%% [^b.n]\n\n[^b.n]: [tool] name=x\n\n<x/>\n\n"
    "# %% Two[^c]\n\n[^c]: [markdown]\n\nWords[^gone]\n"
)


def checker_of(document: Document) -> Checker:
    return Checker(snapshot_of(document), rules_of(document.format.name))


class Follower:
    """Keeps the results of a checker by what it says has changed, as the server does."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self.kept: dict[Source, tuple[Problem, ...]] = {}

    def follow(self) -> bool:
        """Take the changes up; whether it was told them one by one."""
        changes = self._checker.take_changes()
        if changes is None:
            self.kept = sound(self._checker)
        else:
            self.kept.update({source: done(self._checker.result(source)) for source in changes})
        self.kept = {source: problems for source, problems in self.kept.items() if problems}
        return changes is not None


def sound(checker: Checker) -> dict[Source, tuple[Problem, ...]]:
    found = {source: done(checker.result(source)) for source in checker.sources()}
    return {source: problems for source, problems in found.items() if problems}


@pytest.mark.parametrize("format", sorted(ALL))
@given(data=st.data())
def test_changes_add_up_to_the_results(format: str, data: st.DataObject) -> None:
    path, text = data.draw(files(format))
    document = Document.open(path, text)
    checker = checker_of(document)
    follower = Follower(checker)
    for _ in range(4):
        start = data.draw(st.integers(0, len(document.store)))
        typed = data.draw(st.sampled_from(ALL[format].fragments))
        edited = document.edit(Span(start, start + data.draw(st.integers(0, 9))), typed)
        if edited.format is not document.format:
            return
        document = edited
        checker.update(document)
        follower.follow()
        assert follower.kept == sound(checker)
        everything = [problem for problems in follower.kept.values() for problem in problems]
        in_cells = Places(document).all_to_cells(everything)
        assert sorted(in_cells, key=repr) == sorted(checker.problems(), key=repr)


@pytest.mark.parametrize("format", sorted(ALL))
@given(data=st.data())
def test_the_problems_of_cells_are_those_that_stand_there(format: str, data: st.DataObject) -> None:
    document = Document.open(*data.draw(files(format)))
    checker = checker_of(document)
    labels = [placed.label for placed in document.cells()]
    for some in ([label] for label in labels):
        wanted = [problem for problem in checker.problems() if problem.label in some]
        assert done(checker.problems_in(some)) == wanted
    assert done(checker.problems_in(labels)) == checker.problems()
    assert done(checker.problems_in([])) == []


def test_the_first_answer_and_a_silence_are_about_everything() -> None:
    document = Document.open("a.msg.md", CELLS)
    checker = checker_of(document)
    follower = Follower(checker)
    assert not follower.follow()
    assert follower.follow(), "nothing has changed since"
    silent = document.edit(Span(0, 0), "<!-- msgls: ignore MSG201 -->\n\n")
    checker.update(silent)
    assert not follower.follow()
    assert follower.kept == sound(checker)
    assert "MSG201" not in {p.code for problems in follower.kept.values() for p in problems}


def test_a_keystroke_is_told_as_the_cell_that_it_is_in() -> None:
    document = Document.open("a.msg.md", CELLS)
    checker = checker_of(document)
    assert checker.take_changes() is None
    at = CELLS.index("[^gone]")
    edited = document.edit(Span(at, at + 7), "")
    checker.update(edited)
    sources = checker.take_changes()
    assert sources is not None
    changes = {source: done(checker.result(source)) for source in sources}
    cell = edited.cell_at_offset(at)
    assert cell is not None
    assert changes["cell", cell.label] == ()
    assert not any("MSG201" in {p.code for p in problems} for problems in changes.values())


def test_a_cell_that_is_gone_has_no_problems_any_more() -> None:
    document = Document.open("a.msg.md", CELLS)
    checker = checker_of(document)
    follower = Follower(checker)
    follower.follow()
    first = document.first_cell()
    assert first is not None
    checker.update(document.edit(Span(0, CELLS.index("# %%% [^b.n]")), ""))
    follower.follow()
    assert ("cell", first.label) not in follower.kept
    assert follower.kept == sound(checker)


class _Fussy(CellRule):
    """Raises on a cell that holds a certain word."""

    code = "MSG999"
    name = "fussy"
    severity = Severity.HINT
    roles = None

    def check(self, subject: Subject) -> Iterator[Problem]:
        if "bad" in subject.cell.text:
            raise ValueError("bad")
        yield self.problem(subject.label, Span(0, 1))


@pytest.mark.parametrize("how", ["the word goes", "the cell goes"])
def test_a_rule_that_raised_is_back_when_what_it_raised_on_is_gone(how: str) -> None:
    text = "# %% [^a]\n\ngood\n\n# %% [^b]\n\nbad\n"
    document = Document.open("a.msg.md", text)
    failed: list[Rule] = []
    checker = Checker(snapshot_of(document), [_Fussy()], lambda rule, _: failed.append(rule))
    assert (checker.problems(), len(failed)) == ([], 1)
    start = text.index("bad") if how == "the word goes" else text.index("# %% [^b]")
    checker.update(document.edit(Span(start, len(text)), ""))
    assert len(checker.problems()) == checker.document.cell_count
    assert len(failed) == 1


def test_tokens_are_told_by_cell() -> None:
    head = "---\nagents: {Al: {models: [m], context_window: 50, max_output_tokens: 10}}\n---\n"
    document = Document.open("a.msg.md", head + CELLS)
    checker = checker_of(document)
    labels = [placed.label for placed in document.cells()]
    assert sum(map(checker.tokens_of, labels)) == checker.tokens > 0
    assert checker.tokens_of(max(labels) + 1) == 0

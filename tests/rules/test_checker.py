"""The checker: following a document gives what checking it afresh gives, for every rule."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot, Surroundings
from msgls.formats.base import Placed
from msgls.rules.base import (
    BudgetRule,
    CellRule,
    DocumentRule,
    Family,
    FamilyRule,
    NameRule,
    Problem,
    Related,
    Rule,
    Severity,
    Subject,
)
from msgls.rules.checker import Checker
from msgls.rules.fixing import fixes_of
from msgls.rules.registry import BY_CODE, RULES, rule_text
from msgls.text.spans import Edit, Span
from tests.document.tracked import limits
from tests.rules.support import PATH
from tests.snapshots import snapshot_of

IDS = (
    "q1",
    "a1",
    "c1",
    "a1.9f",
    "a2.9f",
    "a1.9f.1",
    "a1.9f.2",
    "c1.1",
    "c1.2",
    "a1.x.1",
    "s p",
    "",
)
TYPES = ("markdown", "code", "raw", "gpt", "tool", "python", "gtp", "m-1")
ATTRIBUTES = (
    "",
    ' name="read"',
    ' status="success"',
    " history=none",
    " reset=1",
    ' definition="agent" name="gpt"',
    ' time="2025-05-30T00:00:00+08:00"',
    ' time="2025-05-29T00:00:00+08:00"',
    " hystory=sumary",
    " a= b",
)
FRONTMATTERS = (
    "",
    "---\nagents:\n  gpt:\n    models: [m-1]\n---\n",
    "---\nagents:\n  gpt:\n    models: [m-1]\n    context_window: 40\ndefault_agent: gpt\n---\n",
    "---\nmessage_section: Talk\n---\n# Talk\n",
)
LINES = (
    "text\n",
    "\n",
    "see [^q1] and [^none]\n",
    "[^none]: a footnote\n",
    "[^q1]: prose\n",
    "[^a1]: [gpt\n",
    "[^c1: [code]\n",
    "\\[^q1\\]: [markdown]\n",
    "```\n",
    "```py\n",
    "stdout> 1\n",
    "<read><path>x</path></read>\n",
    "<!-- msgls: ignore MSG101 -->\n",
    "<!-- msgls: ignore MSG302, MSG105 -->\n",
    "## Plan\n",
    "# Talk\n",
    "#%% near\n",
    "<<<<<<< a\n",
    "=======\n",
    ">>>>>>> b\n",
    "# %%\n",
)

_ids = st.sampled_from(IDS)
_types = st.sampled_from(TYPES)
_attributes = st.sampled_from(ATTRIBUTES)
_definitions = st.builds(lambda i, t, a: f"[^{i}]: [{t}]{a}\n", _ids, _types, _attributes)
_headers = st.builds(
    lambda p, t, i: f"# {p} {t}[^{i}]\n",
    st.sampled_from(("%%", "%%%")),
    st.sampled_from(("", "T")),
    _ids,
)


@st.composite
def _cells(draw: st.DrawFn) -> str:
    """A cell that is nearly right."""
    cell_id = draw(_ids)
    percents = draw(st.sampled_from(("%%", "%%%")))
    title = draw(st.sampled_from(("", "T ", "😀 見出し ")))
    text = f"# {percents} {title}[^{cell_id}]\n"
    if draw(st.integers(0, 4)):
        text += f"\n[^{cell_id}]: [{draw(_types)}]{draw(_attributes)}\n\n"
    return text + "".join(draw(st.lists(st.sampled_from(LINES), max_size=2)))


_fragments = _cells() | _definitions | _headers | st.sampled_from(LINES) | _ids | st.just("\r\n")
_texts = st.builds(
    lambda head, cells: head + "".join(cells),
    st.sampled_from(FRONTMATTERS),
    st.lists(_cells() | st.sampled_from(LINES), max_size=10),
)
_places = st.integers(0, 1_000)


def seen(checker: Checker) -> list[tuple[object, ...]]:
    """Every problem as it can be compared: labels of cells may differ, places may not."""
    document = checker.document

    def place(label: int, span: Span) -> Span:
        return span.shift(document.cell(label).start_offset)

    return [
        (
            problem.code,
            place(problem.label, problem.span),
            problem.key,
            dict(problem.args),
            [(place(r.label, r.span), r.key, dict(r.args)) for r in problem.related],
            None if problem.subject is None else document.cell(problem.subject).start_offset,
        )
        for problem in checker.problems()
    ]


def fail(broken: Rule, error: Exception) -> None:
    raise AssertionError(f"{broken.code} raised") from error


class Following(RuleBasedStateMachine):
    """A document that is edited, and a checker that follows it."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()

    @initialize(text=_texts, path=st.sampled_from((PATH, PATH, "notes.md")), small=st.booleans())
    def open(self, text: str, path: str, small: bool) -> None:
        if small:
            self.stack.enter_context(limits(piece=64, crumb=16, gap=1 << 8, recent=3))
        self.surroundings = Surroundings(other_agents=frozenset({"m-2"}))
        self.document = Document.open(path, text)
        self.checker = Checker(snapshot_of(self.document, self.surroundings), RULES, fail)

    def teardown(self) -> None:
        self.stack.close()

    def _follow(self, document: Document) -> None:
        self.document = document
        self.checker.update(document)

    def _line(self, place: int) -> int:
        """The start of some line."""
        text = self.document.text
        return text.rfind("\n", 0, place * len(text) // 1_000) + 1

    @rule(place=_places, text=_fragments)
    def insert_line(self, place: int, text: str) -> None:
        at = self._line(place)
        self._follow(self.document.edit(Span(at, at), text))

    @rule(place=_places, text=st.sampled_from(("x", ".", "]", "[", "1", "`", "\n", "%", "#", "é")))
    def type_character(self, place: int, text: str) -> None:
        at = place * len(self.document.text) // 1_000
        self._follow(self.document.edit(Span(at, at), text))

    @rule(place=_places, other=_places)
    def delete_lines(self, place: int, other: int) -> None:
        start, end = sorted((self._line(place), self._line(min(other, place + 100))))
        self._follow(self.document.edit(Span(start, end), ""))

    @rule(place=_places, new=_ids | _types)
    def replace_name(self, place: int, new: str) -> None:
        """Put another name between some brackets."""
        text = self.document.text
        start = text.find("[", place * len(text) // 1_000)
        end = text.find("]", start)
        if 0 <= start < end:
            start += 1 + text.startswith("^", start + 1)
            self._follow(self.document.edit(Span(start, end), new))

    @rule(place=_places, other=_places)
    def move_cell(self, place: int, other: int) -> None:
        count = self.document.cell_count
        if count:
            moved = self.document.cell_number(place * (count - 1) // 1_000)
            at = self.document.cell_number(other * (count - 1) // 1_000).start_offset
            if not moved.span.start < at < moved.span.end:
                edits = [Edit(moved.span, ""), Edit(Span(at, at), moved.cell.text)]
                self._follow(self.document.apply(edits))

    @rule(place=_places, way=st.integers(0, 5))
    def apply_fix(self, place: int, way: int) -> None:
        problems = self.checker.problems()
        if problems:
            problem = problems[place * (len(problems) - 1) // 1_000]
            rule_of = BY_CODE[problem.code]
            fixes = fixes_of(snapshot_of(self.document, self.surroundings), problem, rule_of)
            for fix in fixes:
                assert rule_text(fix.code, fix.key, fix.args)
            if way < len(fixes):
                self._follow(self.document.apply(fixes[way].edits))

    @rule(text=_texts)
    def put(self, text: str) -> None:
        self._follow(self.document.with_text(text))

    @invariant()
    def equals_a_fresh_one(self) -> None:
        if not hasattr(self, "checker"):
            return
        fresh = Document.open(self.document.path, self.document.text)
        assert seen(self.checker) == seen(
            Checker(snapshot_of(fresh, self.surroundings), RULES, fail)
        )

    @invariant()
    def speaks_of_what_is_there(self) -> None:
        if not hasattr(self, "checker"):
            return
        length = len(self.document.text)
        for problem in self.checker.problems():
            start, end = problem.span.shift(self.document.cell(problem.label).start_offset)
            assert 0 <= start <= end <= length
            assert rule_text(problem.code, problem.key, problem.args)
            for related in problem.related:
                assert rule_text(problem.code, related.key, related.args)


TestFollowing = Following.TestCase
TestFollowing.settings = settings(stateful_step_count=15)


# -- long cells ------------------------------------------------------------------------------


class _Away(CellRule):
    """Finds every definition that is not at its cell, and counts the cells that it looks at."""

    code, name, severity = "TST110", "away", Severity.HINT

    def __init__(self) -> None:
        self.calls = 0

    def check(self, subject: Subject) -> Iterator[Problem]:
        self.calls += 1
        if subject.definition is not None:
            yield self.problem(subject.definition_label, subject.definition.span)


def _at(offset: int) -> Span:
    return Span(offset, offset)


def _with_definitions_at_the_end(count: int) -> str:
    cells = "".join(f"# %% Q[^q{n}]\n\nText.\n\n" for n in range(count))
    return cells + "".join(f"[^q{n}]: [markdown] history=none\n" for n in range(count))


def test_a_key_in_a_long_cell_checks_what_stands_in_its_piece() -> None:
    calls: list[int] = []
    for count in (100, 400):
        away = _Away()
        with limits(piece=1_024, crumb=256):
            document = Document.open(PATH, _with_definitions_at_the_end(count))
            checker = Checker(snapshot_of(document), [away])
            away.calls = 0
            document = document.edit(_at(document.text.index("none", 5_000)), "x")
            checker.update(document)
        calls.append(away.calls)
        assert seen(checker) == seen(Checker(snapshot_of(document), [away]))
    # A piece of 1,024 characters has some 30 definitions.
    assert max(calls) < 60


def test_the_own_definition_of_a_long_cell_is_among_its_definitions() -> None:
    text = "# %% Q[^q]\n\n[^q]: [markdown]\n\n" + "Words.\n" * 40 + "[^a]: [markdown]\n"
    with limits(piece=64, crumb=16):
        cell = Document.open(PATH, text).cell_number(0).cell
    assert len(cell.parts) > 1
    assert cell.home is cell.definitions[0]
    assert cell.definitions_of("q")[0] is cell.home
    assert cell.definitions_of("a") == [cell.definitions[1]]


@pytest.mark.parametrize("piece", range(40, 200, 9))
def test_a_secret_between_two_pieces_is_found(piece: int) -> None:
    text = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\n" + "".join(
        f"Some words that stand in line {n}.\npassword: 'Zx81kQp2vBn7LmT4wYcR9dHs{n}'\n"
        for n in range(9)
    )
    rules = [BY_CODE["MSG701"]]
    expected = len(Checker(snapshot_of(Document.open(PATH, text)), rules).problems())
    assert expected
    with limits(piece=piece, crumb=16):
        document = Document.open(PATH, text.replace("password", "passord"))
        checker = Checker(snapshot_of(document), rules)
        while "passord" in document.text:
            document = document.edit(_at(document.text.index("passord") + 4), "w")
            checker.update(document)
    assert len(checker.problems()) == expected


# -- a rule that raises -----------------------------------------------------------------------


class _EveryCell(CellRule):
    """Finds every cell; a sound rule beside the broken ones."""

    code, name, severity = "TST100", "every-cell", Severity.HINT

    def check(self, subject: Subject) -> Iterator[Problem]:
        yield self.problem(subject.label, Span(0, 1))


class _BrokenOnX(CellRule):
    """Finds every cell, and raises on an ``x`` in it."""

    code, name, severity = "TST101", "broken-cell", Severity.ERROR

    def check(self, subject: Subject) -> Iterator[Problem]:
        yield self.problem(subject.label, Span(0, 1))
        if "x" in subject.cell.text:
            raise ValueError


class _BrokenFamily(FamilyRule):
    """Finds every header, and raises on the id ``x``."""

    code, name, severity = "TST102", "broken-family", Severity.ERROR

    def check(self, family: Family) -> Iterator[Problem]:
        for member in family.named(family.root):
            yield self.problem(member.placed.label, Span(0, 1))
        if family.root == "x":
            raise ValueError


class _BrokenName(NameRule):
    """Finds every header, and raises on the id ``x``."""

    code, name, severity = "TST105", "broken-name", Severity.ERROR
    relations = ("header",)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        for entry in snapshot.document.entries("header", name):
            yield self.problem(entry.label, Span(0, 1))
        if name == "x":
            raise ValueError


class _BrokenDocument(DocumentRule):
    """Finds the first cell, and raises on an ``x`` in it."""

    code, name, severity = "TST103", "broken-document", Severity.ERROR

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        first = snapshot.document.first_cell()
        if first is not None:
            yield self.problem(first.label, Span(0, 1))
            if "x" in first.cell.text:
                raise ValueError


class _BrokenBudget(BudgetRule):
    """Raises on an ``x`` in the first cell."""

    code, name, severity = "TST104", "broken-budget", Severity.ERROR

    def check(self, snapshot: Snapshot, tokens: int) -> Iterator[Problem]:
        first = snapshot.document.first_cell()
        if first is not None:
            yield self.problem(first.label, Span(0, 1))
            if "x" in first.cell.text:
                raise ValueError


BROKEN: list[Rule] = [
    _BrokenOnX(), _BrokenFamily(), _BrokenName(), _BrokenDocument(), _BrokenBudget()
]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=lambda rule: rule.name)
def test_a_rule_that_raises_is_reported_once_and_the_others_go_on(broken: Rule) -> None:
    reported: list[str] = []
    rules = [_EveryCell(), broken]

    def report(culprit: Rule, error: Exception) -> None:
        assert isinstance(error, ValueError)
        reported.append(culprit.code)

    def codes(checker: Checker) -> list[str]:
        return [problem.code for problem in checker.problems()]

    document = Document.open(PATH, "# %% [^x]\n\n# %% [^b]\n\n# %% [^c]\n")
    checker = Checker(snapshot_of(document), rules, report)
    assert reported == [broken.code]
    assert codes(checker) == ["TST100"] * 3
    # Typing elsewhere changes nothing, and is not reported again.
    document = document.edit(Span(19, 19), " a title ")
    checker.update(document)
    assert reported == [broken.code]
    assert codes(checker) == ["TST100"] * 3
    # The culprit is gone: everything is found, also where nothing was typed.
    document = document.edit(Span(7, 8), "a")
    checker.update(document)
    assert reported == [broken.code]
    assert codes(checker) == codes(Checker(snapshot_of(document), rules, report))
    assert broken.code in codes(checker)
    # It comes back, and is reported again.
    document = document.edit(Span(7, 8), "x")
    checker.update(document)
    assert reported == [broken.code] * 2
    assert codes(checker) == ["TST100"] * 3


def test_a_rule_stays_left_out_while_another_cell_makes_it_raise() -> None:
    reported: list[str] = []
    rules = [_BrokenOnX()]
    document = Document.open(PATH, "# %% [^x1]\n\n# %% [^x2]\n\n# %% [^c]\n")
    checker = Checker(
        snapshot_of(document), rules, lambda culprit, error: reported.append(culprit.code)
    )
    for old in ("x1", "x2"):
        at = document.text.index(old)
        document = document.edit(Span(at, at + 1), "a")
        checker.update(document)
    assert reported == ["TST101"]
    assert len(checker.problems()) == 3


# -- what is silenced, and in which order problems come -----------------------------------------


def codes_of(source: str, *rules: str) -> list[tuple[str, str]]:
    """The codes that are found, each with the id of its cell."""
    document = Document.open(PATH, source)
    problems = Checker(snapshot_of(document), [BY_CODE[code] for code in rules], fail).problems()
    return [(p.code, document.cell(p.label).cell.id or "") for p in problems]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# %% [^q1]\nsee[^x]\n\n# %% [^q2]\n", ["MSG101", "MSG105", "MSG101"]),
        # In a cell: there, and only that rule.
        (
            "# %% [^q1]\nsee[^x]\n<!-- msgls: ignore MSG101 -->\n\n# %% [^q2]\n",
            ["MSG105", "MSG101"],
        ),
        ("# %% [^q1]\nsee[^x]\n<!-- msgls: ignore MSG105, MSG101 -->\n\n# %% [^q2]\n", ["MSG101"]),
        # By name, and in any case.
        ("# %% [^q1]\nsee[^x]\n<!-- msgls: ignore msg105 Header-Without-Definition -->\n", []),
        ("<!-- msgls: ignore undefined-footnote -->\n\n# %% [^q1]\nsee[^x]\n", ["MSG101"]),
        # Before the first cell: everywhere.
        ("<!-- msgls: ignore MSG101 -->\n\n# %% [^q1]\nsee[^x]\n\n# %% [^q2]\n", ["MSG105"]),
        # Not a comment of its own line, not in a fence, not another word.
        ("# %% [^q1]\nx <!-- msgls: ignore MSG101 -->\n", ["MSG101"]),
        ("# %% [^q1]\n```\n<!-- msgls: ignore MSG101 -->\n```\n", ["MSG101"]),
        ("# %% [^q1]\n<!-- msgls: ignore -->\n", ["MSG101"]),
    ],
)
def test_suppressions(source: str, expected: list[str]) -> None:
    assert [code for code, _ in codes_of(source, "MSG101", "MSG105")] == expected


def test_a_comment_that_comes_and_goes_is_followed() -> None:
    comment = "<!-- msgls: ignore MSG101 -->\n\n"
    document = Document.open(PATH, "# %% [^q1]\n\n# %% [^q2]\n")
    checker = Checker(snapshot_of(document), [BY_CODE["MSG101"]], fail)
    counts = []
    for span, text in ((Span(0, 0), comment), (Span(0, len(comment)), ""), (Span(11, 11), comment)):
        document = document.edit(span, text)
        checker.update(document)
        counts.append(len(checker.problems()))
    assert counts == [0, 2, 1]


def test_problems_come_in_the_order_of_the_document() -> None:
    source = (
        "# %%% R[^a1.9f.1]\n\n[^a1.9f.1]: [tool]\n\n# %% [^q1]\nsee[^y] and [^x]\n\n#%% B\n\n# %%\n"
    )
    found = codes_of(source, *[rule.code for rule in reversed(RULES) if rule.code[3] in "13"])
    assert found == [
        ("MSG302", "a1.9f.1"),
        ("MSG101", "q1"),
        ("MSG105", "q1"),
        ("MSG105", "q1"),
        ("MSG106", "q1"),
        ("MSG107", ""),
    ]


def test_a_document_of_another_format_has_the_rules_of_that_format() -> None:
    document = Document.open("notes.md", "# Talk\n\n# %% [^q1]\n")
    checker = Checker(snapshot_of(document), [BY_CODE["MSG101"]], fail)
    assert checker.problems() == []
    checker.update(document.edit(Span(0, 0), "---\nmessage_section: Talk\n---\n"))
    assert [problem.code for problem in checker.problems()] == ["MSG101"]


def test_nothing_is_found_in_an_ordinary_conversation() -> None:
    """Markdown of every kind in messages and answers, and all rules."""
    source = """\
---
agents:
  gpt:
    models: [m-1]
---
# Notes

Anything [^x] goes here.

[^y]: [Title](https://example.org)

# %% What is this format?[^q1]

[^q1]: [markdown]

A table, a list, a quote and a formula:

| a | b |
|---|---|
| 1 | 2 |

- one
  - two

> # %% quoted

$$x^2$$

# %%% An answer[^a1]

[^a1]: [gpt] time="2025-05-30T00:00:00+08:00"

## A heading

It looks like this[^1], see `[^x]`:

````markdown
# %% A question[^q1]

[^q1]: [markdown]

```python
# %% a cell of another tool
```
````

<details>100 %% sure</details>

[^1]: [The specification](https://example.org) says so.

# %%% A call[^a1.9f3d]

[^a1.9f3d]: [tool] name="read"

<read><path>x</path></read>

# %%% Its result[^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="success" duration=0.5s

def f(): return [^x]

# %% Some code[^c1]

[^c1]: [code]

```python
print(1)
```

# %%% Its output[^c1.1]

[^c1.1]: [python] status="success"

stdout> 1
"""
    document = Document.open(PATH, source)
    assert seen(Checker(snapshot_of(document), RULES, fail)) == []


# -- rules on names ---------------------------------------------------------------------------


class _SaidTwice(NameRule):
    """Finds every header but the first with the same id, and points at the first."""

    code, name, severity = "TST106", "said-twice", Severity.ERROR
    relations = ("header",)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        document = snapshot.document
        said = [document.cell(entry.label) for entry in document.entries("header", name)]
        for placed in said[1:]:
            related = Related(said[0].label, _header_span(said[0]), "first")
            problem = self.problem(placed.label, _header_span(placed))
            yield problem._replace(related=(related,))


def _header_span(placed: Placed) -> Span:
    assert placed.cell.header is not None
    return placed.cell.header.span


@pytest.mark.parametrize(
    ("at", "typed", "found"),
    [
        pytest.param("[^b]", "[^a]", 1, id="a name becomes another's"),
        pytest.param("first", "the first", 0, id="typing"),
        pytest.param("[^c]", "[^d]", 0, id="another name"),
        pytest.param("# %% [^b]\n", "", 0, id="a cell goes"),
    ],
)
def test_a_rule_on_names_follows_the_facts(at: str, typed: str, found: int) -> None:
    text = "# %% [^a]\nfirst\n\n# %% [^b]\nsecond\n\n# %% [^c]\nthird\n"
    document = Document.open(PATH, text)
    checker = Checker(snapshot_of(document), [_SaidTwice()])
    assert checker.problems() == []
    start = text.index(at)
    edited = document.edit(Span(start, start + len(at)), typed)
    checker.update(edited)
    assert len(checker.problems()) == found
    assert _said(checker) == _said(Checker(snapshot_of(edited), [_SaidTwice()]))
    # The spans of what it points at follow an edit of that cell alone.
    moved = edited.edit(Span(5, 5), "title ")
    checker.update(moved)
    assert _said(checker) == _said(Checker(snapshot_of(moved), [_SaidTwice()]))
    assert len(checker.sources()) == bool(found)
    checker.update(moved.edit(Span(5, 11), "").edit(Span(start, start + len(typed)), at))
    assert checker.problems() == []


def _said(checker: Checker) -> list[tuple[Span, Span]]:
    return [(problem.span, problem.related[0].span) for problem in checker.problems()]


class _Counted(DocumentRule):
    """Looks at cells, and counts how often it is asked."""

    code, name, severity = "TST107", "counted", Severity.ERROR
    on_cells = True
    depends = ("conflict",)

    def __init__(self) -> None:
        self.calls = 0

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        self.calls += 1
        yield from ()


@pytest.mark.parametrize(
    ("at", "typed", "calls"),
    [
        pytest.param("ordinary", "more ordinary", 0, id="typing"),
        pytest.param("[^b]\n\n", "[^c]\n\n", 1, id="a fact changes"),
        pytest.param("title: a", "title: b", 1, id="before the first cell"),
        pytest.param("ordinary", "\n# %% [^d]\n\nordinary", 1, id="a cell comes"),
        pytest.param("sides", "both sides", 1, id="a cell that says what it depends on"),
    ],
)
def test_typing_asks_no_rule_about_the_whole_document(at: str, typed: str, calls: int) -> None:
    text = (
        "---\ntitle: a\n---\n\n# %% [^a]\n\nordinary text\n\n# %% [^b]\n\n"
        "<<<<<<< ours\nsides\n=======\n>>>>>>> theirs\n"
    )
    document, rule = Document.open(PATH, text), _Counted()
    checker = Checker(snapshot_of(document), [rule])
    rule.calls = 0
    start = text.index(at)
    checker.update(document.edit(Span(start, start + len(at)), typed))
    assert rule.calls == calls


@pytest.mark.parametrize("names", [("Discussion", "Other"), ("Other", "Discussion")])
def test_headings_of_one_cell_may_change_their_places(names: tuple[str, str]) -> None:
    head = "---\nmessage_section: Discussion\n---\n\n"
    first, second = names
    text = f"{head}# {first}\n\n# {second}\n\n# %% [^a]\n\n[^a]: [markdown]\n\nText.\n"
    swapped = f"# {second}\n\n# {first}\n"
    document = Document.open("a.md", text)
    checker = Checker(snapshot_of(document), RULES)
    edited = document.edit(Span(len(head), len(head) + len(swapped)), swapped)
    checker.update(edited)
    fresh = Checker(snapshot_of(Document.open("a.md", edited.text)), RULES)
    assert [p.code for p in checker.problems()] == [p.code for p in fresh.problems()]
    assert len(checker.problems()) == (first == "Other")


class _Looking(CellRule):
    """Finds the word ``secret``, and counts the cells that it looks at and searches."""

    code, name, severity = "TST108", "looking", Severity.ERROR

    def __init__(self) -> None:
        self.checked: list[str | None] = []
        self.searched: list[str] = []

    def screen(self, texts: Sequence[str]) -> set[int]:
        self.searched += texts
        return {number for number, text in enumerate(texts) if "secret" in text}

    def check(self, subject: Subject) -> Iterator[Problem]:
        self.checked.append(subject.cell.id)
        yield self.problem(subject.label, Span(0, 1))


class _Everything(CellRule):
    """Counts the cells that it looks at."""

    code, name, severity = "TST109", "everything", Severity.ERROR

    def __init__(self) -> None:
        self.checked: list[str | None] = []

    def check(self, subject: Subject) -> Iterator[Problem]:
        self.checked.append(subject.cell.id)
        yield from ()


class _EveryFamily(FamilyRule):
    """Counts the families that it looks at."""

    code, name, severity = "TST110", "every-family", Severity.ERROR

    def __init__(self) -> None:
        self.checked: list[str] = []

    def check(self, family: Family) -> Iterator[Problem]:
        self.checked.append(family.root)
        yield from ()


def test_a_cell_whose_text_stays_is_not_searched_again() -> None:
    """The last cell holds the definition: what it means changes, and not what it says."""
    cells = "# %% [^a]\n\nfirst\n\n# %% [^b]\n\na secret\n\n# %% [^c]\n\nthird\n\n"
    text = cells + "[^a]: [markdown]\n[^b]: [markdown]\n[^c]: [markdown]\n"
    document, looking, everything = Document.open(PATH, text), _Looking(), _Everything()
    checker = Checker(snapshot_of(document), [looking, everything])
    assert [problem.code for problem in checker.problems()] == ["TST108"]
    looking.searched.clear()
    looking.checked.clear()
    everything.checked.clear()
    at = text.index("a]")
    edited = document.edit(Span(at + 1, at + 1), "x")
    checker.update(edited)
    assert everything.checked == ["ax", "c"]
    assert looking.searched == ["# %% [^ax]\n\nfirst\n\n"]
    assert looking.checked == []
    # The cell that is suspected is looked at when it is concerned, and only then.
    at = edited.text.index("b]")
    checker.update(edited.edit(Span(at + 1, at + 1), "x"))
    assert looking.checked == ["bx"]
    assert [problem.code for problem in checker.problems()] == ["TST108"]
    at = edited.text.index("[^b]: [markdown]")
    checker.update(edited.edit(Span(at, at), "x"))
    assert looking.checked == ["bx", "b"]
    assert len(checker.problems()) == 1


@pytest.mark.parametrize("head", ["", "---\nagents:\n  bot:\n    models: [m]\n---\n\n"])
def test_an_answer_that_comes_concerns_few_other_answers(head: str) -> None:
    answers = (f"# %%% [^a{n}]\n\n[^a{n}]: [bot]\n\ntext\n\n" for n in range(60))
    text = head + "".join(answers)
    document, everything = Document.open(PATH, text), _Everything()
    checker = Checker(snapshot_of(document), [everything])
    everything.checked.clear()
    at = text.index("a30]") + 3
    checker.update(document.edit(Span(at, at), "x"))
    assert "a30x" in everything.checked
    assert len(everything.checked) <= 2


def test_runs_with_the_same_number_have_nothing_to_do_with_each_other() -> None:
    """Whose definitions stand at the end of the file."""
    cells = "".join(f"# %% [^c{n}]\n\n# %%% [^c{n}.1]\n\n" for n in range(60))
    ends = "".join(f"[^c{n}]: [code]\n[^c{n}.1]: [python]\n" for n in range(60))
    text = cells + ends
    document, every_family = Document.open(PATH, text), _EveryFamily()
    checker = Checker(snapshot_of(document), [every_family])
    every_family.checked.clear()
    at = text.index("# %%% [^c30.1]")
    checker.update(document.edit(Span(at, at + 1), ""))
    assert every_family.checked == ["c30"]

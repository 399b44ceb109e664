"""MSG103: two things with one id."""

import re

import pytest

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.rules.fixing import fixes_of
from msgls.rules.registry import BY_CODE
from tests.rules.support import (
    absolute,
    expect,
    expect_fix,
    expect_follows,
    expect_nothing,
    find,
    fixes,
)
from tests.snapshots import snapshot_of

CODE = "MSG103"

HIDDEN = "# %% A[^q1]\n\n[^q1]: [markdown] history=none x=1 virtual=1\n\n"
Q1 = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\n"
ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n"
CALL = '# %%% C[^a1.9f]\n\n[^a1.9f]: [tool] name="x"\n\n<x/>\n\n'
CODE_TURN = "# %% [^c1]\n[^c1]: [code]\n\n# %%% [^c1.1]\n[^c1.1]: [py]\n\n"
RESULT = '# %%% R[^a1.9f.1]\n\n[^a1.9f.1]: [tool] status="success"\n\n'


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (Q1 + "# %% Q[^«q1»]\n\n[^q1]: [markdown]\n", ["the id `q1` is taken by an earlier cell"]),
        # Each but the first.
        (Q1 + "# %% [^«q1»]\r\n\r\n# %%% 見😀[^«q1»]\r\n", []),
        (Q1 + "text\n\n«[^q1]: [raw]»\n", ["`q1` has a definition already"]),
        # The later one is reported, even where it is the one at home.
        ("# %% Q[^q0]\n\n[^q0]: [raw]\n\n[^q1]: [raw]\n\n# %% Q[^q1]\n\n«[^q1]: [markdown]»\n", []),
        (Q1 + "see[^q1]\n\n«[^q1]: a note»\n", ["this footnote has the id of the cell `q1`"]),
        (Q1 + "«[^q1]: [half a=1»\n", ["this footnote has the id of the cell `q1`"]),
        # The children of the second one are not reported again.
        (ANSWER + CALL + RESULT + ANSWER.replace("[^a1]\n", "[^«a1»]\n", 1) + CALL + RESULT, []),
        # The same call twice below one answer is.
        (ANSWER + CALL + CALL.replace("[^a1.9f]\n", "[^«a1.9f»]\n", 1), []),
        # A message and an answer share no id either.
        (Q1 + "# %%% A[^«q1»]\n\n[^q1]: [gpt]\n", []),
        # Half-written.
        (Q1 + "# %% [^«q1»]", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        Q1 + ANSWER + CALL + RESULT,
        # Numbers that are there twice are MSG304's and MSG407's.
        ANSWER + CALL + RESULT + RESULT,
        CODE_TURN + "# %%% [^c1.1]\n[^c1.1]: [py]\n",
        # Two definitions of no cell are MSG102's; two footnotes are Markdown's.
        Q1 + "[^x]: [gpt]\n[^x]: [gpt]\n",
        Q1 + "[^1]: a\n[^1]: b\n",
        # The only definition is prose: MSG108.
        "# %% [^q1]\n\n[^q1]: a note\n",
        Q1 + "```\n# %% Q[^q1]\n\n[^q1]: [markdown]\n```\n",
        Q1 + "\\[^q1]: [markdown]\n",
        # What stands before the first cell is nobody's business.
        "[^q1]: a note\n[^q1]: [markdown]\n\n" + Q1,
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_earlier_one_is_related() -> None:
    source = Q1 + "# %% Q[^q1]\n\n[^q1]: [markdown]\n\n[^q1]: [raw]\n"
    document, problems = find(CODE, source)
    places = [
        (absolute(document, problem).start, related.span.of(document.cell(related.label).cell.text))
        for problem in problems
        for related in problem.related
    ]
    assert places == [
        (source.index("q1", len(Q1)), "q1"),
        (source.rindex("[^q1]"), "[^q1]: [markdown]"),
    ]


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (Q1 + Q1, Q1 + "# %% Q[^q2]\n\n[^q2]: [markdown]\n\n"),
        # The next free one: neither a header nor a definition nor a reference has it.
        (Q1 + Q1 + "see[^q2]\n", Q1 + "# %% Q[^q3]\n\n[^q3]: [markdown]\n\nsee[^q2]\n"),
        ("# %% [^intro]\n\n# %% [^intro]\n", "# %% [^intro]\n\n# %% [^intro2]\n"),
        ("# %% [^q09]\n\n# %% [^q09]\n", "# %% [^q09]\n\n# %% [^q10]\n"),
        # All definitions at the end: the second one goes with the second cell.
        (
            "# %% A[^q1]\n\n# %% B[^q1]\n\nx\n\n[^q1]: [raw]\n[^q1]: [code]\n",
            "# %% A[^q1]\n\n# %% B[^q2]\n\nx\n\n[^q1]: [raw]\n[^q2]: [code]\n",
        ),
        # The only definition stays with the first one, and the second gets its like.
        (Q1 + "# %% B[^q1]\n", Q1 + "# %% B[^q2]\n\n[^q2]: [markdown]\n"),
        # It hides the second one, too; other attributes are the first one's own.
        (
            HIDDEN + "# %% B[^q1]\n",
            HIDDEN + "# %% B[^q2]\n\n[^q2]: [markdown] history=none virtual=1\n",
        ),
        # What belongs to the second cell follows, up to the third.
        (CODE_TURN * 3, CODE_TURN + CODE_TURN.replace("c1", "c2") + CODE_TURN),
        # A result stays with its call.
        (ANSWER + CALL + ANSWER + RESULT, ANSWER + CALL + ANSWER.replace("a1", "a2") + RESULT),
        # References in the second cell go with it.
        (Q1 + Q1 + "above[^q1]\n", Q1 + "# %% Q[^q2]\n\n[^q2]: [markdown]\n\nabove[^q2]\n"),
        # A footnote, with the references of its cell.
        (Q1 + "see[^q1]\n\n[^q1]: a note\n", Q1 + "see[^q2]\n\n[^q2]: a note\n"),
        # Of two definitions, the one that does not count goes.
        (Q1 + "text\n\n[^q1]: [raw]\n", Q1 + "text\n\n"),
        ("# %% [^q0]\n\n[^q1]: [raw]\n\n" + Q1, "# %% [^q0]\n\n\n" + Q1),
    ],
)
def test_fixes(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)


def test_a_call_that_stays_with_its_twin_gets_a_new_nonce() -> None:
    ((_, safe, fixed),) = fixes(CODE, ANSWER + CALL + RESULT + ANSWER + CALL + RESULT)
    second = fixed.removeprefix(ANSWER + CALL + RESULT)
    nonce = re.findall(r"C\[\^a2\.([0-9a-f]{8})\]", second)[0]
    assert second == (ANSWER + CALL + RESULT).replace("a1", "a2").replace("9f", nonce)
    assert not safe
    for code in (CODE, "MSG303", "MSG301", "MSG302", "MSG304"):
        expect_nothing(code, fixed)


def test_the_same_call_twice_gets_a_new_nonce() -> None:
    ((_, _, fixed),) = fixes(CODE, ANSWER + CALL + CALL + RESULT)
    assert fixed.startswith(ANSWER + CALL)
    assert re.search(r"R\[\^a1\.([0-9a-f]{8})\.1\]\n\n\[\^a1\.\1\.1\]: \[tool\]", fixed)
    expect_nothing(CODE, fixed)


def test_it_follows_other_cells() -> None:
    source = Q1 + "# %% B[^q2]\n\n[^q2]: [raw]\n\nsee\n"
    assert expect_follows(
        CODE,
        source,
        ("see", "[^q1]: a note"),
        ("[^q1]: a note", "[^q1]: [raw]"),
        ("# %% Q", "# %% A longer title"),
        ("# %% B[^q2]", "# %% B[^q1]"),
        ("\n\n[^q1]: [markdown]", "\n\ntyped in between\n\n[^q1]: [markdown]"),
        ("[^q1]: [raw]", ""),
    ) == [0, 1, 1, 1, 1, 1, 1]


def test_a_cell_that_shared_a_definition_gets_its_own() -> None:
    first = "# %% A[^q]\n\n[^q]: [raw]\n\nx\n\n"
    expect_fix(
        CODE, first + "# %% B[^q]\n\ny\n", first + "# %% B[^q2]\n\n[^q2]: [raw]\n\ny\n", safe=False
    )


MERGE = "<<<<<<< a\n# %% A[^q]\n\nx\n\n=======\n# %% B[^q]\n\ny\n\n>>>>>>> b\n"


def test_the_two_sides_of_a_merge_are_none() -> None:
    expect_nothing(CODE, MERGE)
    expect(CODE, MERGE + "\n# %% C[^«q»]\n")
    expect(CODE, "<<<<<<< a\n# %% A[^q]\n\n# %% A[^«q»]\n\n=======\n>>>>>>> b\n")


def test_it_follows_a_merge() -> None:
    edits = ("=======\n", ""), ("# %% B", "=======\n# %% B"), (">>>>>>> b", "")
    assert expect_follows(CODE, MERGE, *edits) == [0, 1, 0, 1]


def test_hundreds_of_twins_are_fixed_without_looking_at_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document, problems = find(CODE, "# %% A[^q]\n\nx\n\n" * 300)
    looked_at: list[int] = []
    real = Document.cell

    def cell(self: Document, label: int) -> Placed:
        looked_at.append(label)
        return real(self, label)

    monkeypatch.setattr(Document, "cell", cell)
    for problem in problems:
        assert fixes_of(snapshot_of(document), problem, BY_CODE[CODE])
    assert len(looked_at) < 20 * len(problems)

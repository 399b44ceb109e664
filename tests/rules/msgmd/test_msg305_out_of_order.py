"""MSG305: a child before its parent."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG305"

QUESTION = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nhello\n\n"
ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\nyes\n\n"
CALL = '# %%% C[^a1.9f]\n\n[^a1.9f]: [tool] name="x"\n\n<x/>\n\n'
CODE_CELL = "# %% C[^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n"
RUN = "# %%% O[^c1.1]\n\n[^c1.1]: [python] status=success\n\nstdout> 1\n\n"


def result(number: int = 1) -> str:
    """A result of the call."""
    cell_id = f"a1.9f.{number}"
    return f"# %%% R[^{cell_id}]\n\n[^{cell_id}]: [tool] status=success\n\ndone {number}\n\n"


def marked(cell: str, cell_id: str) -> str:
    """The cell with its id marked in the header."""
    return cell.replace(f"{cell_id}]", f"«{cell_id}»]", 1)


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        (marked(CALL, "a1.9f") + ANSWER, ["tool call `a1.9f` comes before its answer `a1`"]),
        (
            ANSWER + marked(result(), "a1.9f.1") + CALL,
            ["tool result `a1.9f.1` comes before its call `a1.9f`"],
        ),
        (marked(RUN, "c1.1") + CODE_CELL, ["execution output `c1.1` comes before its code `c1`"]),
        # Each of a chain.
        (marked(result(), "a1.9f.1") + marked(CALL, "a1.9f") + ANSWER, []),
        # Wide characters, CRLF, a parent without an end.
        ("# %%% 見😀[^«a1.9f»]\r\n[^a1.9f]: [tool]\r\n\r\n# %%% [^a1]", []),
    ],
)
def test_found(source: str, messages: list[str]) -> None:
    expect(CODE, source, *messages)


@pytest.mark.parametrize(
    "source",
    [
        ANSWER + CALL + result(),
        CODE_CELL + RUN,
        # There is a parent before it, too.
        ANSWER + CALL + result() + ANSWER + CALL,
        # No parent at all: MSG301, MSG302, MSG404.
        CALL,
        result(),
        RUN,
        # Not a parent of that kind.
        CALL + "# %% [^a1]\n[^a1]: [markdown]\n",
        RUN + "# %% [^c1]\n[^c1]: [markdown]\n",
        "```\n" + CALL + "```\n" + ANSWER,
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "other"),
    [(CALL + ANSWER, "MSG301"), (ANSWER + result() + CALL, "MSG302"), (RUN + CODE_CELL, "MSG404")],
)
def test_no_other_rule_says_it_too(source: str, other: str) -> None:
    expect_nothing(other, source)


def test_the_parent_is_related() -> None:
    document, (problem,) = find(CODE, CALL + ANSWER)
    (related,) = problem.related
    cell = document.cell(related.label).cell
    assert (cell.id, related.span.of(cell.text)) == ("a1", "a1")


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (QUESTION + CALL + ANSWER, QUESTION + ANSWER + CALL[:-1]),
        # Set apart on either side.
        (CALL + ANSWER.rstrip("\n"), ANSWER + CALL[:-1]),
        (CALL + ANSWER[:-1] + QUESTION, ANSWER + CALL + QUESTION),
        (RUN + CODE_CELL + QUESTION, CODE_CELL + RUN + QUESTION),
        # After what is there already, in the order of the numbers.
        (
            ANSWER + result(2) + CALL + result(1) + QUESTION,
            ANSWER + CALL + result(1) + result(2) + QUESTION,
        ),
        (
            ANSWER + result(1) + CALL + result(2) + QUESTION,
            ANSWER + CALL + result(1) + result(2) + QUESTION,
        ),
        # What belongs to it and stands before the parent goes along, in its order.
        (
            CALL + QUESTION + result(1) + ANSWER + result(2),
            QUESTION + ANSWER + CALL + result(1) + result(2),
        ),
        # A byte-order mark stays where it is.
        ("\ufeff" + CALL + ANSWER, "\ufeff" + ANSWER + CALL[:-1]),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_it_moves_after_its_parent(source: str, fixed: str, newline: str) -> None:
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    expect_fix(CODE, source, fixed, safe=False)
    expect_nothing("MSG304", fixed)


def test_it_is_not_moved_into_an_open_fence() -> None:
    assert fixes(CODE, CALL + "# %%% [^a1]\n[^a1]: [gpt]\n\n```\nx\n") == []


def test_it_follows_other_cells() -> None:
    source = CALL + ANSWER
    assert expect_follows(
        CODE,
        source,
        ("# %%% A[^a1]", "# %%% A longer title[^a1]"),
        ("[^a1]\n", "[^a2]\n"),
        ("[^a2]\n", "[^a1]\n"),
        ("# %%% C", "# %%% [^a1]\n\n# %%% C"),
    ) == [1, 1, 0, 1, 0]

"""MSG301: a tool call without an answer."""

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG301"

ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n"
CALL = '# %%% C[^a2.9f]\n\n[^a2.9f]: [tool] name="x"\n\n<x/>\n\n'
RESULT = '# %%% R[^a2.9f.1]\n\n[^a2.9f.1]: [tool] status="success"\n'


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (
            ANSWER + CALL.replace("a2.9f]\n", "«a2.9f»]\n", 1),
            ["tool call `a2.9f` has no answer: there is no cell `a2` in this file"],
        ),
        (
            "# %% [^a2]\n\n[^a2]: [markdown]\n\n# %%% [^«a2.9f»]\n[^a2.9f]: [tool]\n",
            ["tool call `a2.9f` has no answer: `a2` is a message"],
        ),
        ("# %%% 見😀[^«a2.9f»]\r\n\r\n[^a2.9f]: [tool]\r\n", []),
        # The definition stands elsewhere.
        ("# %%% [^«a2.9f»]\n\nx\n\n# %% [^q1]\n[^q1]: [raw]\n\n[^a2.9f]: [tool]", []),
        # Both of two.
        ("# %%% [^«a2.9f»]\n[^a2.9f]: [tool]\n\n# %%% [^«a2.8e»]\n[^a2.8e]: [tool]", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        ANSWER + CALL.replace("a2", "a1"),
        # Later: MSG305. An answer without a definition is one anyway.
        CALL.replace("a2", "a1") + ANSWER,
        "# %%% [^a2]\n\n" + CALL,
        # Other cells, and ids that are MSG111's.
        RESULT,
        "# %%% [^a2.9f]\n\n[^a2.9f]: [python]\n",
        "# %%% [^a2.9f]\n",
        "# %%% [^a2]\n\n[^a2]: [tool]\n",
        "# %%% [^a2.]\n\n[^a2.]: [tool]\n",
        "# %% [^a2.9f]\n\n[^a2.9f]: [tool]\n",
        "```\n" + CALL + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_message_is_related() -> None:
    source = "# %% Q[^a2]\n\n[^a2]: [markdown]\n\n" + CALL
    document, (problem,) = find(CODE, source)
    (related,) = problem.related
    cell = document.cell(related.label).cell
    assert (cell.id, related.span.of(cell.text)) == ("a2", "a2")


def test_the_results_follow_to_the_answer_that_was_meant() -> None:
    expect_fix(
        CODE,
        ANSWER + CALL + RESULT,
        ANSWER + (CALL + RESULT).replace("a2", "a1"),
        safe=False,
        name="Change to the answer `a1`",
    )


def test_only_answers_before_it_are_offered_and_the_nearest_first() -> None:
    answers = [ANSWER.replace("a1", f"a{n}") for n in (3, 4, 5)]
    source = answers[0] + answers[1] + "# %% [^a6]\n\n" + CALL + answers[2]
    titles = [title for title, _, _ in fixes(CODE, source)]
    assert titles == ["Change to the answer `a4`", "Change to the answer `a3`"]


def test_a_call_that_is_there_already_is_not_offered() -> None:
    assert fixes(CODE, ANSWER + CALL.replace("a2", "a1") + CALL) == []


def test_it_follows_the_answers() -> None:
    source = ANSWER + CALL
    assert expect_follows(
        CODE,
        source,
        ("# %%% A[^a1]", "# %%% A[^a2]"),
        ("# %%% A[^a2]", "# %% A[^a2]"),
        ("# %% A", "# %% A longer title"),
        ("[^a2.9f]: [tool]", "[^a2.9f]: [python]"),
    ) == [1, 0, 1, 1, 0]

"""MSG302: a result whose nonce no call has."""

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG302"

ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n"
CALL = '# %%% C[^a1.9f3d]\n\n[^a1.9f3d]: [tool] name="x"\n\n<x/>\n\n'
RESULT = '# %%% R[^a1.9f3c.1]\n\n[^a1.9f3c.1]: [tool] status="success"\n'
MARKED = RESULT.replace("a1.9f3c.1]\n", "«a1.9f3c.1»]\n", 1)


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (
            ANSWER + CALL + MARKED,
            ["tool result `a1.9f3c.1` does not match a call: `a1` has the nonce `9f3d`"],
        ),
        (
            ANSWER + CALL + CALL.replace("9f3d", "0000") + MARKED,
            ["tool result `a1.9f3c.1` does not match a call: `a1` has the nonces `9f3d`, `0000`"],
        ),
        (ANSWER + MARKED, ["tool result `a1.9f3c.1` does not match a call: `a1` has no calls"]),
        (
            "# %% [^a1]\n\n[^a1]: [raw]\n\n" + MARKED,
            ["tool result `a1.9f3c.1` does not match a call: `a1` has no calls"],
        ),
        # Neither the call nor the answer is there: that is this rule's too.
        (
            MARKED,
            [("tool result `a1.9f3c.1` does not match a call: there is no cell `a1` in this file")],
        ),
        # A run is not a call.
        (ANSWER + "# %%% [^a1.9f3c]\n\n[^a1.9f3c]: [python]\n\n" + MARKED, []),
        ("# %%% 見😀[^«a1.9f3c.1»]\r\n\r\n[^a1.9f3c.1]: [tool]\r\n", []),
    ],
)
def test_found_on_the_id(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


def test_the_calls_are_related() -> None:
    source = ANSWER + CALL + CALL.replace("9f3d", "0000") + RESULT
    document, (problem,) = find(CODE, source)
    places = [r.span.shift(document.cell(r.label).start_offset).of(source) for r in problem.related]
    assert places == ["a1.9f3d", "a1.0000"]


@pytest.mark.parametrize(
    "source",
    [
        ANSWER + CALL + RESULT.replace("9f3c", "9f3d"),
        # The call comes later: MSG305. The call is an orphan: MSG301.
        ANSWER + RESULT + "\n" + CALL.replace("9f3d", "9f3c"),
        CALL.replace("9f3d", "9f3c") + RESULT,
        # What the call is, nobody knows: MSG101. It is an answer: MSG111.
        ANSWER + "# %%% [^a1.9f3c]\n\n" + RESULT,
        ANSWER + "# %%% [^a1.9f3c]\n\n[^a1.9f3c]: [nobody]\n\n" + RESULT,
        # Not a tool.
        ANSWER + CALL + "# %%% R[^a1.9f3c.1]\n\n[^a1.9f3c.1]: [gpt]\n",
        # The id is MSG111's.
        ANSWER + CALL + "# %%% R[^a1..1]\n\n[^a1..1]: [tool]\n",
        # In a fence.
        ANSWER + CALL + "```\n" + RESULT + "```\n",
        ANSWER + CALL + "# %%% R[^a1.9f3c.1",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_fix_takes_the_nonce_that_exists() -> None:
    expect_fix(
        CODE,
        ANSWER + CALL + RESULT,
        ANSWER + CALL + RESULT.replace("9f3c", "9f3d"),
        safe=False,
        name="Change the nonce to `9f3d`",
    )


def test_a_number_that_is_taken_is_counted_on() -> None:
    before = ANSWER + CALL + RESULT.replace("9f3c", "9f3d") + "\n"
    fixed = RESULT.replace("9f3c.1", "9f3d.2")
    expect_fix(CODE, before + RESULT, before + fixed, safe=False)
    expect_nothing("MSG304", before + fixed)


def test_a_call_of_another_answer_with_that_very_nonce_is_offered() -> None:
    source = ANSWER + CALL + ANSWER.replace("a1", "a2") + RESULT.replace("a1.9f3c", "a2.9f3d")
    fixed = ANSWER + CALL + ANSWER.replace("a1", "a2") + RESULT.replace("9f3c", "9f3d")
    assert fixes(CODE, source) == [("Make it a result of the call `a1.9f3d`", False, fixed)]


def test_it_follows_the_calls() -> None:
    source = ANSWER + CALL + RESULT
    assert expect_follows(
        CODE,
        source,
        ("C[^a1.9f3d]", "C[^a1.9f3c]"),
        ("[^a1.9f3d]: [tool]", "[^a1.9f3c]: [tool]"),
        ("[^a1.9f3c]: [tool]", "[^a1.9f3c]: [python]"),
        ("# %%% C", "# %%% A longer title"),
        ("[^a1.9f3c]: [python]", "[^a1.9f3c]: [tool]"),
        ("A[^a1]", "A[^a2]"),
        ("[^a1.9f3c]\n", "[^a1.0000]\n"),
        ("# %%% R", "# %%% 😀"),
    ) == [1, 0, 0, 1, 1, 0, 0, 1, 1]

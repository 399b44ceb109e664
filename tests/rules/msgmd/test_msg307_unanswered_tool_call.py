"""MSG307: a call without a result in a turn that is over."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "MSG307"

ANSWER = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\nyes\n\n"
CALL = '# %%% C[^a1.9f]\n\n[^a1.9f]: [tool] name="x"\n\n<x/>\n\n'
RESULT = '# %%% [^a1.9f.1]\n\n[^a1.9f.1]: [tool] status="failure"\n\n'
QUESTION = "# %% Q[^q2]\n\n[^q2]: [markdown]\n\nhello\n"


@pytest.mark.parametrize(
    "marked",
    [
        ANSWER + CALL.replace("a1.9f]", "«a1.9f»]", 1) + QUESTION,
        # Only one of two has a result.
        ANSWER
        + CALL
        + RESULT
        + CALL.replace("9f", "8e").replace("a1.8e]", "«a1.8e»]", 1)
        + QUESTION,
        # The next message has no definition, no id.
        ANSWER + CALL.replace("a1.9f]", "«a1.9f»]", 1) + "# %%",
        (ANSWER + CALL.replace("# %%% C", "# %%% 見😀").replace("a1.9f]", "«a1.9f»]", 1)).replace(
            "\n", "\r\n"
        )
        + QUESTION,
    ],
)
def test_found(marked: str) -> None:
    expect(CODE, marked)


def test_the_message() -> None:
    expect(
        CODE,
        ANSWER + CALL.replace("a1.9f]", "«a1.9f»]", 1) + QUESTION,
        "tool call `a1.9f` has no result, but the conversation continues",
    )


@pytest.mark.parametrize(
    "source",
    [
        # The last turn.
        ANSWER + CALL,
        QUESTION + ANSWER + CALL,
        QUESTION + ANSWER + CALL + "# %%% [^a2]\n\n[^a2]: [gpt]\n",
        ANSWER + CALL + RESULT + QUESTION,
        # A result anyway, though its number or its place is wrong.
        ANSWER + CALL + RESULT.replace("9f.1", "9f.x") + QUESTION,
        ANSWER + RESULT + CALL + QUESTION,
        # What it is, nobody knows; or it has lost its header.
        ANSWER + CALL + "# %%% [^a1.9f.1]\n\n" + QUESTION,
        ANSWER + CALL + "# %%% lost\n\n[^a1.9f.1]: [tool]\n\n" + QUESTION,
        # An orphan is MSG301's.
        CALL + QUESTION,
        # No call.
        ANSWER + "# %%% [^a1.9f]\n[^a1.9f]: [python]\n\n" + QUESTION,
        ANSWER + CALL + "```\n" + QUESTION + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@each("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (ANSWER + CALL + QUESTION, ANSWER + CALL + RESULT + QUESTION),
        (ANSWER + CALL[:-1] + QUESTION, ANSWER + CALL + RESULT + QUESTION),
        (
            ANSWER + "##" + CALL[1:] + QUESTION,
            ANSWER + "##" + CALL[1:] + "##" + RESULT[1:] + QUESTION,
        ),
    ],
)
def test_a_result_is_inserted(source: str, fixed: str, newline: str) -> None:
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    expect_fix(CODE, source, fixed, safe=False, name="Insert the result `a1.9f.1`")


def test_it_follows_the_last_turn() -> None:
    source = ANSWER + CALL + QUESTION
    assert expect_follows(
        CODE,
        source,
        ("# %% Q", "# %%% Q"),
        ("# %%% Q", "# %% Q"),
        (QUESTION, ""),
        ("<x/>\n", "<x/>\n\n# %% "),
        ("# %% ", "```\n# %% "),
    ) == [1, 0, 1, 0, 1, 0]


def test_it_follows_to_the_very_end_and_back() -> None:
    source = ANSWER + CALL + QUESTION
    assert expect_follows(CODE, source, (source, ""), ("", source), (ANSWER, "")) == [1, 0, 1, 0]

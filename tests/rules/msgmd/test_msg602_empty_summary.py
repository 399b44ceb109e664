"""MSG602: a summary that says nothing."""

import pytest

from tests.rules.support import expect, expect_nothing

CODE = "MSG602"
EMPTY = "the summary is empty, so the model sees the first paragraph instead"
NONE = "there is nothing to summarize: neither a `summary` nor a first paragraph"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ('# %% Q[^q]\n\n[^q]: [markdown] history=summary summary=«""»\n\nWords.\n', EMPTY),
        ("# %%% 🙂猫[^q]\r\n\r\n[^q]: [x] history=summary summary=«' '»\r\n\r\nWords.\r\n", EMPTY),
        ("# %% Q[^q]\n\n[^q]: [markdown] «history=summary»\n\n  \n", NONE),
        ('# %% Q[^q]\n\n[^q]: [markdown] «history="summary"»', NONE),
        # The definition stands elsewhere.
        ('# %% Q[^q]\n\nWords.\n\n# %% R\n\n[^q]: [raw] history=summary summary=«""»\n', EMPTY),
    ],
)
def test_a_missing_summary_is_found(marked: str, message: str) -> None:
    expect(CODE, marked, message)


@pytest.mark.parametrize(
    "line",
    [
        '[markdown] history=summary summary="s"',
        "[markdown] history=summary",
        '[markdown] history=exclude summary=""',
        '[markdown] summary=""',
        # Half-written: MSG205 has those.
        "[markdown] history=summary summary=",
        '[markdown] history=summary summary="',
        "[markdown] history=summar",
    ],
)
def test_nothing_is_found(line: str) -> None:
    expect_nothing(CODE, f"# %% Q[^q]\n\n[^q]: {line}\n\nWords.\n")

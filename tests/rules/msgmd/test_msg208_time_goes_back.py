"""MSG208: an output that is older than the one before it."""

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing, find

CODE = "MSG208"
DAY = "2025-05-30T"


def answer(cell_id: str, time: str) -> str:
    return f"# %%% A[^{cell_id}]\n\n[^{cell_id}]: [gpt] time={time}\n\n"


QUESTION = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\n"
NINE = answer("a1", f'"{DAY}09:00:00Z"')
TEN = answer("a2", f'"{DAY}10:00:00Z"')


@pytest.mark.parametrize(
    "source",
    [
        TEN + answer("a3", f'"«{DAY}09:59:59Z»"'),
        # Instants are compared: nine in the west is later than ten in the east.
        answer("a3", f"{DAY}09:00:00-01:00") + answer("a4", f"'«{DAY}09:59:59.5Z»'"),
        # What has no time, or none that can be read, stands between and does not count.
        TEN + QUESTION + answer("x", "soon") + answer("a3", f"«{DAY}09:00:00Z»"),
        # Each with the nearest: the third is older than the second, and not than the first.
        NINE + TEN + answer("a3", f"«{DAY}09:30:00Z»") + answer("a4", f"{DAY}09:40:00Z"),
        TEN.replace("# %%% A", "# %%% 🙂 文").replace("\n", "\r\n")
        + answer("文", f"«{DAY}09:00:00Z»").replace("\n", "\r\n"),
        # All definitions at the end.
        (
            "# %%% A[^a]\n\n# %%% B[^b]\n\n# %%% C[^c]\n\n"
            f"[^a]: [gpt] time={DAY}10:00:00Z\n[^b]: [gpt] time=«{DAY}09:00:00Z»\n"
            f"[^c]: [gpt] time={DAY}09:30:00Z\n"
        ),
        # A tool's results and runs have times, too.
        TEN + f'# %%% R[^c1.1]\n\n[^c1.1]: [python] status=success time="«{DAY}09:00:00Z»"\n',
    ],
)
def test_a_time_that_goes_back_is_found(source: str) -> None:
    expect(CODE, source)


def test_it_says_both_times_and_points_at_the_other() -> None:
    source = TEN + QUESTION + answer("a3", f"«{DAY}09:00:00Z»")
    expect(
        CODE,
        source,
        f"`a3` is older than the output before it: `{DAY}09:00:00Z` is before `{DAY}10:00:00Z`",
    )
    text = source.replace("«", "").replace("»", "")
    document, (problem,) = find(CODE, text)
    (related,) = problem.related
    span = related.span.shift(document.cell(related.label).start_offset)
    assert span.of(text) == f"{DAY}10:00:00Z"


@pytest.mark.parametrize(
    "source",
    [
        NINE + TEN,
        NINE + answer("a3", f"{DAY}09:00:00Z"),
        answer("a3", f"{DAY}10:00:00+02:00") + answer("a4", f"{DAY}09:00:00Z"),
        # Without an offset there is nothing to compare.
        TEN + answer("a3", f"{DAY}09:00:00"),
        # A message's time, a definition of no cell, a word in a value.
        f"# %% Q[^q]\n\n[^q]: [raw] time={DAY}10:00:00Z\n\n" + NINE,
        f"# %%% A[^a]\n\n[^a]: [gpt]\n\n[^b]: [gpt] time={DAY}10:00:00Z\n\n" + NINE,
        TEN + f'# %%% B[^b]\n\n[^b]: [gpt] summary="at time={DAY}09:00:00Z or so"\n',
        # At the end in another order than their cells.
        (
            "# %%% A[^a]\n\n# %%% B[^b]\n\n"
            f"[^b]: [gpt] time={DAY}10:00:00Z\n[^a]: [gpt] time={DAY}09:00:00Z\n"
        ),
        # Half-written, fenced.
        TEN + "# %%% B[^b]\n\n[^b]: [gpt] time=",
        TEN + f'# %%% B[^b]\n\n[^b]: [gpt] time="{DAY}09:',
        TEN + "```\n" + NINE + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_it_follows_the_cell_before() -> None:
    source = NINE + QUESTION + TEN + answer("x", "soon") + answer("a3", f"{DAY}11:00:00Z")
    counts = expect_follows(
        CODE,
        source,
        ("T10:", "T12:"),
        ("# %%% A[^a2]", "# %% A[^a2]"),
        ("# %% A[^a2]", "# %%% A[^a2]"),
        ("T12:", "T08:"),
        ("[^a1]\n", "[^b]\n"),
        ("[^b]\n", "[^a1]\n"),
        ("soon", f"{DAY}23:00:00Z"),
        ("[^x]: [gpt]", "[^x] [gpt]"),
        (NINE, ""),
        (QUESTION, answer("late", f"{DAY}20:00:00Z")),
    )
    assert counts == [0, 1, 0, 1, 1, 0, 1, 2, 1, 0, 1]


def test_it_follows_definitions_at_the_end() -> None:
    source = (
        "# %%% A[^a]\n\n# %%% B[^b]\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n"
        f"[^a]: [gpt] time={DAY}10:00:00Z\n\n# %% R[^r]\n\n[^r]: [raw]\n\n"
        f"[^b]: [gpt] time={DAY}09:00:00Z\n"
    )
    counts = expect_follows(
        CODE,
        source,
        ("[^a]\n", "[^x]\n"),
        ("[^x]\n", "[^a]\n"),
        ("# %%% B[^b]\n", f"# %%% B[^b]\n\n[^b]: [gpt] time={DAY}11:00:00Z\n"),
        ("# %% Q", "Words\n\n# %% Q"),
    )
    assert counts == [1, 0, 1, 0, 0]

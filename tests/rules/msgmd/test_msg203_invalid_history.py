"""MSG203: a `history` that means nothing."""

import pytest

from msgls.formats.values import HISTORY_VALUES
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG203"


def answer(rest: str) -> str:
    return f"# %%% A[^a1]\n\n[^a1]: [gpt] {rest}\n"


@pytest.mark.parametrize(
    "source",
    [
        answer('history="«hidden»"'),
        answer("history=«2» time=x"),
        answer("history='«Exclude»'"),
        answer('history=«""»'),
        answer("history = «no»"),
        answer("[history=«no»]"),
        # Of two, the last one counts.
        answer("history=x history=«y»"),
        # On any cell.
        "# %% 问 🙂[^q]\r\n\r\n[^q]: [markdown] summary='🙂' history=«maybe»\r\n",
        '# %%% C[^a.n]\n\n[^a.n]: [tool] name="x" history=«maybe»\n',
        "# %%% A[^a]\n\nText\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a]: [gpt] history=«maybe»\n",
    ],
)
def test_another_value_is_found(source: str) -> None:
    expect(CODE, source)


def test_it_says_the_value() -> None:
    expect(
        CODE,
        answer('history="«hidden»"'),
        "invalid value `hidden` for `history`: use `include`, `exclude` or `summary`",
    )
    expect(
        CODE, answer('history=«""»'), "`history` is empty: use `include`, `exclude` or `summary`"
    )


@pytest.mark.parametrize("value", HISTORY_VALUES)
def test_each_value_that_means_something_is_fine(value: str) -> None:
    expect_nothing(CODE, answer(f'history="{value}"'))
    expect_nothing(CODE, answer(f"history={value}"))


@pytest.mark.parametrize(
    "source",
    [
        answer("histroy=2"),
        answer("history=x history=1"),
        # Half-written: what is not there is another rule's business.
        answer("history="),
        answer("history"),
        answer('history="exclu'),
        # No definition of a cell.
        "[^a1]: [gpt] history=2\n",
        "# %%% A[^a1]\n\n[^a1]: see history=2\n",
        "# %%% A[^a1]\n\n```\n[^a1]: [gpt] history=2\n```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_there_is_a_fix_for_each_meaning(quote: str) -> None:
    ways = fixes(CODE, answer(f"history={quote}x{quote} reasoning=1"))
    assert [after for _, _, after in ways] == [
        answer(f"history={quote}{value}{quote} reasoning=1")
        for value in ("exclude", "include", "summary")
    ]
    assert not any(safe for _, safe, _ in ways)


@pytest.mark.parametrize(
    ("written", "likely"),
    [
        ("EXCLUDE", "exclude"),
        ("sumary", "summary"),
        ("hidden", "exclude"),
        ("True", "true"),
        ("never", "exclude"),
    ],
)
def test_the_likeliest_value_comes_first(written: str, likely: str) -> None:
    source, fixed = answer(f"history={written}"), answer(f"history={likely}")
    expect_fix(CODE, source, fixed, safe=False, name=f"Change to `{likely}`")
    assert fixes(CODE, source)[0][2] == fixed


def test_it_follows_a_definition_that_stands_elsewhere() -> None:
    source = "# %%% A[^a]\n\nText\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a]: [gpt] history=1\n"
    counts = expect_follows(
        CODE,
        source,
        ("history=1", "history=12"),
        ("[^a]\n", "[^b]\n"),
        ("[^b]\n", "[^a]\n"),
        ("\n\nText", "\n\n[^a]: [gpt]\n\nText"),
    )
    assert counts == [0, 1, 0, 1, 0]

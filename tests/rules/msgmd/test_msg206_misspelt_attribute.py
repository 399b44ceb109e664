"""MSG206: a key that is nearly a known one."""

import pytest

from msgls.rules.base import Severity
from msgls.rules.registry import BY_CODE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG206"


def answer(rest: str) -> str:
    return f"# %%% A[^a1]\n\n[^a1]: [gpt] {rest}\n"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("histroy", "history"),
        ("History", "history"),
        ("sumary", "summary"),
        ("tiem", "time"),
        ("rol", "role"),
        ("statsu", "status"),
        ("mimetype", "mime_type"),
        ("output-file", "output_file"),
        ("reasonning", "reasoning"),
        ("virtul", "virtual"),
        ("rest", "reset"),
        ("names", "name"),
    ],
)
def test_a_slip_is_found(written: str, meant: str) -> None:
    decides = meant in ("history", "summary", "role", "virtual", "reset")
    text = f"`{written}` has no effect: did you mean `{meant}`?"
    if decides:
        text = text.removesuffix("?") + ", which decides what the model sees?"
    expect(CODE, answer(f"«{written}»=1"), text)
    _, (problem,) = find(CODE, answer(f"{written}=1"))
    assert problem.severity is (Severity.WARNING if decides else None)
    assert BY_CODE[CODE].severity is Severity.HINT
    expect_fix(
        CODE,
        answer(f"{written}=1 x=2"),
        answer(f"{meant}=1 x=2"),
        safe=False,
        name=f"Change to `{meant}`",
    )


@pytest.mark.parametrize(
    "source",
    [
        "# %% 问 🙂[^q]\r\n\r\n[^q]: [markdown] summary='🙂 文' «histroy»=0\r\n",
        "# %%% A[^a]\n\nText\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a]: [gpt] «histroy»=0\n",
        answer("«histroy»=0 «sumary»=x"),
    ],
)
def test_on_any_cell(source: str) -> None:
    expect(CODE, source)


@pytest.mark.parametrize(
    "source",
    [
        answer("history=0 time=x"),
        # Known, if not here.
        answer("status=x mime_type=y role=z"),
        # Someone else's.
        answer("model=opus tokens=12 run=r1 meta='{}' temperature=1 tool=x data-x=y"),
        # Five letters allow one slip, and these are two.
        answer("hstry=1"),
        # Half-written, prose, fenced.
        answer("histroy"),
        "# %%% A[^a1]\n\n[^a1]: see histroy=0\n",
        "# %%% A[^a1]\n\n```\n[^a1]: [gpt] histroy=0\n```\n",
        "[^a1]: [gpt] histroy=0\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_where_the_right_key_is_there_already_nothing_is_renamed() -> None:
    source = answer("histroy=0 history=1")
    expect(CODE, answer("«histroy»=0 history=1"))
    assert fixes(CODE, source) == []


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        (answer("mime=2025-05-30T00:00:00Z"), ["time", "mime_type"]),
        ("# %%% R[^c.1]\n\n[^c.1]: [python] mime=image/png\n", ["mime_type", "time"]),
        ("# %%% C[^a.n]\n\n[^a.n]: [tool] tame=x\n", ["name", "time"]),
    ],
)
def test_the_likelier_of_two_comes_first(source: str, meant: list[str]) -> None:
    assert [name for name, _, _ in fixes(CODE, source)] == [f"Change to `{key}`" for key in meant]


def test_it_follows_a_definition_that_stands_elsewhere() -> None:
    source = "# %%% A[^a]\n\nText\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^a]: [gpt] history=0\n"
    counts = expect_follows(CODE, source, ("history", "histroy"), ("[^a]\n", "[^b]\n"))
    assert counts == [0, 1, 0]

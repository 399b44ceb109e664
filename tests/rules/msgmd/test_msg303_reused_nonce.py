"""MSG303: one nonce, two calls."""

import re

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing, find, fixes

CODE = "MSG303"


def turn(number: int, nonce: str = "9f") -> str:
    """An answer with a call and its result."""
    a = f"a{number}"
    return (
        f"# %%% A[^{a}]\n\n[^{a}]: [gpt]\n\n"
        f'# %%% C[^{a}.{nonce}]\n\n[^{a}.{nonce}]: [tool] name="x"\n\n<x/>\n\n'
        f'# %%% R[^{a}.{nonce}.1]\n\n[^{a}.{nonce}.1]: [tool] status="success"\n\n'
    )


def test_the_later_call_is_found() -> None:
    expect(
        CODE,
        turn(1) + turn(2).replace("C[^a2.9f]", "C[^«a2.9f»]"),
        "the nonce `9f` of `a2.9f` is already used by `a1.9f`",
    )


def test_each_later_one_is_found_and_the_first_is_related() -> None:
    source = turn(1) + turn(2) + turn(3)
    document, problems = find(CODE, source)
    related = [problem.related[0] for problem in problems]
    assert [document.cell(problem.label).cell.id for problem in problems] == ["a2.9f", "a3.9f"]
    assert [document.cell(r.label).cell.id for r in related] == ["a1.9f", "a1.9f"]


@pytest.mark.parametrize(
    "marked",
    [
        "# %%% [^a1.9f]\r\n[^a1.9f]: [tool]\r\n\r\n# %%% 見😀[^«a2.9f»]\r\n[^a2.9f]: [tool]\r\n",
        # Definitions elsewhere.
        "# %%% [^a1.9f]\n\nx\n\n# %%% [^«a2.9f»]\n\nx\n\n[^a1.9f]: [tool]\n[^a2.9f]: [tool]\n",
        # The very same id twice is MSG103's; only the first of them is this rule's.
        turn(1) + turn(2).replace("C[^a2.9f]", "C[^«a2.9f»]") + turn(2),
    ],
)
def test_found(marked: str) -> None:
    expect(CODE, marked)


@pytest.mark.parametrize(
    "source",
    [
        turn(1) + turn(2, "8e"),
        turn(1) + turn(1),
        # Runs are counted from 1 everywhere.
        "# %%% [^c1.1]\n[^c1.1]: [py]\n\n# %%% [^c2.1]\n[^c2.1]: [py]\n",
        "# %%% [^c1.1]\n[^c1.1]: [py]\n\n# %%% [^a2.1]\n[^a2.1]: [tool]\n",
        # A result alone is not a call.
        "# %%% [^a1.9f.1]\n[^a1.9f.1]: [tool]\n\n# %%% [^a2.9f]\n[^a2.9f]: [tool]\n",
        "# %% [^a1.9f]\n[^a1.9f]: [markdown]\n\n# %%% [^a2.9f]\n[^a2.9f]: [tool]\n",
        "# %%% [^a1.]\n[^a1.]: [tool]\n\n# %%% [^a2.]\n[^a2.]: [tool]\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_results_get_the_new_nonce_too() -> None:
    source = turn(1) + turn(2) + "see[^a2.9f]\n"
    ((title, safe, fixed),) = fixes(CODE, source)
    found = re.search(r"C\[\^a2\.([0-9a-f]{8})\]", fixed)
    assert found is not None
    assert fixed == turn(1) + turn(2, found.group(1)) + f"see[^a2.{found.group(1)}]\n"
    assert title == f"Change the nonce to `{found.group(1)}`, in the results too"
    assert not safe
    expect_nothing(CODE, fixed)


def test_it_follows_the_other_call() -> None:
    source = turn(1) + turn(2)
    assert expect_follows(
        CODE,
        source,
        ("[^a1.9f]: [tool]", "[^a1.9f]: [python]"),
        ("[^a1.9f]: [python]", "[^a1.9f]: [tool]"),
        ("# %%% C[^a1.9f]", "# %%% A longer title [^a1.9f]"),
        ("[^a1.9f]\n", "[^a1.8e]\n"),
        ("[^a1.8e]\n", "[^a3.9f]\n"),
        ("[^a1.9f]: [tool]", "[^a3.9f]: [tool]"),
    ) == [1, 0, 1, 1, 0, 0, 1]


def test_a_call_without_its_answer_is_another_rule_s() -> None:
    answer, stray = "# %%% A[^b]\n\n", "# %%% D[^{}c.x{}]\n\n[^c.x]: [tool]\n"
    call = "# %%% C[^b.x]\n\n[^b.x]: [tool]\n\n"
    expect_nothing(CODE, answer + call + stray.format("", ""))
    expect(CODE, call + stray.format("«", "»"))
    edits = ("[^b]\n", "[^d]\n"), ("[^d]\n", "[^b]\n"), ("# %%% D", "# %%% E[^c]\n\n# %%% D")
    assert expect_follows(CODE, answer + call + stray.format("", ""), *edits) == [0, 1, 0, 1]

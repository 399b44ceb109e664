"""MSG107: a header without an id."""

import pytest

from msgls.rules.fixing import fixes_of
from msgls.rules.registry import BY_CODE
from tests.rules.support import expect, expect_fix, expect_nothing, find
from tests.snapshots import snapshot_of

CODE = "MSG107"

AGENTS = "---\ndefault_agent: b\nagents: {a: {models: [x]}, b: {models: [x]}}\n---\n"


@pytest.mark.parametrize(
    "marked",
    [
        "«# %%» A question\n",
        "«# %%»",
        "text\n\n«##\t%%%» 😀\r\n",
        "\ufeff«# %%» A\n",
        # The id is not at the end, escaped, or in code.
        "«# %%» A\\[^q1]\n",
        "«# %%» A `[^q1]`\n",
        # Half-written.
        "«# %%» A[^q1\n",
        "«# %%» A[^\n",
    ],
)
def test_found_on_the_marker(marked: str) -> None:
    expect(CODE, marked, "this cell has no id: add `[^id]` at the end of the header")


@pytest.mark.parametrize(
    "source",
    [
        "# %% A[^q1]\n",
        "# %% [^q1]  \n",
        "# %% [^]\n",
        "text\n",
        "",
        "```\n# %% A\n```\n",
        "#%% A\n",
        # MSG102 says it, and puts the id into the header.
        "# %% A\n\n[^q1]: [code] a=1\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("# %% A\n\ntext\n", "# %% A[^m1]\n\n[^m1]: [markdown]\n\ntext\n"),
        ("# %%\ntext\n", "# %% [^m1]\n\n[^m1]: [markdown]\n\ntext\n"),
        ("# %%", "# %% [^m1]\n\n[^m1]: [markdown]"),
        ("# %% A  \r\ntext\r\n", "# %% A[^m1]\r\n\r\n[^m1]: [markdown]\r\n\r\ntext\r\n"),
        ("# %% A\\\n", "# %% A\\ [^m1]\n\n[^m1]: [markdown]\n"),
        ("# %%% A\n", "# %%% A[^m1]\n\n[^m1]: [assistant]\n"),
        (AGENTS + "# %%% A\n", AGENTS + "# %%% A[^m1]\n\n[^m1]: [b]\n"),
        # The first free one.
        (
            "# %% A\n\n# %% B[^m1]\n\n[^m2]: [markdown]\n",
            "# %% A[^m3]\n\n[^m3]: [markdown]\n\n# %% B[^m1]\n\n[^m2]: [markdown]\n",
        ),
        # A definition without a header waits right below; it is none of MSG102's.
        ("# %% A\n\n[^q1]: [code] a=\n", "# %% A[^q1]\n\n[^q1]: [code] a=\n"),
        (
            "# %% A\n\n[^q1]: [code]\n\n# %% B[^q1]\n",
            "# %% A[^m1]\n\n[^m1]: [markdown]\n\n[^q1]: [code]\n\n# %% B[^q1]\n",
        ),
    ],
)
def test_it_gets_an_id_and_a_definition(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)


def test_ids_follow_the_order_of_the_cells() -> None:
    source = "# %% A\n\n# %% B\n\n[^q1]: [code] a=\n\n#%% C\n\n#%% D[^d]\n\n# %% E\n\n"
    document, problems = find(CODE, source)
    rule = BY_CODE[CODE]
    ids = [fixes_of(snapshot_of(document), problem, rule)[0].args["id"] for problem in problems]
    assert ids == ["m1", "q1", "m3"]


def test_all_cells_are_given_ids_at_once() -> None:
    source = "".join([f"# %% {number}\n\n" for number in range(150)])
    document, problems = find(CODE, source)
    rule = BY_CODE[CODE]
    edits = [e for p in problems for e in fixes_of(snapshot_of(document), p, rule)[0].edits]
    fixed = document.apply(edits).text
    for code in (CODE, "MSG101", "MSG103"):
        expect_nothing(code, fixed)


INSIDE = "`[^q1]` is not at the end of the header, so it is not the id of this cell"


def test_an_id_that_is_not_last_on_its_header() -> None:
    expect(CODE, "«# %%» A[^q1] more\n\nText\n", INSIDE)
    expect_fix(
        CODE,
        "# %% A [^q1] more\n\nText\n",
        "# %% A more[^q1]\n\n[^q1]: [markdown]\n\nText\n",
        safe=False,
    )
    # A note that another cell or footnote has is not the id of this one, nor is code.
    for source in ("# %% A[^q1] b\n\n[^q1]: A note.\n", "# %% `[^q1]` b\n", "# %% A\\[^q1] b\n"):
        _, (problem,) = find(CODE, source)
        assert problem.key == "message"


def test_a_definition_that_waits_for_it() -> None:
    source = "# %% A [^q1] more\n\n[^q1]: [markdown]\n\nText\n"
    fixed = "# %% A more[^q1]\n\n[^q1]: [markdown]\n\nText\n"
    expect_nothing(CODE, source)
    expect_fix("MSG102", source, fixed, safe=False)

"""MSG404: the output of code that is not there."""

import pytest

from msgls.document.snapshot import Surroundings
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG404"

CELL = "# %% C[^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n"
RUN = "# %%% O[^c2.1]\n\n[^c2.1]: [python] status=success\n\nstdout> 1\n"
MARKED = RUN.replace("c2.1]", "«c2.1»]", 1)


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (
            CELL + MARKED,
            ["execution output `c2.1` has no code cell: there is no cell `c2` in this file"],
        ),
        (
            "# %% [^c2]\n\n[^c2]: [markdown]\n\n" + MARKED,
            ["execution output `c2.1` has no code cell: `c2` is not a code cell"],
        ),
        ("# %%% [^c2]\n\n[^c2]: [gpt]\n\n" + MARKED, []),
        ("# %%% 見😀[^«c2.1»]\r\n\r\n[^c2.1]: [Python]\r\n", []),
        ("# %%% [^«c2.x»]\n\nx\n\n[^c2.x]: [python]", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        CELL + RUN.replace("c2", "c1"),
        # Later: MSG305.
        RUN.replace("c2", "c1") + "\n" + CELL,
        # Not a run: a tool, an agent, a registered agent, three segments, no definition.
        RUN.replace("python", "tool"),
        RUN.replace("python", "nobody"),
        "---\nagents: {python: {models: [m]}}\n---\n" + RUN,
        RUN.replace("c2.1", "c2.1.1"),
        "# %%% [^c2.1]\n",
        "# %%% [^.1]\n\n[^.1]: [python]\n",
        "```\n" + RUN + "```\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_agents_outside_the_file_count() -> None:
    expect_nothing(CODE, RUN, surroundings=Surroundings(other_agents=frozenset({"python"})))


def test_what_has_the_id_is_related() -> None:
    document, (problem,) = find(CODE, "# %% [^c2]\n\n[^c2]: [raw]\n\n" + RUN)
    assert [document.cell(related.label).cell.id for related in problem.related] == ["c2"]


def test_the_code_cell_that_was_meant() -> None:
    expect_fix(
        CODE, CELL + RUN, CELL + RUN.replace("c2", "c1"), safe=False, name="Change to a run of `c1`"
    )


def test_a_number_that_is_taken_is_counted_on() -> None:
    before = CELL + RUN.replace("c2", "c1") + "\n"
    fixed = before + RUN.replace("c2.1", "c1.2")
    expect_fix(CODE, before + RUN, fixed, safe=False)
    expect_nothing("MSG407", fixed)


def test_only_code_cells_before_it_are_offered() -> None:
    source = "# %% [^c3]\n\n[^c3]: [raw]\n\n" + RUN + "\n" + CELL
    assert fixes(CODE, source) == []


def test_it_follows_the_code_and_the_agents() -> None:
    source = "---\nagents: {gpt: {models: [m]}}\n---\n" + CELL.replace("c1", "c2") + RUN
    assert expect_follows(
        CODE,
        source,
        ("[code]", "[raw]"),
        ("# %% C", "# %% A longer title"),
        ("gpt", "python"),
        ("python", "gpt"),
        ("[raw]", "[code]"),
        ("[^c2]\n", "[^c3]\n"),
    ) == [0, 1, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("definition", ["", "[^c2]: [cod]\n\n"])
def test_what_may_be_code_is_another_rule_s(definition: str) -> None:
    expect_nothing(CODE, f"# %% [^c2]\n\n{definition}# %%% [^c2.1]\n\n[^c2.1]: [python]\n")

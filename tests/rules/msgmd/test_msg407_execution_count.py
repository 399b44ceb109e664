"""MSG407: the numbers of a code cell's runs."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find

CODE = "MSG407"

HEAD = "# %% C[^c1]\n\n[^c1]: [code]\n\n```python\n1\n```\n\n"


def runs(*numbers: object, newline: str = "\n") -> str:
    """Runs with those numbers; ``«2»`` marks one."""
    text = ""
    for number in numbers:
        plain = str(number).strip("«»")
        marked = f"«c1.{plain}»" if plain != str(number) else f"c1.{plain}"
        text += f"# %%% 見😀[^{marked}]\n\n[^c1.{plain}]: [python] status=success\n\n"
    return text.replace("\n", newline)


@pytest.mark.parametrize(
    ("numbers", "messages"),
    [
        ((7, "«3»"), ["run 3 of the code `c1` follows a later run: 8 is expected here"]),
        ((1, 4, "«3»", 5), ["run 3 of the code `c1` follows a later run: 5 is expected here"]),
        ((1, "«1»", 2), ["the code `c1` already has a run 1: 2 is expected here"]),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_found(numbers: tuple[object, ...], messages: list[str], newline: str) -> None:
    expect(CODE, HEAD.replace("\n", newline) + runs(*numbers, newline=newline), *messages)


@pytest.mark.parametrize(
    "source",
    [
        HEAD + runs(1, 2),
        # Execution counts of a notebook: the kernel counts the runs of all cells.
        HEAD + runs(7),
        HEAD + runs(1, 2, 4, 11),
        # A run that prints and draws.
        HEAD + runs(7, "7.2", "7.3", 9, "9.2"),
        HEAD + runs(1).replace("python", "bash") + runs(2),
        HEAD + runs(1) + HEAD.replace("c1", "c2") + runs(1).replace("c1", "c2"),
        # No code cell: MSG404. Later: MSG305. No number: MSG111.
        runs(2),
        runs(3) + HEAD,
        HEAD + runs("x"),
        # Results of calls are MSG304's.
        "# %%% [^c1.9f]\n[^c1.9f]: [tool]\n\n# %%% [^c1.9f.2]\n[^c1.9f.2]: [tool]\n",
        HEAD + "# %%% [^c1.",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_run_before_is_related() -> None:
    document, (problem,) = find(CODE, HEAD + runs(1, 2, 2))
    assert [document.cell(r.label).cell.id for r in problem.related] == ["c1.2"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1, 1), (1, 2)),
        ((4, 9, 7), (4, 9, 10)),
        ((7, 3, 5, 12), (7, 8, 9, 12)),
        ((2, 2, "2.2", 3), (2, 3, "3.2", 4)),
    ],
)
def test_numbers_grow_and_as_many_as_can_stay(
    before: tuple[object, ...], after: tuple[object, ...]
) -> None:
    name = "Renumber the runs of `c1` in ascending order"
    expect_fix(CODE, HEAD + runs(*before), HEAD + runs(*after), safe=False, name=name)
    expect_nothing(CODE, HEAD + runs(*after))


def test_it_follows_other_cells() -> None:
    source = HEAD + runs(3, 1)
    assert expect_follows(
        CODE,
        source,
        ("[^c1]: [code]", "[^c1]: [raw]"),
        ("[^c1]: [raw]", "[^c1]: [code]"),
        # Whatever it is, its number is taken.
        ("[^c1.1]: [python]", "[^c1.1]: [nobody]"),
        ("[^c1.3]\n", "[^c1.1]\n"),
        ("[^c1.1]\n", "[^c1.2]\n"),
    ) == [1, 0, 1, 1, 1, 1]

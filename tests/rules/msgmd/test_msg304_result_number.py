"""MSG304: the numbers of a call's results."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find

CODE = "MSG304"

HEAD = '# %%% A[^a1]\n\n[^a1]: [gpt]\n\n# %%% C[^a1.9f]\n\n[^a1.9f]: [tool] name="x"\n\n'


def results(*numbers: object, newline: str = "\n") -> str:
    """Results with those numbers; ``«2»`` marks one."""
    text = ""
    for number in numbers:
        plain = str(number).strip("«»")
        marked = f"«a1.9f.{plain}»" if plain != str(number) else f"a1.9f.{plain}"
        text += f"# %%% 見😀[^{marked}]\n\n[^a1.9f.{plain}]: [tool] status=success\n\n"
    return text.replace("\n", newline)


@pytest.mark.parametrize(
    ("numbers", "messages"),
    [
        (("«2»",), ["result 2 of the call `a1.9f` is out of order: 1 is expected here"]),
        ((1, "«3»", 4), ["result 3 of the call `a1.9f` is out of order: 2 is expected here"]),
        ((1, "«1»"), ["the call `a1.9f` already has a result 1: 2 is expected here"]),
        ((1, 2, "«2»", 3), ["the call `a1.9f` already has a result 2: 3 is expected here"]),
        ((1, "«01»"), ["the call `a1.9f` already has a result 1: 2 is expected here"]),
        (
            ("«2»", "«1»", 3),
            [
                "result 2 of the call `a1.9f` is out of order: 1 is expected here",
                "result 1 of the call `a1.9f` is out of order: 2 is expected here",
            ],
        ),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_found(numbers: tuple[object, ...], messages: list[str], newline: str) -> None:
    expect(CODE, HEAD.replace("\n", newline) + results(*numbers, newline=newline), *messages)


@pytest.mark.parametrize(
    "source",
    [
        HEAD + results(1),
        HEAD + results(1, 2, 3),
        HEAD + results(1, "01x"),
        HEAD
        + results(1)
        + "# %%% [^a1.8e]\n[^a1.8e]: [tool]\n\n# %%% [^a1.8e.1]\n[^a1.8e.1]: [tool]\n",
        # Not numbered after its call yet: MSG305 and MSG302.
        results(2) + HEAD + results(1),
        results(2, 5),
        # The second call of that id has results of its own.
        HEAD + results(1) + HEAD + results(1),
        HEAD + "# %%% [^a1.9f.2",
        # The number is taken, even if nobody knows by what: MSG101, MSG111, MSG102.
        HEAD + "# %%% [^a1.9f.1]\n\n" + results(2),
        HEAD + "# %%% [^a1.9f.1]\n[^a1.9f.1]: [gpt]\n\n" + results(2),
        HEAD + "# %%% lost\n\n[^a1.9f.1]: [tool]\n\n" + results(2),
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_without_a_call_only_repetitions_count() -> None:
    expect(CODE, results(2, "«2»"), "the call `a1.9f` already has a result 2: 2 is expected here")


def test_the_result_before_is_related() -> None:
    document, (problem,) = find(CODE, HEAD + results(1, 3))
    assert [document.cell(r.label).cell.id for r in problem.related] == ["a1.9f.1"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1, 3, 4), (1, 2, 3)),
        ((1, 1), (1, 2)),
        ((2, 1), (1, 2)),
        ((5,), (1,)),
        ((1, 1, 1), (1, 2, 3)),
    ],
)
def test_all_are_numbered_anew(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    name = "Renumber the results of `a1.9f` from 1"
    expect_fix(CODE, HEAD + results(*before), HEAD + results(*after), safe=False, name=name)
    expect_nothing(CODE, HEAD + results(*after))


def test_what_is_escaped_or_half_written_follows_too() -> None:
    cells = "# %%% [^a1.9f.{0}]\n\n\\[^a1.9f.{0}\\]: [tool]\n\n"
    cells += "# %%% [^a1.9f.{1}]\n\n[^a1.9f.{1}: [tool]\n\n"
    before, after = results(1, 1) + cells.format(2, 3), results(1, 2) + cells.format(3, 4)
    expect_fix(CODE, HEAD + before, HEAD + after, safe=False)


def test_references_and_definitions_elsewhere_follow() -> None:
    cells = "# %%% [^a1.9f.1]\n\nx\n\n# %%% [^a1.9f.{0}]\n\nsee[^a1.9f.{0}]\n\n"
    lines = "[^a1.9f.1]: [tool]\n[^a1.9f.{0}]: [tool]\n"
    both = cells + lines
    expect_fix(CODE, HEAD + both.format(3), HEAD + both.format(2), safe=False)


def test_it_follows_other_results() -> None:
    source = HEAD + results(1, 3)
    assert expect_follows(
        CODE,
        source,
        # The definition that is left alone keeps its number: MSG102 is enough.
        ("[^a1.9f.1]\n", "[^a1.9f.2]\n"),
        ("[^a1.9f.1]: [tool]", "[^a1.9f.2]: [tool]"),
        ("[^a1.9f.2]\n", "longer[^a1.9f.2]\n"),
        ("[^a1.9f.2]\n", "[^a1.9f.1]\n"),
        ("C[^a1.9f]", "C[^a1.8e]"),
    ) == [1, 0, 1, 1, 0, 0]


def early(*numbers: int) -> str:
    """A result that stands before its call, and those that follow it."""
    cell = "# %%% R[^a.9f.{0}]\n\n[^a.9f.{0}]: [tool]\n\n"
    call = "# %%% C[^a.9f]\n\n[^a.9f]: [tool]\n\n"
    first, *others = [cell.format(number) for number in numbers]
    return first + call + "".join(others)


def test_what_stands_before_its_call_is_not_counted() -> None:
    expect_nothing(CODE, early(2, 1, 3))
    expect_nothing(CODE, early(1, 1, 2))
    expect_nothing(CODE, early(7, 1, 2))
    expect_fix(CODE, early(2, 5, 6), early(2, 1, 3), safe=False)

"""What became of each cell, and which cell is which."""

import pytest

from msgls.branches.diffing import Changed, Kind, difference
from msgls.branches.matching import Matchable, in_order, match
from msgls.document.document import Document

HEAD = "# %% {title}[^{id}]\n\n[^{id}]: [markdown]{attributes}\n\n{content}\n"


def cell(id: str, content: str, title: str = "", attributes: str = "") -> str:
    return HEAD.format(id=id, content=content, title=title, attributes=attributes)


def bare(content: str) -> str:
    return f"# %%\n\n{content}\n"


def compared(before: str, after: str, name: str = "a.msg.md") -> list[Changed]:
    return difference(Document.open(name, before), Document.open(name, after))


def told(before: str, after: str) -> list[tuple[str, str | None]]:
    return [
        (changed.kind.value + (" moved" if changed.moved else ""), changed.unit.id)
        for changed in compared(before, after)
    ]


A, B, C = cell("a", "one two three"), cell("b", "four five six"), cell("c", "seven eight")


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (A + B, A + B, []),
        (A + B, A + "\n\n" + B, []),
        (A, A + B, [("added", "b")]),
        (A + B, B, [("removed", "a")]),
        (A + B + C, A + C + B, [("moved moved", "b")]),
        (A + B, A + cell("b", "four five 6"), [("edited", "b")]),
        (A + B, A + cell("b", "four five six", "A title "), [("metadata", "b")]),
        (A + B, A + cell("b", "four five six", "", " history=0"), [("metadata", "b")]),
        (A + B, A + cell("z", "four five six"), [("metadata", "z")]),
        (A + B + C, C + A + cell("b", "other"), [("moved moved", "c"), ("edited", "b")]),
        (A + B + C, cell("c", "x") + A + B, [("edited moved", "c")]),
        # Removed ones are told where they stood.
        (A + B + C, A + C + cell("d", "new"), [("removed", "b"), ("added", "d")]),
        # Different ids: another message, whatever it says.
        (A, cell("z", "one two four"), [("added", "z"), ("removed", "a")]),
        ("---\ntitle: x\n---\n" + A, "---\ntitle: y\n---\n" + A, [("edited", "(frontmatter)")]),
        (A, "Hello.\n\n" + A, [("added", "(preamble)")]),
    ],
)
def test_each_change_is_told_once(
    before: str, after: str, changes: list[tuple[str, str | None]]
) -> None:
    assert told(before, after) == changes


def test_cells_without_an_id_are_known_by_what_they_say() -> None:
    before = bare("The quick brown fox jumps over the dog.") + bare("Something else entirely.")
    after = bare("The quick brown fox jumps over the cat.") + bare("Something else entirely.")
    (changed,) = compared(before, after)
    assert changed.kind is Kind.EDITED
    assert told(bare("one two"), bare("three four")) == [("added", None), ("removed", None)]


def test_a_definition_elsewhere_is_no_content() -> None:
    apart = "# %% [^a]\n\nHello.\n\n# %% [^b]\n\n[^b]: [markdown]\n\nBye.\n\n[^a]: [markdown]\n"
    home = "# %% [^a]\n\n[^a]: [markdown]\n\nHello.\n\n# %% [^b]\n\n[^b]: [markdown]\n\nBye.\n"
    assert told(apart, home) == []


def test_what_differs_in_the_metadata_is_named() -> None:
    (changed,) = compared(cell("a", "x", "", " history=0"), cell("a", "x", "T ", " role=system"))
    assert changed.metadata == [
        ("history", "0", None),
        ("title", None, "T"),
        ("role", None, "system"),
    ]


@pytest.mark.parametrize(
    ("name", "before", "after", "kinds"),
    [
        ("a.stf", "@user\nHello\n", "@user\nHello\n@ai\nHi\n", [Kind.ADDED]),
        ("a.stf", "@user\nHello\n", "@user name=ann\nHello\n", [Kind.METADATA]),
        ("a.stf", "@user\nHello\n", "@ # a comment\n@user\nHello\n", []),
        (
            "1.md",
            "; role: user\n\n\nHello you there\n",
            "; role: user\n\n\nHello you here\n",
            [Kind.EDITED],
        ),
    ],
)
def test_other_formats_are_compared_by_message(
    name: str, before: str, after: str, kinds: list[Kind]
) -> None:
    assert [changed.kind for changed in compared(before, after, name)] == kinds


def test_files_of_different_formats_are_compared_by_message() -> None:
    one = Document.open("a.msg.md", "# %% [^q]\n\n[^q]: [markdown]\n\nHello\n")
    other = Document.open("a.stf", "@user\nHello\n@ai\nHi\n")
    assert [changed.kind for changed in difference(one, other)] == [Kind.METADATA, Kind.ADDED]


@pytest.mark.parametrize(
    ("pairs", "settled"),
    [
        ({}, set()),
        ({0: 0, 1: 1, 2: 2}, {0, 1, 2}),
        ({0: 2, 1: 0, 2: 1}, {1, 2}),
        ({0: 1, 1: 2, 2: 0, 3: 3}, {0, 1, 3}),
    ],
)
def test_as_few_as_can_be_have_moved(pairs: dict[int, int], settled: set[int]) -> None:
    assert in_order(pairs) == settled


def test_an_id_that_two_cells_have_is_matched_by_content() -> None:
    one = [Matchable("a", "m", "x"), Matchable("a", "m", "y")]
    other = [Matchable("a", "m", "y"), Matchable("a", "m", "x")]
    assert match(one, other) == {0: 1, 1: 0}

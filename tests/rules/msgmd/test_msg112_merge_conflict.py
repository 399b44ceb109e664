"""MSG112: what a merge left behind."""

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG112"
CELL = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\n"
CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"


@pytest.mark.parametrize(
    "marked",
    [
        CELL + "«<<<<<<< HEAD»\nours\n=======\ntheirs\n>>>>>>> other\n",
        CELL + "🙂猫\r\n«<<<<<<<»\r\nours\r\n=======\r\ntheirs\r\n>>>>>>>\r\n",
        # With the common ancestor.
        CELL + "«<<<<<<< a»\nours\n||||||| base\nwas\n=======\ntheirs\n>>>>>>> b",
        # Through several cells, and two of them.
        "«<<<<<<< a»\n# %% A\n=======\n# %% B\n\n# %% C\n>>>>>>> b\n«<<<<<<<»\n=======\n>>>>>>>\n",
        # In the preamble and in the frontmatter.
        "Words.\n«<<<<<<< a»\n=======\n>>>>>>> b\n" + CELL,
        "---\n«<<<<<<< a»\nx: 1\n=======\nx: 2\n>>>>>>> b\n---\n" + CELL,
        "---\nx: 1\n«<<<<<<< a»\ny: 2\n---\n=======\n---\n>>>>>>> b\n" + CELL,
        # The middle is gone.
        CELL + "«<<<<<<< HEAD»\nours\n>>>>>>> b\n",
        "---\n«<<<<<<< a»\nx: 1\n>>>>>>> b\n---\n" + CELL,
        # One that starts again: the inner one.
        "<<<<<<< a\n«<<<<<<< b»\n=======\n>>>>>>> c\n",
    ],
)
def test_a_conflict_is_found_on_its_first_line(marked: str) -> None:
    expect(CODE, marked)


def test_the_message_and_the_other_lines() -> None:
    expect(
        CODE,
        "«<<<<<<< HEAD»\nours\n=======\ntheirs\n>>>>>>> other\n",
        "unresolved merge conflict: both sides are in the file",
    )
    document, (problem,) = find(CODE, CELL + CONFLICT)
    lines = [r.span.of(document.cell(r.label).cell.text) for r in problem.related]
    assert lines == ["=======", ">>>>>>> other"]


@pytest.mark.parametrize(
    "source",
    [
        CELL + "Heading\n=======\n\nText.\n",
        CELL + "Heading\n=======\n\n>>>>>>> deep quote\n",
        CELL + "<<<<<<< HEAD\nours\n=======\n",
        CELL + "<<<<<<< HEAD\nours\n",
        CELL + ">>>>>>> b\n=======\n<<<<<<< a\n",
        CELL + "```\n" + CONFLICT + "```\n",
        CELL + "    <<<<<<< HEAD\n    =======\n    >>>>>>> b\n",
        CELL + "<<<<<<<< a\n========\n>>>>>>>> b\n",
        CELL + "text <<<<<<< a\n=======\n>>>>>>> b\n",
        "",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_without_its_middle_there_is_no_fix() -> None:
    source = "«<<<<<<< HEAD»\nours\n>>>>>>> other\n"
    expect(CODE, source, "unresolved merge conflict: its markers are still in the file")
    assert fixes(CODE, "<<<<<<< HEAD\nours\n>>>>>>> other\n") == []


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_fixes_keep_one_side(newline: str) -> None:
    source = (CELL + CONFLICT + "end\n").replace("\n", newline)
    for side, title in (
        ("ours", "Keep ours, the upper side (`HEAD`)"),
        ("theirs", "Keep theirs, the lower side (`other`)"),
    ):
        fixed = (CELL + side + "\nend\n").replace("\n", newline)
        expect_fix(CODE, source, fixed, safe=False, name=title)


def test_the_fixes_through_several_cells() -> None:
    source = "<<<<<<<\n# %% A\n\na\n|||||||\n=======\n# %% B\n\n# %% C\n\nc\n>>>>>>>\n# %% D\n"
    assert fixes(CODE, source) == [
        ("Keep ours, the upper side", False, "# %% A\n\na\n# %% D\n"),
        ("Keep theirs, the lower side", False, "# %% B\n\n# %% C\n\nc\n# %% D\n"),
    ]


def test_the_fix_in_the_frontmatter() -> None:
    source = "---\n<<<<<<< a\nx: 1\n=======\nx: 2\n>>>>>>> b\n---\n"
    expect_fix(CODE, source, "---\nx: 2\n---\n", safe=False)


def test_it_follows_other_cells() -> None:
    counts = expect_follows(
        CODE,
        "<<<<<<< a\n# %% A\n\nwords\n=======\n# %% B\n\nwords\n>>>>>>> b\n# %% C\n",
        ("words", "more\nwords"),
        (">>>>>>> b", "b"),
        ("# %% C", ">>>>>>> b\n# %% C"),
        ("<<<<<<<", "x\n<<<<<<<"),
        ("=======", "```\n======="),
    )
    assert counts == [1, 1, 0, 1, 1, 0]

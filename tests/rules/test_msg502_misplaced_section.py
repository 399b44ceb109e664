"""MSG502: a section that is not the last one."""

from __future__ import annotations

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes

CODE = "MSG502"
PATH = "notes.md"
HEAD = "---\nmessage_section: Discussion\n---\n\n"
Q1 = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nHow old?\n"
A1 = "# %%% A[^a1]\n\n[^a1]: [x]\n\nOld.\n"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (
            "«## Discussion»\n\n" + Q1 + "\n## Literature\n",
            "the section `Discussion` must be the last one, but the heading `Literature` follows",
        ),
        (
            "«Discussion\n-----»\n\n# One 🙂\n\nTwo\n---\n",
            "the section `Discussion` must be the last one, but 2 headings follow, `One 🙂` first",
        ),
        (
            "# 猫\r\n\r\n«## Discussion»\r\n\r\n# %% Q\r\n\r\n## In a cell\r\n\r\n# %% R\r\n",
            "the section `Discussion` must be the last one, but the heading `In a cell` follows",
        ),
    ],
)
def test_the_section_is_reported_on_its_own_heading(marked: str, message: str) -> None:
    expect(CODE, HEAD + marked, message, path=PATH)


def test_the_headings_that_follow_are_related() -> None:
    source = HEAD + "## Discussion\n\n" + A1 + "\n# Inside\n\n" + Q1 + "\n## Behind\n"
    document, (problem,) = find(CODE, source, PATH)
    found = [(r.key, r.span.of(document.cell(r.order).cell.text)) for r in problem.related]
    assert found == [("related.inside", "# Inside"), ("related.end", "## Behind")]


@pytest.mark.parametrize(
    "body",
    [
        "# Notes\n\n## Discussion\n\n" + Q1,
        # Deeper headings are content.
        "## Discussion\n\n### Before\n\n" + A1 + "\n### Summary\n\n#### More\n\n" + Q1,
        # Markers are no headings.
        "##### Discussion\n\n" + Q1 + A1,
        # Nor is what stands in a fence.
        "## Discussion\n\n" + A1 + "\n```\n## Not a heading\n# Nor this\n```\n",
        # Without a section, that is MSG501.
        "# Notes\n\n" + Q1 + "\n# More\n",
        # The section's own name again is MSG504.
        "## Discussion\n\n" + A1 + "\n## Discussion\n",
    ],
)
def test_nothing_is_found(body: str) -> None:
    expect_nothing(CODE, HEAD + body, path=PATH)


def test_in_a_file_of_its_own_headings_are_content() -> None:
    expect_nothing(CODE, HEAD + "## Discussion\n\n" + A1 + "\n# Big\n")


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (
            "# Notes\n\n## Discussion\n\n" + Q1 + "\n## Literature\n\n- a\n",
            "# Notes\n\n## Literature\n\n- a\n\n## Discussion\n\n" + Q1,
        ),
        ("## Discussion\n\n" + Q1 + "# End", "# End\n\n## Discussion\n\n" + Q1),
        (
            "Discussion\n---\n\n" + Q1 + "\nEnd\n===\n\n",
            "End\n===\n\nDiscussion\n---\n\n" + Q1,
        ),
        # What stands in cells is made deeper on the way.
        (
            "## Discussion\n\n" + A1 + "\n# Inside\n\n" + Q1 + "\n## Behind\n",
            "## Behind\n\n## Discussion\n\n" + A1 + "\n### Inside\n\n" + Q1,
        ),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_fix_moves_the_section_to_the_end(source: str, fixed: str, newline: str) -> None:
    expect_fix(
        CODE,
        (HEAD + source).replace("\n", newline),
        (HEAD + fixed).replace("\n", newline),
        safe=False,
        name="Move the section `Discussion` to the end of the file",
        path=PATH,
    )


@pytest.mark.parametrize(
    ("inside", "deeper"),
    [
        ("## In a cell", "### In a cell"),
        ("  # In a cell #", "  ### In a cell #"),
        ("In a\ncell\n===", "### In a cell"),
    ],
)
def test_the_fix_makes_a_heading_in_a_cell_deeper(inside: str, deeper: str) -> None:
    expect_fix(
        CODE,
        HEAD + "## Discussion\n\n" + A1 + "\n" + inside + "\n\n" + Q1,
        HEAD + "## Discussion\n\n" + A1 + "\n" + deeper + "\n\n" + Q1,
        safe=False,
        name="Make the heading that follows deeper",
        path=PATH,
    )


def test_headings_of_one_cell_keep_their_ranks() -> None:
    expect_fix(
        CODE,
        HEAD + "## Discussion\n\n" + A1 + "\n# One\n\n## Two\n\n" + Q1,
        HEAD + "## Discussion\n\n" + A1 + "\n### One\n\n#### Two\n\n" + Q1,
        safe=False,
        name="Make the headings that follow deeper",
        path=PATH,
    )


@pytest.mark.parametrize(
    "body",
    [
        # Nothing is deeper than six.
        "###### Discussion\n\n" + A1 + "\n# In a cell\n\n" + Q1,
        # The section would end up in the fence.
        "## Discussion\n\n" + Q1 + "\n## End\n\n```\nopen\n",
    ],
)
def test_where_it_cannot_be_mended_there_is_no_fix(body: str) -> None:
    assert fixes(CODE, HEAD + body, path=PATH) == []


def test_it_follows_other_cells() -> None:
    counts = expect_follows(
        CODE,
        HEAD + "Words.\n\n## Discussion\n\n" + A1 + "\n### Inside\n\n" + Q1,
        ("### Inside", "## Inside"),
        ("Words.", "More words.\n\nAnd more."),
        ("Old.", "Very old."),
        ("## Discussion", "# Discussion"),
        ("How old?", "# How old?"),
        ("message_section: Discussion", "message_section: Inside"),
        ("# How old?", "### How old?"),
        path=PATH,
    )
    assert counts == [0, 1, 1, 1, 0, 1, 1, 0]


def test_many_headings_are_counted_and_not_all_listed() -> None:
    cells = "".join(f"# %% Q\n\n## H{number}\n\n" for number in range(50))
    _, (problem,) = find(CODE, HEAD + "## Discussion\n\n" + cells, PATH)
    assert problem.args["count"] == "50"
    assert len(problem.related) == 20

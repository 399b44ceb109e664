"""MSG502: a section that is not the last one."""

import pytest

from msgls.features.actions import fix_actions, problems_at
from msgls.rules.base import Severity
from msgls.rules.checker import Checker
from msgls.rules.registry import BY_CODE
from msgls.text.spans import Span
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes
from tests.snapshots import snapshot_of

CODE = "MSG502"
PATH = "notes.md"
HEAD = "---\nmessage_section: Discussion\n---\n\n"
Q1 = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nHow old?\n"
A1 = "# %%% A[^a1]\n\n[^a1]: [x]\n\nOld.\n"


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (
            "«Discussion\n-----»\n\n# One 🙂\n\nTwo\n---\n",
            (
                "the section `Discussion` must be the last, but 2 headings follow, starting with "
                "`One 🙂`"
            ),
        ),
        (
            "«## Discussion»\n\n## Literature\n\n" + Q1,
            "the section `Discussion` must be the last, but the heading `Literature` follows",
        ),
        (
            "# 猫\r\n\r\n«## Discussion»\r\n\r\n# %% Q\r\n\r\n# Big\r\n\r\n# %% R\r\n",
            (
                "the heading `Big` in a cell of the section `Discussion` looks like a separate "
                "section"
            ),
        ),
        (
            "«# Discussion»\n\n" + A1 + "\n# One\n\n" + Q1 + "\n# Two\n",
            (
                "2 headings in cells of the section `Discussion` look like separate sections, "
                "starting with `One`"
            ),
        ),
    ],
)
def test_the_section_is_reported_on_its_own_heading(marked: str, message: str) -> None:
    expect(CODE, HEAD + marked, message, path=PATH)


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("## Discussion\n\n# Later\n", None),
        ("## Discussion\n\n# Later\n\n" + Q1 + "\n# Big\n", None),
        ("## Discussion\n\n" + Q1 + "\n# Big\n", Severity.WARNING),
    ],
)
def test_in_a_cell_it_is_a_warning(body: str, severity: Severity | None) -> None:
    _, (problem,) = find(CODE, HEAD + body, PATH)
    assert problem.severity is severity


def test_the_headings_that_follow_are_related_and_have_the_fixes() -> None:
    source = HEAD + "## Discussion\n\n## Early\n\n" + A1 + "\n# Inside\n\n" + Q1
    document, (problem,) = find(CODE, source, PATH)
    found = [(r.key, r.span.of(document.cell(r.label).cell.text)) for r in problem.related]
    assert found == [("related.before", "## Early"), ("related.inside", "# Inside")]
    checker = Checker(snapshot_of(document), [BY_CODE[CODE]])
    for heading in ("## Discussion", "## Early", "# Inside"):
        at = source.index(heading)
        assert problems_at(checker, Span(at, at)) == [problem]
    assert problems_at(checker, Span(len(source), len(source))) == []


@pytest.mark.parametrize(
    "body",
    [
        "# Notes\n\n## Discussion\n\n" + Q1,
        # What is deeper than the marker of its cell is a part of the cell: models write so.
        "## Discussion\n\n" + A1 + "\n## Step 1\n\n## Step 2\n\n" + Q1 + "\n## Last\n",
        "##### Discussion\n\n" + A1 + "\nStep 1\n------\n",
        # Deeper than the section.
        "# Discussion\n\n### Before\n\n## %% Q\n\n## Summary\n\n### More\n",
        # Markers are not headings.
        "##### Discussion\n\n" + Q1 + A1,
        # Nor is what stands in a fence.
        "## Discussion\n\n" + A1 + "\n```\n## Not a heading\n# Nor this\n```\n",
        # Without a section, that is MSG501.
        "# Notes\n\n" + Q1 + "\n# More\n",
        # The section's own name again is MSG504.
        "# Discussion\n\n" + A1 + "\n# Discussion\n",
    ],
)
def test_nothing_is_found(body: str) -> None:
    expect_nothing(CODE, HEAD + body, path=PATH)


def test_in_a_file_of_its_own_headings_are_content() -> None:
    expect_nothing(CODE, HEAD + "## Discussion\n\n" + A1 + "\n# Big\n")


@pytest.mark.parametrize(
    ("source", "fixed", "name"),
    [
        (
            "# Notes\n\n## Discussion\n\nWords.\n\n## Literature\n\n- a\n",
            "# Notes\n\n## Literature\n\n- a\n\n## Discussion\n\nWords.\n",
            "Move the section `Discussion` to the end of the file",
        ),
        (
            "## Discussion\n\n# End",
            "# End\n\n## Discussion\n",
            "Move the section `Discussion` to the end of the file",
        ),
        (
            "Discussion\n---\n\nEnd\n===\n\n" + Q1,
            "End\n===\n\nDiscussion\n---\n\n" + Q1,
            "Move the heading `Discussion` to just before its first cell",
        ),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_fix_moves_the_section_after_what_follows(
    source: str, fixed: str, name: str, newline: str
) -> None:
    expect_fix(
        CODE,
        (HEAD + source).replace("\n", newline),
        (HEAD + fixed).replace("\n", newline),
        safe=False,
        name=name,
        path=PATH,
    )


@pytest.mark.parametrize(
    ("inside", "deeper"),
    [
        ("# In a cell", "## In a cell"),
        ("  # In a cell #", "  ## In a cell #"),
        ("In a\ncell\n===", "## In a cell"),
        # Its own headings keep their ranks.
        ("# In a cell\n\n### Sub\n\n###### Deep", "## In a cell\n\n#### Sub\n\n###### Deep"),
    ],
)
def test_it_is_part_of_the_cell(inside: str, deeper: str) -> None:
    expect_fix(
        CODE,
        HEAD + "## Discussion\n\n" + A1 + "\n" + inside + "\n\n" + Q1,
        HEAD + "## Discussion\n\n" + A1 + "\n" + deeper + "\n\n" + Q1,
        safe=False,
        name=f"`{'In a cell'}` is part of the cell: make it deeper than the cell's marker",
        path=PATH,
    )


@each("newline", ["\n", "\r\n"])
def test_it_is_a_section_of_its_own(newline: str) -> None:
    expect_fix(
        CODE,
        (HEAD + "# A\n\n## Discussion\n\n" + A1 + "\n# Notes\n\nMine.\n\n" + Q1).replace(
            "\n", newline
        ),
        (HEAD + "# A\n\n# Notes\n\nMine.\n\n## Discussion\n\n" + A1 + "\n" + Q1).replace(
            "\n", newline
        ),
        safe=False,
        name="`Notes` is a separate section: move it before `Discussion`",
        path=PATH,
    )


def test_several_at_once_and_none_is_preferred() -> None:
    body = A1 + "\n# One\n\n" + Q1 + "\n# Two\n"
    found = fixes(CODE, HEAD + "# Discussion\n\n" + body, path=PATH)
    assert found == [
        (
            "They are parts of the cells: make them deeper than the cells' markers",
            False,
            HEAD + "# Discussion\n\n" + body.replace("# One", "## One").replace("# Two", "## Two"),
        ),
        (
            "They are separate sections: move them before `Discussion`",
            False,
            HEAD + "# One\n\n# Two\n\n# Discussion\n\n" + A1 + "\n" + Q1 + "\n",
        ),
    ]
    document, problems = find(CODE, HEAD + "# Discussion\n\n" + body, PATH)
    offered = list(fix_actions(snapshot_of(document), problems))
    assert not any(action.is_preferred for action in offered)


@pytest.mark.parametrize(
    "body",
    [
        # What is moved would hide all that follows.
        "## Discussion\n\n" + Q1 + "\n# End\n\n```\nopen\n",
        "## Discussion\n\n# End\n\n```\nopen\n",
    ],
)
def test_where_it_cannot_be_mended_there_is_no_fix(body: str) -> None:
    assert fixes(CODE, HEAD + body, path=PATH) == []


def test_it_follows_other_cells() -> None:
    counts = expect_follows(
        CODE,
        HEAD + "Words.\n\n## Discussion\n\n" + A1 + "\n## Inside\n\n" + Q1,
        ("## Inside", "# Inside"),
        ("Words.", "More words.\n\nAnd more."),
        ("Old.", "Very old."),
        ("# %%% A", "## %%% A"),
        ("# Inside", "### Inside"),
        ("How old?", "# How old?"),
        ("message_section: Discussion", "message_section: Inside"),
        path=PATH,
    )
    assert counts == [0, 1, 1, 1, 1, 0, 1, 1]


def test_many_headings_are_counted_and_not_all_listed() -> None:
    cells = "".join(f"## %% Q\n\n## H{number}\n\n" for number in range(50))
    _, (problem,) = find(CODE, HEAD + "## Discussion\n\n" + cells, PATH)
    assert problem.args["count"] == "50"
    assert len(problem.related) == 20

"""MSG504: two headings of the section's name."""

import pytest

from tests.rules.support import expect, expect_follows, expect_nothing, find, fixes

CODE = "MSG504"
PATH = "notes.md"
HEAD = "---\nmessage_section: Discussion\n---\n\n"
CELL = "# %% Q[^q1]\n\n[^q1]: [markdown]\n\nHow old?\n\n"


@pytest.mark.parametrize(
    "marked",
    [
        "## Discussion\n\n" + CELL + "«# discussion»\n",
        "## Discussion\r\n\r\n🙂猫\r\n\r\n«# Discussion #»\r\n\r\n«Discussion\r\n---»\r\n",
        # Before any cell, a deeper one counts too.
        "# Discussion\n\n«### Discussion»\n\n" + CELL,
    ],
)
def test_the_later_heading_is_found(marked: str) -> None:
    expect(CODE, HEAD + marked, path=PATH)


def test_the_message_and_the_first_heading() -> None:
    source = HEAD + "## Discussion\n\n" + CELL + "# Discussion\n"
    document, (problem,) = find(CODE, source, PATH)
    (related,) = problem.related
    assert related.span.shift(document.cell(related.label).start_offset).start == len(HEAD)
    assert fixes(CODE, source, path=PATH) == []
    expect(
        CODE,
        HEAD + "## Discussion\n\n" + CELL + "«# Discussion»\n",
        "duplicate section `Discussion`: the first one is used",
        path=PATH,
    )


@pytest.mark.parametrize(
    "body",
    [
        "## Discussion\n\n" + CELL,
        "## Discussion\n\n## Discussions\n",
        "## Discussion\n\n```\n## Discussion\n```\n",
        # An answer may well have a part of that name.
        "## Discussion\n\n" + CELL + "### Results\n\n### Discussion\n",
        "## Discussion\n\n" + CELL + "## Results\n\n## Discussion\n",
    ],
)
def test_nothing_is_found(body: str) -> None:
    expect_nothing(CODE, HEAD + body, path=PATH)


def test_it_follows_edits() -> None:
    counts = expect_follows(
        CODE,
        HEAD + "## Discussion\n\n" + CELL + "# Discuss\n\n" + CELL,
        ("# Discuss\n", "# Discussion\n"),
        ("How old?", "How\n\nold?"),
        ("# %% Q", "Words.\n\n# %% Q"),
        ("# Discussion\n\n# %%", "### Discussion\n\n# %%"),
        path=PATH,
    )
    assert counts == [0, 1, 1, 1, 0]

"""MSG503: a cell before the section."""

import pytest

from msgls.document.document import Document
from msgls.rules.fixing import fix_all
from msgls.rules.registry import BY_CODE
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, find, fixes
from tests.snapshots import snapshot_of

CODE = "MSG503"
PATH = "notes.md"
HEAD = "---\nmessage_section: Discussion\n---\n\n"


def cell(cell_id: str, percents: str = "%%", kind: str = "markdown") -> str:
    return f"# {percents} T[^{cell_id}]\n\n[^{cell_id}]: [{kind}]\n\nWords.\n"


@pytest.mark.parametrize(
    "marked",
    [
        "«# %% T[^q1]»\n\nWords.\n\n## Discussion\n",
        "Intro 🙂猫\r\n\r\n«## %%% T»\r\n\r\n«# %%»\r\n## Discussion\r\n\r\n# %% In\r\n",
    ],
)
def test_a_marker_before_the_section_is_found(marked: str) -> None:
    expect(CODE, HEAD + marked, path=PATH)


def test_the_message_and_the_section() -> None:
    expect(
        CODE,
        HEAD + "«# %% T»\n\n## Discussion\n",
        "this cell is before the section `Discussion`, so it is not recorded",
        path=PATH,
    )
    document, (problem,) = find(CODE, HEAD + "# %% T\n\n## Discussion\n", PATH)
    (related,) = problem.related
    assert related.span.of(document.cell(related.label).cell.text) == "## Discussion"


@pytest.mark.parametrize(
    ("source", "path"),
    [
        (HEAD + "## Discussion\n\n" + cell("q1"), PATH),
        (HEAD + "```\n# %% T\n```\n\n## Discussion\n", PATH),
        # Without a section, that is MSG501.
        (HEAD + cell("q1"), PATH),
        (HEAD + cell("q1") + "\n## Discussion\n", "chat.msg.md"),
    ],
)
def test_nothing_is_found(source: str, path: str) -> None:
    expect_nothing(CODE, source, path=path)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_fix_moves_the_cell_to_the_end(newline: str) -> None:
    source = HEAD + "Intro.\n\n" + cell("q1") + "\n## Discussion\n\n" + cell("q2")
    fixed = HEAD + "Intro.\n\n## Discussion\n\n" + cell("q2") + "\n" + cell("q1")
    expect_fix(
        CODE,
        source.replace("\n", newline),
        fixed.replace("\n", newline),
        safe=False,
        name="Move the cell into the section `Discussion`",
        path=PATH,
    )


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        # An empty section.
        (cell("q1") + "\n## Discussion\n", "## Discussion\n\n" + cell("q1")),
        (cell("q1") + "\n## Discussion", "## Discussion\n\n" + cell("q1")),
        # Before what answers it.
        (
            cell("c1", kind="code")
            + "\n## Discussion\n\n"
            + cell("q2")
            + cell("c1.1", "%%%", "sh"),
            "## Discussion\n\n"
            + cell("q2")
            + "\n"
            + cell("c1", kind="code")
            + "\n"
            + cell("c1.1", "%%%", "sh"),
        ),
        # The text of the document stays where it is.
        (
            cell("q1") + "\n## Method\n\nText.\n\n## Discussion\n\n" + cell("q2"),
            "## Method\n\nText.\n\n## Discussion\n\n" + cell("q2") + "\n" + cell("q1"),
        ),
        # A heading in a cell is part of the cell.
        (
            cell("q1") + "\n## Discussion\n\n" + cell("q2") + "\n## End\n",
            "## Discussion\n\n" + cell("q2") + "\n## End\n\n" + cell("q1"),
        ),
        # Not after a section that follows one without cells.
        (
            cell("q1") + "\n## Discussion\n\n## End\n",
            "## Discussion\n\n" + cell("q1") + "\n## End\n",
        ),
    ],
)
def test_where_the_cell_goes(source: str, fixed: str) -> None:
    expect_fix(CODE, HEAD + source, HEAD + fixed, safe=False, path=PATH)


def test_an_open_fence_has_no_fix() -> None:
    source = HEAD + cell("q1") + "\n## Discussion\n\n" + cell("q2") + "\n```\nopen\n"
    assert fixes(CODE, source, path=PATH) == []


def test_all_of_them_keep_their_order() -> None:
    outside = [cell("q1"), cell("a1", "%%%", "x"), cell("q2")]
    source = HEAD + "\n".join(outside) + "\n## Discussion\n\n" + cell("q3")
    document = Document.open(PATH, source)
    fixed = fix_all(snapshot_of(document), [BY_CODE[CODE]], lambda problem: True, unsafe=True)
    inside = "\n".join([cell("q3"), *outside])
    assert fixed.document.text == HEAD + "## Discussion\n\n" + inside


def test_it_follows_edits() -> None:
    counts = expect_follows(
        CODE,
        HEAD + "Intro.\n\n# % T\n\n## Discussion\n\n" + cell("q1"),
        ("# % T", "# %% T"),
        ("# %% T", "Words.\n\n# %% T"),
        ("## Discussion", "## Discussio"),
        ("## Discussio", "## Discussion"),
        ("Intro.", "## Discussion"),
        path=PATH,
    )
    assert counts == [0, 1, 1, 0, 1, 0]

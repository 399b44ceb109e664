"""Pasting as content: what gets a backslash, and where nothing needs one."""

from msgls.features.language import language_of
from tests.features.msgmd.sample import opened
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

HERE = "# %% [^m1]\n\n[^m1]: [markdown]\n\n¦\n"

PASTED = {
    "a marker": (HERE, "# %% T[^x]\n\nHi", "\\# %% T[^x]\n\nHi"),
    "an output's marker": (HERE, "## %%% [^x]", "\\## %%% [^x]"),
    "a definition": (HERE, "a\n[^x]: [raw] role=user\n", "a\n\\[^x]: [raw] role=user\n"),
    "a footnote of prose": (HERE, "[^x]: words", "[^x]: words"),
    "a footnote with the id of a cell": (HERE, "[^m1]: words", "\\[^m1]: words"),
    "what is escaped already": (HERE, "\\# %% T", "\\\\# %% T"),
    "in a fence of its own": (HERE, "```\n# %% T\n```\n# %% U", "```\n# %% T\n```\n\\# %% U"),
    "into a fence": ("# %% [^m1]\n\n```\n¦\n```\n", "# %% T", "# %% T"),
    "into a fence that nothing closes": ("# %% [^m1]\n\n```\na\n¦", "# %% T", "# %% T"),
    "after a fence": ("# %% [^m1]\n\n```\n```\n¦", "# %% T", "\\# %% T"),
    "before a fence": ("# %% [^m1]\n\n¦```\n```\n", "# %% T\n", "\\# %% T\n"),
    "after other text": ("# %% [^m1]\n\nsee ¦", "# %% T\r\n# %% U", "# %% T\r\n\\# %% U"),
    "with lone carriage returns": (HERE, "a\r# %% T", "a\r\\# %% T"),
    "into nothing": ("¦", "# %% T", "\\# %% T"),
    "nothing": (HERE, "", ""),
}


@table("case", PASTED)
def test_what_is_pasted(case: tuple[str, str, str]) -> None:
    source, text, expected = case
    marked = unmark(source)
    document = opened(marked.text)
    pasted = language_of(document).as_content(snapshot_of(document), marked.cursor, text)
    assert pasted == expected
    # Whatever it is: no cell comes of it, and none is lost.
    after = opened(marked.text[: marked.cursor] + expected + marked.text[marked.cursor :])
    assert [placed.cell.id for placed in after.cells() if placed.cell.header] == [
        placed.cell.id for placed in document.cells() if placed.cell.header
    ]

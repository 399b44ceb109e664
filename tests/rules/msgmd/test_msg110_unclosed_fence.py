"""MSG110: a fence that nothing closes."""

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "MSG110"

Q = "# %% [^q1]\n\n"

SWALLOWED = "this fence is closed only by a block of a later cell, so a cell is read as its text"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (Q + "«```»py\nx\n", ["this fence is never closed"]),
        (Q + "«```»\nx\n\n# %% [^q2]\n", ["this fence is never closed, and hides a cell marker"]),
        (
            Q + "«~~~~»\nx\n\n# %% [^q2]\n~~~\n# %%% [^a2]\n```\n# %%%\n",
            ["this fence is never closed, and hides 3 cell markers"],
        ),
        # The last one of several, after wide characters, with CRLF.
        ("# %% 😀\r\n```\r\n# %% no\r\n```\r\n見\r\n  «```»\r\n# %%\r\n", []),
        # Before all cells, after the frontmatter.
        ("text\n«```»\n# %% [^q1]\n", []),
        ("---\na: b\n---\n«```»\n", []),
        # Half-written.
        (Q + "«```»", []),
        (Q + "- x\n\n«```»\n- ```\n", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        Q + "```\nx\n```\n",
        Q + "````\n```\n# %% no\n```\n````\n",
        Q + "```\nx\n`````",
        Q + "a ``` b\n",
        Q + "```x``` inline\n",
        Q + "    ```\n",
        Q + "\\```\n",
        # In a list it ends with its item.
        Q + "- ```\n  x\n\ntext\n\n# %% [^q2]\n",
        Q + "- ```\n  x",
        "~~\n``\n",
        "",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (Q + "```py\nx\n\n# %% [^q2]\n", Q + "```py\nx\n```\n\n# %% [^q2]\n"),
        (Q + "```py\nx\n# %% [^q2]\n", Q + "```py\nx\n```\n\n# %% [^q2]\n"),
        (Q + "~~~~\nx\n~~~\n\n\n# %%\n", Q + "~~~~\nx\n~~~\n~~~~\n\n\n# %%\n"),
        # Nothing is taken away: neither blanks nor blank lines.
        (Q + "```\nx  \n \t\n\n# %%\n", Q + "```\nx  \n```\n \t\n\n# %%\n"),
        (Q + "```py \n \n\n# %%\n", Q + "```py \n```\n \n\n# %%\n"),
        (Q + "```\nx  ", Q + "```\nx  \n```\n"),
        (Q + "```\n\n# %% [^q2]\n", Q + "```\n```\n\n# %% [^q2]\n"),
        (Q + "```py\nx\n", Q + "```py\nx\n```\n"),
        (Q + "```py\nx\n\n\n", Q + "```py\nx\n```\n\n\n"),
        (Q + "```py", Q + "```py\n```\n"),
        (Q + "```", Q + "```\n```\n"),
        ("# %%\r\n```\r\nx\r\n\r\n# %%\r\n", "# %%\r\n```\r\nx\r\n```\r\n\r\n# %%\r\n"),
    ],
)
def test_it_is_closed_before_the_next_marker(source: str, fixed: str) -> None:
    expect_fix(CODE, source, fixed, safe=False)


def test_it_follows_what_is_typed_below() -> None:
    source = Q + "x\n\n# %% [^q2]\n\nend\n"
    assert expect_follows(
        CODE, source, ("x\n", "```\nx\n"), ("end", "# %%"), ("# %%\n", "```\n"), ("x\n", "```\n")
    ) == [0, 1, 1, 0, 1]


OPEN = "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n«```»python\nprint(1)\n\n"
LATER = "# %% Q[^q{n}]\n\n[^q{n}]: [markdown]\n\n```\nx\n```\n\n"


@pytest.mark.parametrize(
    ("count", "tail", "text"),
    [
        # The file ends in the block that the line which was to close it opens.
        (1, "", SWALLOWED),
        # Everything pairs up again, and nothing would be said.
        (1, "# %% R[^r1]\n\n[^r1]: [markdown]\n\n```js\ny\n```\n", SWALLOWED),
    ],
)
def test_a_fence_that_the_opening_line_of_a_later_block_closes(
    count: int, tail: str, text: str
) -> None:
    marked = OPEN + "".join(LATER.format(n=n) for n in range(count)) + tail
    expect(CODE, marked, text)
    source = marked.replace("«", "").replace("»", "")
    fixed = source.replace("print(1)\n", "print(1)\n```\n")
    expect_fix(CODE, source, fixed, safe=False, name="Close the fence before the next cell marker")


@pytest.mark.parametrize("tail", ["", "# %% R[^r1]\n\n[^r1]: [markdown]\n\n```js\ny\n```\n"])
def test_a_fence_that_the_closing_line_of_a_later_block_closes(tail: str) -> None:
    """The opening line of that block names a language: it closes nothing."""
    later = "# %% Q[^q1]\n\n[^q1]: [code]\n\n```python\nx\n```\n\n"
    expect(CODE, OPEN + later + tail, SWALLOWED)
    source = (OPEN + later + tail).replace("«", "").replace("»", "")
    fixed = source.replace("print(1)\n", "print(1)\n```\n")
    expect_fix(CODE, source, fixed, safe=False, name="Close the fence before the next cell marker")


def test_several_cells_that_it_swallows() -> None:
    plain = "# %% P[^p1]\n\n[^p1]: [markdown]\n\nHi\n\n"
    text = SWALLOWED.replace("a cell is", "2 cells are")
    expect(CODE, OPEN + plain + LATER.format(n=1), text)


@pytest.mark.parametrize(
    "inside",
    [
        # An answer that quotes this very format, and goes on.
        "```markdown\n# %% Q[^q1]\n\n[^q1]: [markdown]\n\nHi\n```\n\nThen:\n\n```python\n1\n```\n",
        "````md\n# %% Q[^q1]\n\n[^q1]: [code]\n\n```\nx\n```\n````\n\n```\ny\n```\n",
        "```md\n# %% Q[^q1]\n\n[^q1]: [markdown]\n```\n\n```\ny\n```\n",
        "```md\n# %% Q[^q1]\n\n[^q1]: [markdown]\n```\n\nThen:\n\n```\ny\n```\n\nEnd.\n",
        # No definition, or none of its own.
        "```md\n# %% Q[^q1]\n\nHi\n```\n\n```\ny\n```\n",
        "```md\n# %% Q[^q1]\n\n[^q2]: [markdown]\n```\n\n```\ny\n```\n",
        # A quote of a cell that is there.
        "```md\n# %% A[^a1]\n\n[^a1]: [markdown]\n```\n\n```\ny\n```\n",
    ],
)
def test_a_block_that_is_closed_by_its_own_line(inside: str) -> None:
    expect_nothing(CODE, "# %%% A[^a1]\n\n[^a1]: [gpt]\n\n" + inside)


def test_whether_a_quoted_cell_is_there_is_followed() -> None:
    marked = OPEN + LATER.format(n=1) + "# %% Z[^z1]\n\n[^z1]: [markdown]\n\nEnd\n"
    source = marked.replace("«", "").replace("»", "")
    edits = ("Z[^z1]", "Z[^q1]"), ("Z[^q1]", "Z[^z1]")
    # While it is there, nothing is swallowed, and the last fence is the open one.
    assert expect_follows(CODE, source, *edits) == [1, 1, 1]

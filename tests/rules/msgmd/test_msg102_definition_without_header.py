"""MSG102: a definition of a cell that is not there."""

import pytest

from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG102"

CELL = "# %% [^q1]\n\n[^q1]: [markdown]\n\n"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        (
            CELL + "text\n\n«[^q2]: [markdown] history=none»\n",
            ["this line defines `q2`, but no cell has that id"],
        ),
        (CELL + "«[^a1.9f.1]: [tool]»\n", []),
        (CELL + "😀\r\n   «[^q2]: [gpt]»\r\n".replace("   «", "«   "), []),
        # Referred to, but with attributes: that is not a footnote.
        (CELL + "see[^q2]\n\n«[^q2]: [gpt] time=now»\n", []),
        # Both of two.
        (CELL + "«[^q2]: [gpt]»\n«[^q2]: [gpt]»\n", []),
    ],
)
def test_found(marked: str, messages: list[str]) -> None:
    expect(CODE, marked, *messages)


@pytest.mark.parametrize(
    "source",
    [
        CELL,
        CELL + "[^1]: [Title](https://example.org)\n",
        CELL + "[^1]: [Smith] The origin of ideas\n",
        CELL + "[^1]: [Smith] a=b and more\n",
        CELL + "a note[^1]\n\n[^1]: [sic]\n",
        CELL + "[^1]: a note\n",
        CELL + "```\n[^q2]: [markdown]\n```\n",
        CELL + "\\[^q2]: [markdown]\n",
        CELL + "[^q2]: [markdown",
        "[^q2]: [markdown] in=preamble\n\n" + CELL,
        "[^q2]: [markdown]\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


def test_the_line_can_be_removed_or_start_a_cell() -> None:
    source = CELL + "text\n[^a1]: [gpt] time=now\nmore\n"
    assert fixes(CODE, source) == [
        ("Remove the line", False, CELL + "text\nmore\n"),
        (
            "Start a cell `a1` here",
            False,
            CELL + "text\n\n# %%% [^a1]\n\n[^a1]: [gpt] time=now\nmore\n",
        ),
    ]


@pytest.mark.parametrize(
    ("source", "fixed", "name"),
    [
        (
            "# %% T[^q1]\n\n[^q2]: [code]\n",
            "# %% T[^q1]\n\n[^q1]: [code]\n",
            "Change the id to `q1`, so that it defines the header above",
        ),
        (
            "# %% T\n\n[^q2]: [code]\n",
            "# %% T[^q2]\n\n[^q2]: [code]\n",
            "Add `[^q2]` to the header above",
        ),
        ("# %%\n\n[^q2]: [code]\n", "# %% [^q2]\n\n[^q2]: [code]\n", None),
        (CELL + "\n[^q2]: [raw]", CELL + "\n# %% [^q2]\n\n[^q2]: [raw]", None),
        (
            "# %% [^q1]\r\n[^q1]: [raw]\r\n\r\nx\r\n[^q2]: [raw]\r\n",
            "# %% [^q1]\r\n[^q1]: [raw]\r\n\r\nx\r\n\r\n# %% [^q2]\r\n\r\n[^q2]: [raw]\r\n",
            None,
        ),
        (CELL + "[^q2]: [raw]", CELL, "Remove the line"),
    ],
)
def test_fixes(source: str, fixed: str, name: str | None) -> None:
    expect_fix(CODE, source, fixed, safe=False, name=name)


def test_it_follows_the_headers() -> None:
    source = CELL + "[^q2]: [gpt]\n\n# %% [^q3]\n\n[^q3]: [markdown]\n\nend\n"
    assert expect_follows(
        CODE,
        source,
        ("end", "# %%% [^q2]"),
        ("# %%% [^q2]", "# %%% [^q4]"),
        ("# %%% [^q4]", "see [^q2]"),
        ("[^q2]: [gpt]", "more\n[^q2]: [gpt] a=1"),
    ) == [1, 0, 1, 0, 1]


def test_a_reference_in_a_title_is_none() -> None:
    expect(CODE, "# %% t [^z] more\n\n«[^z]: [raw]»\n")
    expect_nothing(CODE, "# %% t\n\nmore[^z]\n\n[^z]: [sic]\n")


def test_an_id_that_is_not_last_on_its_header_moves_there() -> None:
    found = fixes(CODE, "# %% [^q] Title\n\n[^q]: [markdown]\n\ntext\n")
    assert found[0][2] == "# %% Title[^q]\n\n[^q]: [markdown]\n\ntext\n"

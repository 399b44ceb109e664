r"""MSG109: ``\[^id\]:`` where the definition should be."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing

CODE = "MSG109"


@pytest.mark.parametrize(
    "marked",
    [
        "# %% [^q1]\n\n«\\[^q1\\]: [markdown]»\n\ntext\n",
        "# %% 見😀[^q1]\r\n«  \\[^q1\\]: [markdown]»\r\n",
        "# %% [^q1]\n\n«\\[^q1\\]: [markdown]»",
        '# %%% [^a1.9f]\n\n«\\[^a1.9f\\]: \\[tool\\] name="read\\_file"»\n',
        # Away from the cell.
        "# %% [^q1]\n\ntext\n\n«\\[^q1\\]: [markdown]»\n",
        "# %% [^q1]\n\ntext\n\n# %% A\n\n«\\[^q1\\]: [markdown]»\n\\[^q1\\]: [raw]\n",
        "«\\[^q1\\]: [markdown]»\n\n# %% [^q1]\n",
        "# %% [^q1]\n\none\n\n# %% [^q1]\n\ntwo\n\n# %% A\n\n«\\[^q1\\]: [markdown]»\n",
        "# %%% [^a\\_1]\n".replace("\\_", "_") + "\n«\\[^a\\_1\\]: [gpt]»\n",
    ],
)
def test_found(marked: str) -> None:
    expect(CODE, marked)


def test_the_message_names_the_cell() -> None:
    expect(
        CODE,
        "# %% [^q1]\n\n«\\[^q1\\]: [markdown]»\n",
        "a formatter has escaped the definition of `q1`: it is read as text",
    )


@pytest.mark.parametrize(
    "source",
    [
        "# %% [^q1]\n\n[^q1]: [markdown]\n",
        # The escape of ours: this line is content.
        "# %% [^q1]\n\n\\[^q1]: [markdown]\n",
        # Another id, another kind of line.
        "# %% [^q1]\n\n\\[^q2\\]: [markdown]\n",
        "# %% [^q1]\n\n\\[^q1\\]: a note\n",
        "# %% A\n\n\\[^q1\\]: [markdown]\n",
        "# %% [^q1]\n\n```\n\\[^q1\\]: [markdown]\n```\n",
        # It is defined elsewhere.
        "# %% [^q1]\n\n\\[^q1\\]: [markdown]\n\n[^q1]: [markdown]\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("\\[^q1\\]: [markdown] a=1", "[^q1]: [markdown] a=1"),
        ("  \\[^q1\\]: \\[markdown\\] a\\_b=1", "  [^q1]: [markdown] a_b=1"),
        ('\\[^q1\\]: [markdown] a="\\"x\\\\"', '[^q1]: [markdown] a="\\"x\\\\"'),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_repair_is_safe(line: str, mended: str, newline: str) -> None:
    head, tail = f"# %% [^q1]{newline}", f"{newline}{newline}text{newline}"
    expect_fix(CODE, head + line + tail, head + mended + tail, safe=True)
    expect_nothing("MSG101", head + line + tail)


def test_the_repair_is_safe_at_the_end_of_the_file() -> None:
    head = "# %% [^q1]\n\nHi\n\n# %% [^q2]\n\nYou\n\n"
    text = f"{head}\\[^q1\\]: [markdown] history=exclude\n\\[^q2\\]: a note\n"
    mended = f"{head}[^q1]: [markdown] history=exclude\n\\[^q2\\]: a note\n"
    expect_fix(CODE, text, mended, safe=True)
    # A definition that this rule inserts would show what the escaped one hides.
    expect("MSG101", text.replace("[^q2]\n", "[^«q2»]\n"))


def test_it_follows_the_line_at_the_end_of_the_file() -> None:
    source = "# %% [^q1]\n\nHi\n\n# %% [^q2]\n\n[^q2]: [raw]\n\nabove\n\n\\[^q1\\]: [raw]\n"
    assert expect_follows(
        CODE,
        source,
        ("[raw]\n\nabove", "[raw]\n\nmore above"),
        ("\\]: [raw]", "\\]: a note"),
        ("\\]: a note", "\\]: \\[raw\\] history=exclude"),
        ("# %% [^q1]", "# %% [^q3]"),
        ("# %% [^q3]", "# %% [^q1]"),
        ("\n\nHi", "\n\n[^q1]: [raw]\n\nHi"),
    ) == [1, 1, 0, 1, 0, 1, 0]


def test_it_follows_definitions_elsewhere() -> None:
    source = "# %% [^q1]\n\n\\[^q1\\]: [raw]\n\n# %% [^q2]\n[^q2]: [raw]\n\nend\n"
    assert expect_follows(
        CODE, source, ("end", "[^q1]: [raw]"), ("[^q1]: [raw]", "end"), ("\\]", "]")
    ) == [1, 0, 1, 0]

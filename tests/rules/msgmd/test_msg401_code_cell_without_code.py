"""MSG401: a code cell without a fenced block."""

import pytest

from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_follows, expect_nothing, fixes

CODE = "MSG401"


def cell(body: str, kind: str = "code") -> str:
    return f"# %% Count[^c1]\n\n[^c1]: [{kind}]\n{body}"


@pytest.mark.parametrize(
    "source",
    [
        cell("", "«code»"),
        cell("\nlen(files)\n", "«code»"),
        cell("\n`inline` and ``more``\n\n    indented\n", "«code»"),
        "# %% 数 🙂[^c1]\r\n\r\n[^c1]: [«code»] history=0\r\n\r\n数\r\n",
        "# %% C[^c1]\n\nx\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n```\nx\n```\n\n[^c1]: [«code»]",
    ],
)
def test_a_cell_without_a_block_is_found(source: str) -> None:
    expect(CODE, source, "code cell `c1` has no code: add a fenced block")


@pytest.mark.parametrize(
    "source",
    [
        cell("\n```python\n1\n```\n"),
        cell("\n~~~\n1\n~~~\n"),
        cell("\n- Item\n- ```\n  1\n  ```\n"),
        # Half-written: an open fence is a block, and MSG110's.
        cell("\n```python\n"),
        cell("\nText\n", "markdown"),
        cell("\nText\n", "raw"),
        "# %%% R[^c1.1]\n\n[^c1.1]: [python]\n",
        "# %% C[^c1]\n\nText\n",
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed", "name"),
    [
        (cell(""), cell("\n```\n```\n"), "Insert a fenced block"),
        (cell("\n\n"), cell("\n```\n```\n\n\n"), "Insert a fenced block"),
        ("# %% C[^c1]\n\n[^c1]: [code]", "# %% C[^c1]\n\n[^c1]: [code]\n\n```\n```\n", None),
        (
            cell("\n\na = 1\n\nlen(a)\n\n"),
            cell("\n\n```\na = 1\n\nlen(a)\n```\n\n"),
            "Wrap the content in a fenced block",
        ),
        (cell("  indented"), cell("```\n  indented\n```"), None),
        (cell("\na ```` b\n"), cell("\n`````\na ```` b\n`````\n"), None),
        # What is escaped outside a fence is not inside.
        (
            cell("\n\\# %% no cell\nx\n\\[^c1]: [code]\n"),
            cell("\n```\n# %% no cell\nx\n[^c1]: [code]\n```\n"),
            None,
        ),
        # The language of its runs, or of the code above.
        (
            cell("\nx\n\n# %%% R[^c1.1]\n\n[^c1.1]: [ruby]\n"),
            cell("\n```ruby\nx\n```\n\n# %%% R[^c1.1]\n\n[^c1.1]: [ruby]\n"),
            None,
        ),
        (
            "# %% C[^c0]\n\n[^c0]: [code]\n\n```python run\n1\n```\n\n" + cell("\nx\n"),
            "# %% C[^c0]\n\n[^c0]: [code]\n\n```python run\n1\n```\n\n"
            + cell("\n```python\nx\n```\n"),
            None,
        ),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_fix(source: str, fixed: str, name: str | None, newline: str) -> None:
    if newline == "\r\n" and "\n" not in source:
        return
    source, fixed = source.replace("\n", newline), fixed.replace("\n", newline)
    expect_fix(CODE, source, fixed, safe=False, name=name)


def test_a_definition_is_not_wrapped() -> None:
    source = cell("\nx\n\n[^q]: [raw]\n\ny\n") + "\n# %% Q[^q]\n"
    assert fixes(CODE, source) == []
    source = cell("\nx\n\n[^q]: [raw]\n") + "\n# %% Q[^q]\n"
    fixed = cell("\n```\nx\n```\n\n[^q]: [raw]\n") + "\n# %% Q[^q]\n"
    expect_fix(CODE, source, fixed, safe=False)


def test_it_follows_a_definition_that_stands_elsewhere() -> None:
    source = "# %% C[^c1]\n\nx\n\n# %% Q[^q]\n\n[^q]: [raw]\n\n[^c1]: [raw]\n"
    counts = expect_follows(
        CODE, source, ("[^c1]: [raw]", "[^c1]: [code]"), ("\nx\n", "\n```\nx\n```\n")
    )
    assert counts == [0, 1, 0]

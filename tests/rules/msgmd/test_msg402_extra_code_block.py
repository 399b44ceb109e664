"""MSG402: a second block in a code cell."""

import pytest

from msgls.document.document import Document
from msgls.rules.fixing import fix_all
from msgls.rules.registry import RULES
from tests.notation import each
from tests.rules.support import expect, expect_fix, expect_nothing, find, fixes
from tests.snapshots import snapshot_of

CODE = "MSG402"
FIRST = "```python\na\n```\n"


def cell(body: str, rest: str = "") -> str:
    return f"## %% C[^c1]\n\n[^c1]: [code]{rest}\n\n{body}"


@pytest.mark.parametrize(
    "source",
    [
        cell(FIRST + "\n«```ruby»\nb\n```\n"),
        cell(FIRST + "\nWords\n\n«~~~»\nb\n~~~\n\n  «```  sh -x»\nc\n  ```\n"),
        cell("🙂 文\n\n" + FIRST + "\n«```»\n").replace("\n", "\r\n"),
        cell("- ```\n  a\n  ```\n- «```»\n  b\n  ```\n"),
    ],
)
def test_each_further_block_is_found(source: str) -> None:
    expect(CODE, source)


def test_it_says_which_one_runs() -> None:
    source = cell(FIRST + "\n```\nb\n```\n")
    expect(
        CODE,
        cell(FIRST + "\n«```»\nb\n```\n"),
        "this block is not run: only the first block of a code cell is",
    )
    document, (problem,) = find(CODE, source)
    (related,) = problem.related
    assert related.span.shift(document.cell(related.label).start_offset).of(source) == "```python"


@pytest.mark.parametrize(
    "source",
    [
        cell(FIRST),
        cell("Words\n"),
        cell("````\n```\na\n```\n```\nb\n```\n````\n"),
        cell(FIRST + "\nInline ``` and `b`\n\n    ```\n    indented\n    ```\n"),
        "# %% Q[^q]\n\n[^q]: [markdown]\n\n" + FIRST + FIRST,
        "# %%% A[^a]\n\n[^a]: [gpt]\n\n" + FIRST + FIRST,
        FIRST + FIRST,
    ],
)
def test_nothing_is_found(source: str) -> None:
    expect_nothing(CODE, source)


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (
            cell(FIRST + "\n```\nb\n```\n"),
            cell(FIRST + "\n## %% [^c1-2]\n\n[^c1-2]: [code]\n\n```\nb\n```\n"),
        ),
        (
            cell(FIRST + "```\nb\n```\n"),
            cell(FIRST + "\n## %% [^c1-2]\n\n[^c1-2]: [code]\n\n```\nb\n```\n"),
        ),
        # The words between go with what follows; what holds for the cell holds for both.
        (
            cell(FIRST + "\nThen:\n\n```\nb\n```\n", " x=1 history='0' role=system"),
            cell(
                FIRST + "\n## %% [^c1-2]\n\n[^c1-2]: [code] role=system history='0'\n\n"
                "Then:\n\n```\nb\n```\n",
                " x=1 history='0' role=system",
            ),
        ),
        # An id that is taken is passed over.
        (
            cell(FIRST + "\n```\nb\n```\n\n# %% Q[^c1-2]\n"),
            cell(FIRST + "\n## %% [^c1-3]\n\n[^c1-3]: [code]\n\n```\nb\n```\n\n# %% Q[^c1-2]\n"),
        ),
    ],
)
@each("newline", ["\n", "\r\n"])
def test_the_fix_splits_the_cell(source: str, fixed: str, newline: str) -> None:
    expect_fix(CODE, source.replace("\n", newline), fixed.replace("\n", newline), safe=False)


def test_several_can_be_split_at_once() -> None:
    source = cell(FIRST + "\n```sh\nb\n```\n\n```sh\nc\n```\n\n```sh\nd\n```\n")
    document = Document.open("a.msg.md", source)
    fixed = fix_all(snapshot_of(document), RULES, lambda p: p.code == CODE, unsafe=True)
    ids = [placed.cell.id for placed in fixed.document.cells()]
    assert ids == ["c1", "c1-2", "c1-3", "c1-4"]
    assert fixed.applied == {CODE: 3}


def test_a_list_is_not_torn_apart() -> None:
    assert fixes(CODE, cell("- ```\n  a\n  ```\n- ```\n  b\n  ```\n")) == []

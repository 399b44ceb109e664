"""Folding: which lines fold into which."""

import pytest

from msgls.document.document import Document
from msgls.features.folding import folding
from tests.snapshots import snapshot_of


def folds(text: str) -> list[tuple[int, int, str | None]]:
    """Start, end and what is shown instead."""
    return [
        (f.start_line, f.end_line, f.text)
        for f in folding(snapshot_of(Document.open("a.msg.md", text)))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# %% Q[^q]\n", []),
        ("# %% Q[^q]\n\n[^q]: [markdown]\n\nText.\n\n\n", [(0, 4, None)]),
        ("---\na: 1\n---\n\n# %% Q\n", [(0, 2, "frontmatter")]),
        ("# %% Q\n\n```py\nx\n```\n", [(0, 4, None), (2, 4, None)]),
        ("# %% Q\n\n~~~\nx\n", [(0, 3, None), (2, 3, None)]),
        ("# %% Q\n\n## A\n\na\n\n## B\n\nb\n", [(0, 8, None), (2, 4, None), (6, 8, None)]),
        # Definitions that stand together.
        (
            "# %% Q[^q]\n\n[^a]: x\n\nText.\n\n[^q]: [raw]\r\n[^r]: [raw]\n\n[^s]: [raw]\n",
            [(0, 9, None), (6, 9, "definitions")],
        ),
        # A deeper cell folds with the one above it.
        (
            "# %%% A\n\na\n\n## %%% B\n\nb\n\n# %% C\n\nc\n",
            [(0, 6, None), (4, 6, None), (8, 10, None)],
        ),
    ],
)
def test_what_folds(text: str, expected: list[tuple[int, int, str | None]]) -> None:
    assert folds(text) == expected


def test_a_run_of_tool_traffic_folds_as_one() -> None:
    call = "# %%% C[^a.{0}]\n\n[^a.{0}]: [tool]{1}\n\nx\n\n"
    text = "# %%% A[^a]\n\n[^a]: [gpt]\n\nx\n\n"
    text += (
        call.format("n1", ' name="t"') + call.format("n1.1", "") + call.format("n2", ' name="t"')
    )
    assert (6, 22, "3 tool cells") in folds(text)


def test_the_prose_before_the_block_of_a_code_cell_is_reasoning() -> None:
    text = "# %% C[^c]\n\n[^c]: [code]\n\nFirst.\nSecond.\n\n```py\nx\n```\n"
    assert (4, 5, "reasoning") in folds(text)

"""Cells from a number on: the same as all cells, without those before."""

import pytest

from msgls.document.document import Document
from msgls.text.spans import Span

# Long cells are several chunks, of which only the first starts a cell.
LONG = "".join(f"# %% [^m{n}]\n\n" + "A line of text.\n" * 2_500 for n in range(4))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.msg.md", "# %% A\n\n# %% B\n\n# %% C\n"),
        ("a.msg.md", "Preamble.\n\n# %% A\n"),
        ("a.msg.md", LONG),
        ("a.deltas.jsonl", "\n{}\n\n{}\n{}"),
        ("a.msg.md", ""),
    ],
)
def test_cells_from_a_number_are_the_last_of_all(name: str, text: str) -> None:
    document = Document.open(name, text).edit(Span(0, 0), "")
    cells = list(document.cells())
    assert len(cells) == document.cell_count
    for number in range(len(cells)):
        assert list(document.cells_from(number)) == cells[number:]
    assert list(document.cells_from(len(cells))) == []
    assert list(document.cells_from(-1)) == []

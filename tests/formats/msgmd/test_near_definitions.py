"""Lines that begin like a definition and are none: what they refer to is a reference."""

import pytest

from tests.formats.msgmd.reading import only_cell


@pytest.mark.parametrize(
    ("line", "references"),
    [
        ("[^a]: [markdown]", []),
        ("[^a] : b", ["a"]),
        ("[^a]:: b", []),
        ("[^a]b: c", ["a"]),
        ("[^a:] b", ["a:"]),
        ("[^a:] : b", ["a:"]),
        ("[^a] [^b]: c", ["a", "b"]),
        ("[^a]: b [^c]", ["c"]),
        ("[^a]", ["a"]),
    ],
)
@pytest.mark.parametrize("before", ["# %% T\n\n", "# %% T[^t]\n\n[^t]: [markdown]\n\n", ""])
def test_what_a_line_refers_to(line: str, references: list[str], before: str) -> None:
    for cell in only_cell(before + line + "\n"):
        assert [reference.text for reference in cell.references] == references

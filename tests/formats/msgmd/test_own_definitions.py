"""Which definition belongs to which cell, where several cells have one id."""

import pytest

from msgls.formats.msgmd.edits import own_definition
from tests.conversation.writers.test_msgmd import opened

HOME = "# %% Q[^a]\n\n[^a]: [markdown] n={}\n\n"
BARE = "# %% Q[^a]\n\n"
AWAY = "# %% Other[^z]\n\n[^z]: [markdown]\n\n" + "".join(
    [f"[^a]: [markdown] n={n}\n\n" for n in (7, 8, 9)]
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (HOME.format(1), ["1"]),
        (BARE, [None]),
        (BARE + AWAY, ["7"]),
        (HOME.format(1) + HOME.format(2), ["1", "2"]),
        # Those at nobody's home are given out in order, to the cells that have none.
        (BARE + BARE + AWAY, ["7", "8"]),
        (AWAY + BARE + BARE, ["7", "8"]),
        (HOME.format(1) + BARE + AWAY, ["1", "7"]),
        (BARE + HOME.format(1) + BARE + AWAY, ["7", "1", "8"]),
        (HOME.format(1) + HOME.format(2) + BARE + BARE + AWAY, ["1", "2", "7", "8"]),
        (BARE * 4 + AWAY, ["7", "8", "9", None]),
        (BARE * 2, [None, None]),
        # A second one in the first cell belongs to the second.
        (HOME.format(1) + "x\n\n[^a]: [markdown] n=2\n\n" + BARE, ["1", "2"]),
    ],
)
def test_the_definition_of_each_cell(text: str, numbers: list[str | None]) -> None:
    document = opened(text)
    found = [own_definition(document, p) for p in document.cells() if p.cell.id == "a"]
    assert [None if own is None else own[0].value("n") for own in found] == numbers

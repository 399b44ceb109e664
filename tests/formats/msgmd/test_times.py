"""The times of outputs: which cell a definition with a time speaks of."""

import pytest

from msgls.formats.msgmd.times import RELATION, last_time_before, times_of
from tests.conversation.writers.test_msgmd import opened

OUTPUT = "# %%% Out[^{id}]\n\n"
CELL = "# %% Q[^{id}]\n\n"


def defined(cell_id: str, hour: int) -> str:
    return f"[^{cell_id}]: [bot] time=2026-01-01T{hour:02}:00:00Z\n\n"


@pytest.mark.parametrize(
    ("text", "spoken_of"),
    [
        (OUTPUT.format(id="a") + defined("a", 1), [("a", 0)]),
        # A message that somebody wrote has no such time.
        (CELL.format(id="a") + defined("a", 1), []),
        # Of two cells with one id, it is the first one's.
        (OUTPUT.format(id="a") * 2 + defined("a", 1), [("a", 0)]),
        (OUTPUT.format(id="a") + OUTPUT.format(id="b") + defined("a", 1), [("a", 0)]),
        (
            OUTPUT.format(id="a") + OUTPUT.format(id="b") + defined("b", 1) + defined("a", 2),
            [("b", 1), ("a", 0)],
        ),
        (OUTPUT.format(id="a") + "[^a]: [bot] time=soon\n\n", []),
        (OUTPUT.format(id="a") + defined("z", 1), []),
    ],
)
def test_whose_time_is_said(text: str, spoken_of: list[tuple[str, int]]) -> None:
    document = opened(text)
    labels = [placed.label for placed in document.cells()]
    found = [
        timed for entry in document.entries(RELATION, "") for timed in times_of(document, entry)
    ]
    assert [(timed.id, labels.index(timed.label)) for timed in found] == spoken_of


def test_the_last_time_before_a_cell() -> None:
    cells = [OUTPUT.format(id=name) + defined(name, hour) for hour, name in enumerate("abc")]
    document = opened("".join(cells))
    labels = [placed.label for placed in document.cells()]
    found = [last_time_before(document, label) for label in [*labels, labels[-1] + 1]]
    assert [None if timed is None else timed.id for timed in found] == [None, "a", "b", "c"]

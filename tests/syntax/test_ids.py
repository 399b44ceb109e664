"""Ids: their segments, and the next one that is free."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.syntax.ids import CellId, next_free, numbered


@given(st.lists(st.text("a1-", max_size=4), min_size=1, max_size=4))
def test_the_parts_of_an_id_make_it_up(segments: list[str]) -> None:
    cell_id = CellId(".".join(segments))
    assert cell_id.segments == segments
    assert (cell_id.root, cell_id.last) == (segments[0], segments[-1])
    assert cell_id.parent == ".".join(segments[:-1])
    assert cell_id.rest == ".".join(segments[1:])
    prefixes = list(cell_id.prefixes())
    assert [span.of(cell_id) for _, span in prefixes] == segments
    assert [name for name, _ in prefixes] == [
        ".".join(segments[:number]) for number in range(1, len(segments) + 1)
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("q12", ("q", "12")),
        ("q", ("q", "")),
        ("007", ("", "007")),
        ("", ("", "")),
        ("q1234567890123", ("q1234", "567890123")),
        ("q１２", ("q１２", "")),
    ],
)
def test_the_number_that_an_id_ends_in(text: str, parts: tuple[str, str]) -> None:
    assert numbered(text) == parts


def test_the_next_free_id_is_the_first_that_is_not_taken() -> None:
    taken = {"q07", "q08"}
    assert next_free("q", 7, taken.__contains__, 2) == "q09"
    assert next_free("q", 7, taken.__contains__) == "q7"

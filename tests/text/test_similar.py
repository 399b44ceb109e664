"""Names that are nearly alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text.similar import closest, distance


def slow_distance(one: str, other: str) -> int:
    """The definition, spelt out: letters added, left out, changed, neighbours swapped."""
    table = {(0, over): over for over in range(len(other) + 1)}
    for at in range(len(one) + 1):
        table[at, 0] = at
    for at in range(1, len(one) + 1):
        for over in range(1, len(other) + 1):
            same = one[at - 1] == other[over - 1]
            ways = [
                table[at - 1, over] + 1,
                table[at, over - 1] + 1,
                table[at - 1, over - 1] + (not same),
            ]
            if at > 1 and over > 1 and one[at - 2 : at] == other[over - 2 : over][::-1]:
                ways.append(table[at - 2, over - 2] + 1)
            table[at, over] = min(ways)
    return table[len(one), len(other)]


@given(st.text("abc", max_size=7), st.text("abc", max_size=7), st.integers(0, 4))
def test_the_distance_is_what_it_is_defined_as(one: str, other: str, most: int) -> None:
    assert distance(one, other, most) == min(slow_distance(one, other), most + 1)


@pytest.mark.parametrize(
    ("word", "candidates", "expected"),
    [
        ("hystory", ["summary", "history"], ["history"]),
        ("histroy", ["history"], ["history"]),
        ("hstry", ["history"], []),
        # Under six letters, one slip.
        ("tiem", ["time"], ["time"]),
        ("tie", ["time", "name"], ["time"]),
        ("tmm", ["time"], []),
        # Six letters, two.
        ("sttaus", ["status"], ["status"]),
        ("statsu", ["status"], ["status"]),
        ("sttatsu", ["status"], ["status"]),
        # Never the word itself; case is not a slip.
        ("name", ["name"], []),
        ("NAME", ["name"], ["name"]),
        # The nearest first, then as given; each once, and three at most.
        ("abcdef", ["abcdxy", "abcdex", "abcdey", "abcdex"], ["abcdex", "abcdey", "abcdxy"]),
        ("a1", ["a2", "b1", "a3", "a4"], ["a2", "b1", "a3"]),
        ("", ["a"], ["a"]),
    ],
)
def test_closest(word: str, candidates: list[str], expected: list[str]) -> None:
    assert closest(word, candidates) == expected


@pytest.mark.parametrize(
    ("most", "expected"), [(0, []), (1, ["time"]), (2, ["time", "lane"]), (-1, ["time"])]
)
def test_the_slips_that_are_allowed_can_be_said(most: int, expected: list[str]) -> None:
    assert closest("tame", ["lane", "time", "history"], most=most) == expected

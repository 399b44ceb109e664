"""The distance of two words, for every pair of short ones."""

from itertools import product

import pytest

from msgls.text.similar import closest, distance
from tests.text.test_similar import slow_distance

WORDS = ["".join(letters) for length in range(5) for letters in product("ab", repeat=length)]


@pytest.mark.parametrize("most", range(4))
def test_the_distance_of_short_words(most: int) -> None:
    for one, other in product(WORDS, repeat=2):
        assert distance(one, other, most) == min(slow_distance(one, other), most + 1), (one, other)


@pytest.mark.parametrize(
    ("most", "expected"),
    [(0, ["name"]), (1, ["name", "nam"]), (2, ["name", "nam", "nm"]), (-1, ["name", "nam"])],
)
def test_how_many_slips_are_allowed(most: int, expected: list[str]) -> None:
    assert closest("NAME", ["nm", "nam", "name"], most=most) == expected

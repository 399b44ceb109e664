"""What stays where something before and after it changes: runs of equal keys in the middle."""

import pytest

from msgls.conversation.comparison import matches


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ("XabcY", "ZabcW", [(1, 1), (2, 2), (3, 3)]),
        ("XabcY", "UVabcW", [(1, 2), (2, 3), (3, 4)]),
        ("pXabY", "pabW", [(0, 0), (2, 1), (3, 2)]),
        ("XabYcdZ", "UabVcdW", [(1, 1), (2, 2), (4, 4), (5, 5)]),
        ("XabYq", "Zabq", [(1, 1), (2, 2), (4, 3)]),
        ("Xpq", "YZpq", [(1, 2), (2, 3)]),
    ],
)
def test_runs_in_the_middle_are_paired(old: str, new: str, pairs: list[tuple[int, int]]) -> None:
    assert list(matches(old, new)) == pairs

"""What `make mutate` changes, which tests it runs for a change, and what it leaves out."""

from __future__ import annotations

import ast

import pytest

from tools.mutate import EQUAL, known_equal, sample_of
from tools.mutation.places import Place, all_places, places_of
from tools.mutation.reach import Reach


def changes(source: str) -> list[str]:
    return [place.describe().partition(": ")[2] for place in places_of("a.py", source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f():\n    return a < b", ["f: a < b -> a <= b"]),
        ("a is None", ["module: a is None -> a is not None"]),
        ("a and b", ["module: a and b -> a or b"]),
        ("not a", ["module: not a -> not not a"]),
        ("a + b", ["module: a + b -> a - b"]),
        ("a -= b", ["module: a -= b -> a += b"]),
        ("class A:\n    def f(self):\n        g()", ["A.f: g() -> None"]),
        ("if a:\n    pass", ["module: if a: -> if not a:"]),
        ("a[1:]", ["module: a[1:] -> a[2:]"]),
        ("a = True", ["module: a = True -> a = False"]),
        ("a = 0x7f", ["module: a = 127 -> a = 128"]),
        # Of no interest.
        ("a = 4096", []),
        ("MAX_DEPTH = 5", []),
        ("a < MAX_DEPTH", []),
        ("assert a is None", []),
        ("zip(a, b, strict=True)", ["module: zip(a, b, strict=True) -> None"]),
        ("@lru_cache(maxsize=1)\ndef f(a: Literal[1]) -> Literal[2]:\n    pass", []),
        ("a = Phrase('{n}', n=1)", []),
        ("if TYPE_CHECKING:\n    b = 1", []),
    ],
)
def test_what_is_changed(source: str, expected: list[str]) -> None:
    assert changes(source) == expected


def test_a_change_is_made_in_one_place() -> None:
    source = "def f(a, b):\n    return a < b and b < a\n"
    made = []
    for number in range(3):
        place = places_of("a.py", source)[number]
        before = ast.unparse(place.tree)
        place.make()
        made.append(ast.unparse(place.tree))
        assert before == source.strip()
    assert [text.partition("return ")[2] for text in made] == [
        "a < b or b < a",
        "a <= b and b < a",
        "a < b and b <= a",
    ]


def place_at(line: int, path: str = "formats/stf/lower.py") -> Place:
    (place,) = places_of(path, "def f():\n" + "\n" * (line - 2) + "    a < b\n")
    return place


def test_the_tests_that_reach_a_line_come_first_and_the_near_ones_before_the_far() -> None:
    reach = Reach()
    reach.add(
        {"tests/rules/test_a.py::far": 0.1, "tests/rules/test_a.py::elsewhere": 0.1},
        {"formats/stf/lower.py": {"5": ["tests/rules/test_a.py::far"]}},
    )
    near = "tests/formats/stf/test_lower.py::"
    reach.add(
        {f"{near}slow": 3.0, f"{near}fast": 1.0, f"{near}other_line": 0.1, f"{near}long": 90.0},
        {
            "formats/stf/lower.py": {
                "5": [f"{near}slow", f"{near}fast", f"{near}long", f"{near}failed"],
                "7": [f"{near}other_line"],
            }
        },
    )
    tests, seconds = reach.chosen(place_at(5))
    assert [test.partition("::")[2] for test in tests] == ["fast", "slow", "far", "other_line"]
    assert seconds == pytest.approx(4.2)
    assert reach.of_place(place_at(5))
    assert not reach.of_place(place_at(6))


@pytest.mark.parametrize("count", [1, 7, 100, 1_000])
def test_a_sample_is_spread_evenly_and_repeats(count: int) -> None:
    (one,) = places_of("a.py", "a < b")
    places = [one._replace(line=line) for line in range(500)]
    lines = sorted([place.line for place in sample_of(places, count, seed=3)])
    assert lines == sorted([place.line for place in sample_of(places, count, seed=3)])
    count = min(count, 500)
    assert [line * count // 500 for line in lines] == list(range(count))


def test_each_line_of_the_list_is_a_change_with_a_reason() -> None:
    described = {place.describe() for place in all_places()}
    assert {line for line in known_equal() if line in described}
    lines = [line for line in EQUAL.read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert [line.startswith("    ") for line in lines] == [False, True] * (len(lines) // 2)

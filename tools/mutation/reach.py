"""Which tests reach which lines of the program, and which of them to run for a change."""

from __future__ import annotations

from itertools import takewhile

from tools.mutation.places import Place

# Tests that take so long, all together, are run for a change: some lines are reached by all.
_SECONDS_OF_TESTS = 6.0


class Reach:
    """Which tests reach which lines, and how long each takes.

    A set of tests is a number, in which each test has its bit.
    """

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._bits: dict[str, int] = {}
        self._lines: dict[tuple[str, int], int] = {}
        self._files: dict[str, int] = {}

    def add(self, seconds: dict[str, float], reached: dict[str, dict[str, list[str]]]) -> None:
        """Learn about a file of tests. A test without a time did not pass, and is of no use."""
        self._seconds |= seconds
        for test in seconds:
            self._bits[test] = 1 << len(self._bits)
        for path, lines in reached.items():
            for line, tests in lines.items():
                mask = sum(self._bits.get(test, 0) for test in tests)
                self._lines[path, int(line)] = self._lines.get((path, int(line)), 0) | mask
                self._files[path] = self._files.get(path, 0) | mask

    def of_place(self, place: Place) -> int:
        """The tests that come by a place; none are known for what is done by an import."""
        mask = 0
        for line in place.lines:
            mask |= self._lines.get((place.path, line), 0)
        return mask

    def chosen(self, place: Place) -> tuple[list[str], float]:
        """The tests to run for a place, the most telling first, and the seconds they take.

        Those that reach only its file come last: values that are kept hide who needed them.
        """
        here, in_file = self.of_place(place), self._files.get(place.path) or -1

        def order(test: str) -> tuple[bool, int, float]:
            return not here & self._bits[test], -_nearness(place.path, test), self._seconds[test]

        chosen: list[str] = []
        total = 0.0
        for test in sorted((t for t, bit in self._bits.items() if in_file & bit), key=order):
            if not chosen or total + self._seconds[test] <= _SECONDS_OF_TESTS:
                chosen.append(test)
                total += self._seconds[test]
        return chosen, total


def _nearness(path: str, test: str) -> int:
    """How many folders a module and a test have in common; one more where the names fit."""
    file = test.partition("::")[0].removeprefix("tests/").replace("test_", "")
    pairs = zip(path.split("/"), file.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text import lines as module
from msgls.text.lines import (
    Encoding,
    column_to_units,
    count_breaks,
    cut_at,
    cut_lines,
    has_lone_carriage_return,
    line_bounds,
    line_starts,
    units_to_column,
    without_break,
)
from tests.text.naive import ENCODINGS, lines, naive_column, naive_lines, naive_units, texts

LINES = [
    ("", [0]),
    ("a", [0]),
    ("\n", [0, 1]),
    ("\r", [0, 1]),
    ("\r\n", [0, 2]),
    ("\n\r", [0, 1, 2]),
    ("\r\r\n\n", [0, 1, 3, 4]),
    ("a\nb\r\nc\rd", [0, 2, 5, 7]),
    ("a\n", [0, 2]),
    ("a\u2028b\u2029c\u0085d\fe\vf\x1cg", [0]),
    ("😀\n😀", [0, 2]),
]


@pytest.mark.parametrize(("text", "starts"), LINES)
def test_a_line_ends_at_three_breaks_and_nothing_else(text: str, starts: list[int]) -> None:
    assert line_starts(text) == starts
    assert count_breaks(text) == len(starts) - 1


@given(texts())
def test_starts_and_counts_are_those_of_the_naive_reading(text: str) -> None:
    expected = naive_lines(text)
    assert line_starts(text) == [line.start for line in expected]
    assert count_breaks(text) == len(expected) - 1
    assert has_lone_carriage_return(text) == any(line.ending == "\r" for line in expected)


@given(texts())
def test_bounds_of_the_line_around_every_offset(text: str) -> None:
    for line in naive_lines(text):
        end = line.start + len(line.content)
        for offset in range(line.start, end + 1):
            assert line_bounds(text, offset) == (line.start, end)
            assert line_bounds(text, offset, floor=line.start) == (line.start, end)


@pytest.mark.parametrize("ending", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("width", [0, 127, 128, 129, 640, 5_000])
def test_bounds_of_a_long_line(ending: str, width: int) -> None:
    text = "a" + ending + "x" * width + ending + "b" * 1_000
    start = 1 + len(ending)
    for offset in {start, start + width // 2, start + width}:
        assert line_bounds(text, offset) == (start, start + width)


def test_bounds_look_at_no_more_than_the_line() -> None:
    """The break that a text does not have at all must not be looked for to its ends."""
    looked_at: list[tuple[int, int]] = []

    class Watched(str):
        __slots__ = ()

        def find(self, wanted: str, *bounds: Any) -> int:
            looked_at.append(bounds)
            return super().find(wanted, *bounds)

        def rfind(self, wanted: str, *bounds: Any) -> int:
            looked_at.append(bounds)
            return super().rfind(wanted, *bounds)

    text = Watched("ab\r" * 1_000)
    assert line_bounds(text, 1_501) == (1_500, 1_502)
    assert looked_at
    assert all(1_300 < low <= high < 1_700 for low, high in looked_at)


@given(texts(40), st.integers(1, 12))
def test_cuts_are_whole_lines_of_about_the_limit(text: str, limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE_LIMIT", limit)
        pieces = list(cut_lines(text, 0, len(text)))
    assert "".join(pieces) == text
    assert all(pieces)
    for before, after in pairwise(pieces):
        assert before.endswith(("\n", "\r"))
        assert not (before.endswith("\r") and after.startswith("\n"))
    for piece in pieces:
        # What is over the limit is the end of its last line and no more.
        *others, last = [line for line in naive_lines(piece) if line.content or line.ending]
        assert last.start <= limit
        assert len(others) <= limit


def test_cuts_only_between_the_two_offsets() -> None:
    text = "a\n" * 20_000
    assert list(cut_lines(text, 10, 20)) == [text[10:20]]
    assert "".join(cut_lines(text, 2, 39_998)) == text[2:39_998]
    assert list(cut_lines(text, 10, 10)) == []


def test_what_is_just_too_long_is_cut_in_the_middle() -> None:
    """Or else every line typed in a full piece would leave a piece of one line behind it."""
    limit = module.PIECE_LIMIT
    text = "x" * 63 + "\n"
    pieces = list(cut_lines(text * (limit // 64 + 1), 0, limit + 64))
    assert len(pieces) == 2
    assert min(map(len, pieces)) > limit // 3


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ""),
        ("\n", ""),
        ("\r", ""),
        ("\r\n", ""),
        ("a\r\n", "a"),
        ("a\r\r\n", "a\r"),
        ("a\n\n", "a\n"),
        ("a\r\r", "a\r"),
        ("a\u2028", "a\u2028"),
        ("a \f", "a \f"),
    ],
)
def test_one_break_is_taken_off(line: str, expected: str) -> None:
    assert without_break(line) == expected


# "a" is 1 unit everywhere, "é" 2 in UTF-8, "漢" 3, "😀" 4 and 2 in UTF-16.
UNITS: list[tuple[str, Encoding, list[int]]] = [
    ("aé漢😀b", "utf-8", [0, 1, 3, 6, 10, 11]),
    ("aé漢😀b", "utf-16", [0, 1, 2, 3, 5, 6]),
    ("aé漢😀b", "utf-32", [0, 1, 2, 3, 4, 5]),
    ("e\u0301!", "utf-8", [0, 1, 3, 4]),
    ("e\u0301!", "utf-16", [0, 1, 2, 3]),
    ("\ud83d!", "utf-8", [0, 3, 4]),
    ("\ud83d\ude00!", "utf-16", [0, 1, 2, 3]),
    ("\ud83d\ude00!", "utf-8", [0, 3, 6, 7]),
    ("", "utf-16", [0]),
]


@pytest.mark.parametrize(("line", "encoding", "units"), UNITS)
def test_units_of_every_column(line: str, encoding: Encoding, units: list[int]) -> None:
    assert [column_to_units(line, column, encoding) for column in range(len(line) + 1)] == units
    assert [units_to_column(line, unit, encoding) for unit in units] == list(range(len(line) + 1))


@pytest.mark.parametrize(
    ("units", "encoding", "column"),
    [
        (1, "utf-16", 0),
        (2, "utf-16", 1),
        (1, "utf-8", 0),
        (3, "utf-8", 0),
        (4, "utf-8", 1),
        (-1, "utf-8", 0),
        (99, "utf-8", 2),
        (99, "utf-16", 2),
        (99, "utf-32", 2),
    ],
)
def test_inside_a_character_is_its_start(units: int, encoding: Encoding, column: int) -> None:
    assert units_to_column("😀a", units, encoding) == column


@given(lines(), st.sampled_from(ENCODINGS))
def test_units_and_columns_are_those_of_the_naive_reading(line: str, encoding: Encoding) -> None:
    for column in range(-2, len(line) + 3):
        units = column_to_units(line, column, encoding)
        assert units == naive_units(line, column, encoding)
        assert units_to_column(line, units, encoding) == min(max(column, 0), len(line))
    for units in range(-2, naive_units(line, len(line), encoding) + 3):
        assert units_to_column(line, units, encoding) == naive_column(line, units, encoding)


@given(lines())
def test_utf_8_units_are_bytes_and_utf_16_units_are_pairs_of_them(line: str) -> None:
    for column in range(len(line) + 1):
        head = line[:column]
        assert column_to_units(head, column, "utf-8") == len(head.encode("utf-8", "surrogatepass"))
        # A lone high surrogate before a lone low one is two code points, and two units.
        pairs = len(head.encode("utf-16-le", "surrogatepass")) // 2
        assert column_to_units(head, column, "utf-16") == pairs


def test_a_text_is_cut_where_pieces_start_and_where_they_are_too_long() -> None:
    text = "ab\n" * 10_000
    pieces = cut_at(text, [0, 3, 9, 9])
    assert "".join(pieces) == text
    assert pieces[:2] == ["ab\n", "ab\nab\n"]
    assert max(map(len, pieces)) <= module.PIECE_LIMIT
    assert len(pieces) == 4
    assert cut_at("", [0]) == []

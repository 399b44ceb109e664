"""Merging lines: what is taken, and what is a conflict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text.linediff import Conflict, Lines, merge_lines, split_lines, written

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=8)


def merged(base: str, ours: str, theirs: str) -> tuple[str, int]:
    lines = [[f"{letter}\n" for letter in text] for text in (base, ours, theirs)]
    text, conflicts = written(merge_lines(*lines))
    return text.replace("\n", ""), conflicts


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("", "", "", ""),
        ("abc", "abc", "abc", "abc"),
        ("abc", "Xbc", "abc", "Xbc"),
        ("abc", "abc", "abX", "abX"),
        ("abc", "Xbc", "abY", "XbY"),
        ("abc", "Xbc", "Xbc", "Xbc"),
        ("abc", "bc", "ab", "b"),
        ("abc", "aXbc", "abYc", "aXbYc"),
        ("abcde", "abcd", "bcde", "bcd"),
        ("", "a", "a", "a"),
        ("a", "", "", ""),
    ],
)
def test_changes_of_both_sides_are_taken(base: str, ours: str, theirs: str, result: str) -> None:
    assert merged(base, ours, theirs) == (result, 0)
    assert merged(base, theirs, ours) == (result, 0)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        ("abc", "aXc", "aYc", "a<<<<<<< oursX=======Y>>>>>>> theirsc"),
        ("abc", "ac", "aYc", "a<<<<<<< ours=======Y>>>>>>> theirsc"),
        ("", "X", "Y", "<<<<<<< oursX=======Y>>>>>>> theirs"),
        # What both have in common is outside.
        ("", "sXe", "sYe", "s<<<<<<< oursX=======Y>>>>>>> theirse"),
    ],
)
def test_different_changes_are_a_conflict(base: str, ours: str, theirs: str, result: str) -> None:
    assert merged(base, ours, theirs) == (result, 1)


def test_markers_stand_on_lines_of_their_own_and_are_as_long_as_wanted() -> None:
    lines = [split_lines(text) for text in ("a\nb", "a\nX", "a\nY")]
    text, conflicts = written(merge_lines(*lines), marker_size=9, newline="\r\n")
    assert conflicts == 1
    assert text == ("a\n<<<<<<<<< ours\r\nX\r\n=========\r\nY\r\n>>>>>>>>> theirs\r\n")


def test_only_line_breaks_end_lines() -> None:
    assert split_lines("a\u2028b\r\nc\rd\x0ce") == ["a\u2028b\r\n", "c\r", "d\x0ce"]
    assert split_lines("") == []


@given(LINES, LINES)
def test_what_only_one_side_changed_is_taken_as_it_is(base: list[str], other: list[str]) -> None:
    assert written(merge_lines(base, base, other)) == ("".join(other), 0)
    assert written(merge_lines(base, other, base)) == ("".join(other), 0)
    assert written(merge_lines(base, other, other)) == ("".join(other), 0)


@given(LINES, LINES, LINES)
def test_every_line_of_a_merge_is_from_one_of_the_sides(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    text, conflicts = written(merge_lines(base, ours, theirs))
    markers = {"<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n"}
    assert {*split_lines(text)} <= {*ours, *theirs} | (markers if conflicts else set())
    assert text.count("<<<<<<< ours\n") == text.count(">>>>>>> theirs\n") == conflicts


def test_a_conflict_after_a_line_that_does_not_end_begins_on_the_next() -> None:
    parts: list[Lines | Conflict] = [["a"], Conflict(["X\n"], ["Y\n"])]
    assert written(parts) == ("a\n<<<<<<< ours\nX\n=======\nY\n>>>>>>> theirs\n", 1)

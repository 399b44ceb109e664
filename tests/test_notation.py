"""The notation of the tables: what is marked is found, and written again."""

import pytest

from msgls.text.spans import Span
from tests.notation import mark, normal, table, unmark

SOURCES = {
    "nothing": "plain",
    "a range": "a «b» c",
    "an empty range": "a«» b",
    "a named range": "a «name|b» c",
    "a bar that names nothing": "«A|b» «|»",
    "nested ranges": "«a|x «b|y» z»",
    "nested from the same start": "«a|«b|y» z»",
    "nested to the same end": "«a|x «b|y»»",
    "side by side": "«a|x»«b|y»",
    "empty ones first": "«a|»«b|x»«c|»",
    "at both ends": "«a|x» … «b|y»",
    "across lines": "«a|x\r\ny\u2028»\n",
}


@table("source", SOURCES)
def test_what_is_taken_out_can_be_written_again(source: str) -> None:
    marked = unmark(source)
    assert mark(marked.text, marked.ranges) == source
    assert mark(marked.text, reversed(marked.ranges)) == source


def test_empty_ranges_at_a_mark() -> None:
    assert normal("«a|x«b|»»") == normal("«a|x»«b|»") == "«a|x»«b|»"
    assert normal("«a|«b|»x»") == normal("«b|»«a|x»") == "«b|»«a|x»"
    assert normal("«a|x«b|»y»") != normal("«a|x»«b|»y")


def test_ranges_and_cursors_by_offset() -> None:
    marked = unmark("ab«c«x|d¦e»f»g«x|»¦")
    assert marked.text == "abcdefg"
    assert marked.ranges == (("", Span(2, 6)), ("x", Span(3, 5)), ("x", Span(7, 7)))
    assert marked.span() == Span(2, 6)
    assert marked.spans("x") == [Span(3, 5), Span(7, 7)]
    assert marked.cursors == (4, 7)


def test_the_one_range_or_cursor_must_be_the_only_one() -> None:
    assert unmark("a¦b").cursor == 1
    with pytest.raises(ValueError, match="unpack"):
        _ = unmark("a¦b¦").cursor
    with pytest.raises(ValueError, match="unpack"):
        unmark("«a»«b»").span()


@pytest.mark.parametrize("ranges", [[Span(0, 2), Span(1, 3)], [Span(0, 9)], [Span(-1, 1)]])
def test_ranges_that_cannot_be_written(ranges: list[Span]) -> None:
    with pytest.raises(AssertionError):
        mark("abcd", [("", span) for span in ranges])


@pytest.mark.parametrize("source", ["«a", "«a|«b»"])
def test_a_range_must_be_closed(source: str) -> None:
    with pytest.raises(AssertionError):
        unmark(source)

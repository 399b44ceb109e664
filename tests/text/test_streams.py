"""What a program prints, as lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.text.streams import Lines, plain, shown


@pytest.mark.parametrize(
    ("printed", "lines", "rest"),
    [
        ("a\nb", ["a"], "b"),
        ("a\r\nb\r\n", ["a", "b"], ""),
        ("10%\r20%\r", [], "20%"),
        ("abc\rX\n", ["Xbc"], ""),
        ("ab\bc\n", ["ac"], ""),
        ("\x1b[31mred\x1b[0m\x1b]0;title\x07!\n", ["red!"], ""),
        ("a\x1b[3", [], "a"),
        ("\x00\ud800\u2028x\n", ["\ufffd\u2028x"], ""),
    ],
)
def test_lines(printed: str, lines: list[str], rest: str) -> None:
    stream = Lines()
    assert stream.take(printed) == lines
    assert stream.rest == rest


@given(st.lists(st.sampled_from(["a", "bc", "\n", "\r", "\b", "\x1b[31m", "\x1b", "[0m"])))
def test_where_it_is_cut_makes_no_difference(pieces: list[str]) -> None:
    whole, parts = Lines(), Lines()
    at_once = whole.take("".join(pieces))
    assert at_once == [line for piece in pieces for line in parts.take(piece)]
    assert whole.rest == parts.rest


def test_a_line_without_end_is_cut() -> None:
    stream = Lines()
    assert len(stream.take("x" * 150_000)) == 1
    assert stream.is_cut
    assert stream.rest == ""
    assert stream.take("y\n") == ["y"]
    assert not stream.is_cut
    assert shown("a") == plain("a") == "a"

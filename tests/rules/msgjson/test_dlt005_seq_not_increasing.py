"""DLT005: a seq that repeats or goes back."""

from tests.formats.msgjson.made_up import done, dump, start, text
from tests.rules.msgjson.marked import DELTAS, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT005"


def test_a_seq_that_repeats_is_found() -> None:
    expect_lines(CODE, at(start()), at(text(1)), at(text(1), 1), at(done(2)))


def test_a_seq_that_goes_back_is_found_once() -> None:
    expect_lines(CODE, at(start()), at(text(500)), at(text(2), 2), at(text(3)), at(done(4)))


def test_the_text_names_both() -> None:
    expect(CODE, at(start(7)) + at(text(3), 3), "`seq` must increase: 3 follows 7", path=DELTAS)


def test_numbers_of_any_length() -> None:
    line = dump(start(12345)).replace("12345", "9" * 4_000)
    expect(CODE, line + at(text(1), 1), path=DELTAS)


def test_increasing_numbers_are_not_found() -> None:
    expect_no_lines(CODE, start(-3), text(0), text(10), done(11), start(0), done(1))
    expect_no_lines(CODE, start(5), start(0, "q", "other"), text(6), text(1, "x", "other"))
    expect_no_lines(CODE, start(5), {**text(1), "seq": "x"}, text(6))


def test_it_follows_edits() -> None:
    source = dump(start(), text(1), text(2), text(3))
    counts = expect_follows(
        CODE, source, ('"seq": 2', '"seq": 9'), ('"seq": 9', '"seq": 2'), path=DELTAS
    )
    assert counts == [0, 1, 0]

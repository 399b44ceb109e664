"""DLT006: calls without a start or an end."""

from tests.formats.msgjson.made_up import call_args, call_end, call_start, done, dump, error, start
from tests.rules.msgjson.marked import DELTAS, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT006"


def test_arguments_without_a_start_are_found_once() -> None:
    first = at(call_args(1, "{", "c9"), "c9")
    expect_lines(CODE, at(start()), first, at(call_args(2, "}", "c9")), at(done(3)))


def test_an_end_without_a_start_is_found() -> None:
    expect_lines(CODE, at(start()), at(call_end(1, "c9"), "c9"), at(done(2)))


def test_arguments_after_the_end_are_found() -> None:
    opened = at(start()) + at(call_start(1)) + at(call_end(2))
    expect_lines(CODE, opened, at(call_args(3), "c1"), at(done(4)))


def test_a_start_without_an_end_is_found_at_the_start() -> None:
    expect_lines(CODE, at(start()), at(call_start(1), "c1"), at(call_args(2)), at(done(3)))


def test_long_ids_are_found_too() -> None:
    long = "call-" * 40
    expect_lines(CODE, at(start()), at(call_end(1, long), long), at(done(2)))


def test_the_texts() -> None:
    source = at(start()) + at(call_start(1), "c1") + at(call_end(2, "c2"), "c2") + at(done(3))
    expect(
        CODE,
        source,
        "the tool call `c1` has no `tool_call_end`, but its stream has ended",
        "the tool call `c2` is not open: there is no `tool_call_start` before it",
        path=DELTAS,
    )


def test_pairs_are_not_found() -> None:
    expect_no_lines(
        CODE,
        start(),
        call_start(1),
        call_start(2, "c2"),
        call_args(3, "{", "c2"),
        call_end(4),
        call_args(5, "}", "c2"),
        call_end(6, "c2"),
        done(7),
    )


def test_a_stream_that_breaks_off_or_grows_is_not_found() -> None:
    expect_no_lines(CODE, start(), call_start(1), error(2))
    expect_no_lines(CODE, start(), call_start(1), call_args(2, "{"))


def test_it_follows_edits() -> None:
    source = dump(start(), call_start(1), call_args(2), call_end(3), done(4))
    counts = expect_follows(
        CODE,
        source,
        (dump(call_end(3)), ""),
        (dump(done(4)), ""),
        (dump(call_start(1)), ""),
        ('"c1"', '"c2"'),
        path=DELTAS,
    )
    assert counts == [0, 1, 0, 1, 1]

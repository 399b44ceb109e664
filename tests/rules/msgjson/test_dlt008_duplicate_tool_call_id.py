"""DLT008: an id that two calls of a run have."""

from tests.formats.msgjson.made_up import (
    call,
    call_end,
    call_start,
    done,
    dump,
    entry,
    message,
    start,
)
from tests.rules.msgjson.marked import DELTAS, SESSION, at, expect_lines, expect_no_lines
from tests.rules.support import expect_follows

CODE = "DLT008"


def test_a_second_start_of_an_id_is_found() -> None:
    first = at(start()) + at(call_start(1)) + at(call_end(2)) + at(done(3))
    expect_lines(CODE, first, at(start(0, "q2")), at(call_start(1), "c1"))


def test_a_second_part_of_an_id_is_found() -> None:
    expect_lines(CODE, at(message("assistant", call())), at(message("assistant", call()), "c1"))


def test_two_parts_of_one_message_are_found() -> None:
    line = at(message("assistant", call("c1"), call("c2"), call("c3")))
    expect_lines(CODE, line.replace('"c3"', '«"c1"»'))


def test_other_runs_and_what_a_stream_said_are_not_found() -> None:
    expect_no_lines(CODE, start(), call_start(1), start(0, "q", "o"), call_start(1, "c1", "o"))
    expect_no_lines(CODE, message("assistant", call()), message("assistant", call(), run="o"))
    batch = [start(), call_start(1), call_end(2), done(3)]
    stored = message("assistant", call())
    expect_no_lines(CODE, *batch, stored)
    entries = entry("message_delta_batch", batch), entry("message", stored)
    expect_no_lines(CODE, *entries, path=SESSION)


def test_it_follows_edits() -> None:
    source = dump(message("assistant", call("c1")), message("assistant", call("c2")))
    counts = expect_follows(CODE, source, ('"c2"', '"c1"'), ('"c1"', '"c3"'), path=DELTAS)
    assert counts == [0, 1, 0]

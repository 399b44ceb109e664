"""DLT003: a stream without a start, or with two."""

from tests.formats.msgjson.made_up import call_start, done, dump, start, text
from tests.rules.msgjson.marked import DELTAS, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT003"


def test_the_first_delta_without_a_start_is_found() -> None:
    expect_lines(CODE, at(text(1), "text"), at(text(2)), at(done(3)))
    expect_lines(CODE, at(start()), at(done(1, "other"), "done"), at(done(1)))


def test_a_start_that_repeats_is_found() -> None:
    expect_lines(CODE, at(start()), at(start(1), "start"), at(done(2)))


def test_a_second_stream_in_the_same_run_is_none() -> None:
    expect_no_lines(CODE, start(), done(1), start(2), text(3), done(4))


def test_a_start_of_another_request_is_the_end_that_is_missing() -> None:
    expect_no_lines(CODE, start(0, "q1"), start(1, "q2"), done(2))


def test_a_start_with_a_wrong_payload_is_a_start() -> None:
    broken = {**start(), "payload": {}}
    expect_no_lines(CODE, broken, text(1), done(2))


def test_the_texts() -> None:
    expect(
        CODE,
        at(call_start(1), "tool_call_start"),
        "a stream of run `r` continues here without a `start`",
        path=DELTAS,
    )


def test_it_follows_edits() -> None:
    source = dump(start(), text(1), text(2), done(3))
    counts = expect_follows(
        CODE,
        source,
        (dump(start()), ""),
        (dump(text(1)), dump(start(), text(1))),
        ('"runId": "r"', '"runId": "s"'),
        path=DELTAS,
    )
    assert counts == [0, 1, 0, 1]


def test_a_stream_that_says_nothing_for_long_has_its_start_all_the_same() -> None:
    others = [start(0, "q", "o"), *[text(seq, "x", "o") for seq in range(1, 400)]]
    expect_no_lines(CODE, start(), *others, text(1), done(2))
    quiet = [at(wire) for wire in others]
    expect_lines(
        CODE,
        at(start()),
        at(done(1)),
        *quiet,
        at(text(2)).replace('"r"', '"s"').replace('"text"', '«"text"»', 1),
    )

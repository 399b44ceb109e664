"""DLT009: results of calls that are not there, or not yet."""

from tests.formats.msgjson.made_up import call, call_start, dump, entry, message, result, start
from tests.rules.msgjson.marked import DELTAS, SESSION, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT009"
CALL = message("assistant", call())
RESULT = message("tool", result())


def test_a_result_without_a_call_is_found() -> None:
    expect_lines(CODE, at(CALL), at(message("tool", result("c9")), "c9"))


def test_a_result_before_its_call_is_found() -> None:
    expect_lines(CODE, at(RESULT, "c1"), at(CALL))
    source = at(RESULT, "c1") + at(CALL)
    expect(CODE, source, "the tool call `c1` comes only after this result", path=DELTAS)


def test_a_call_of_another_run_is_none() -> None:
    expect_lines(CODE, at(message("assistant", call(), run="o")), at(RESULT, "c1"))


def test_results_of_calls_are_not_found() -> None:
    expect_no_lines(CODE, CALL, RESULT)
    expect_no_lines(CODE, start(), call_start(1), RESULT)
    expect_no_lines(CODE, entry("message", CALL), entry("message", RESULT), path=SESSION)


def test_it_follows_edits() -> None:
    source = dump(CALL, RESULT)
    counts = expect_follows(
        CODE, source, (dump(CALL), ""), (dump(RESULT), dump(RESULT, CALL)), path=DELTAS
    )
    assert counts == [0, 1, 1]

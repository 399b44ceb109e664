"""DLT010: two results of one call."""

from tests.formats.msgjson.made_up import call, dump, message, result
from tests.rules.msgjson.marked import DELTAS, at, expect_lines, expect_no_lines
from tests.rules.support import expect_follows

CODE = "DLT010"
CALL = message("assistant", call("c1"), call("c2"))
RESULT = message("tool", result())


def test_a_second_result_is_found() -> None:
    expect_lines(CODE, at(CALL), at(RESULT), at(RESULT, "c1"))


def test_two_results_in_one_message_are_found() -> None:
    line = at(message("tool", result("c1"), result("c2")))
    expect_lines(CODE, line.replace('"c2"', '«"c1"»'))


def test_one_result_each_is_not_found() -> None:
    expect_no_lines(CODE, CALL, message("tool", result("c1"), result("c2")))
    expect_no_lines(CODE, RESULT, message("tool", result(), run="o"))


def test_it_follows_edits() -> None:
    counts = expect_follows(CODE, dump(CALL, RESULT, RESULT), (dump(RESULT), ""), path=DELTAS)
    assert counts == [1, 0]


def test_further_results_of_a_message_file_are_not_found() -> None:
    first = {**RESULT, "meta": {"results": [{"n": 1}]}}
    second = {**RESULT, "meta": {"results": [{"n": 2}], "history": "exclude"}}
    expect_no_lines(CODE, CALL, first, second)
    counts = expect_follows(CODE, dump(CALL, first, second), ('"n": 2', '"n": 1'), path=DELTAS)
    assert counts == [0, 1]

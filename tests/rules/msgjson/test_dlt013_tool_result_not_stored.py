"""DLT013: results that are in no message entry of their session."""

from tests.formats.msgjson.made_up import call, dump, entry, message, result
from tests.rules.msgjson.marked import SESSION, at, expect_lines, expect_no_lines
from tests.rules.support import expect_follows, expect_nothing

CODE = "DLT013"
LOOSE = entry("tool_end", {"toolCallId": "c1", "isError": False, "content": "ok"}, runId="r")
STORED = entry("message", message("tool", result()))
CALL = entry("message", message("assistant", call()))


def test_a_result_in_another_entry_is_found() -> None:
    expect_lines(CODE, at(CALL), at(LOOSE, "c1"), path=SESSION)
    loose = entry("part", result("c7"), runId="r")
    expect_lines(CODE, at(CALL), at(loose, "c7"), path=SESSION)


def test_a_result_in_a_line_that_is_not_an_entry_is_found() -> None:
    expect_lines(CODE, at(CALL), at(message("tool", result()), "c1"), path=SESSION)


def test_a_result_that_is_stored_too_is_not_found() -> None:
    expect_no_lines(CODE, CALL, LOOSE, STORED, path=SESSION)
    without_run = {key: value for key, value in LOOSE.items() if key != "runId"}
    expect_no_lines(CODE, CALL, without_run, STORED, path=SESSION)


def test_a_result_of_another_run_does_not_count() -> None:
    other = entry("message", message("tool", result(), run="o"))
    expect_lines(CODE, at(LOOSE, "c1"), at(other), path=SESSION)


def test_outside_of_sessions_nothing_is_stored() -> None:
    expect_nothing(CODE, dump(message("tool", result())), "a.messages.jsonl")


def test_other_entries_that_name_a_call_are_not_found() -> None:
    expect_no_lines(CODE, entry("tool_start", {"toolCallId": "c1", "name": "x"}), path=SESSION)


def test_it_follows_edits() -> None:
    counts = expect_follows(CODE, dump(CALL, LOOSE, STORED), (dump(STORED), ""), path=SESSION)
    assert counts == [0, 1]

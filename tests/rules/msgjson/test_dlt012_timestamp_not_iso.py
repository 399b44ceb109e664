"""DLT012: timestamps that are none."""

from tests.formats.msgjson.made_up import entry, message, start, text
from tests.rules.msgjson.marked import DELTAS, SESSION, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT012"


def test_other_times_are_found() -> None:
    expect_lines(
        CODE,
        at(start()),
        at({**text(1), "timestamp": "yesterday"}, "yesterday"),
        at({**message("user"), "timestamp": "1767322245"}, "1767322245"),
    )


def test_entries_and_what_they_hold_are_found() -> None:
    inner = {**message("user"), "timestamp": "soon"}
    expect(CODE, at(entry("message", inner, timestamp="now"), "now", "soon"), path=SESSION)


def test_times_are_not_found() -> None:
    expect_no_lines(CODE, start(), message("user"), {**text(1), "timestamp": 5})


def test_it_follows_edits() -> None:
    source = at({**text(1), "timestamp": "now"})
    assert expect_follows(CODE, source, ("now", "2026-01-02T03:04:05Z"), path=DELTAS) == [1, 0]

"""DLT014: tool calls that nothing answers while the conversation goes on."""

from msgls.rules.registry import BY_CODE
from tests.formats.msgjson.made_up import (
    call,
    call_end,
    call_start,
    dump,
    entry,
    message,
    result,
    said,
    start,
)
from tests.rules.msgjson.marked import DELTAS, SESSION, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows

CODE = "DLT014"
CALL = message("assistant", said("Hm."), call())
USER = message("user", said("Well?"))
RESULT = message("tool", result())


def test_a_call_before_the_last_user_message_is_found() -> None:
    expect_lines(CODE, at(CALL, "c1"), at(USER), at(CALL))
    expect_lines(
        CODE,
        at(message("assistant", call("a"), call("b")), "b"),
        at(message("tool", result("a"))),
        at(USER),
    )
    assert BY_CODE[CODE].severity.label == "info"


def test_what_it_says() -> None:
    expect(
        CODE,
        at(CALL, "c1") + at(USER),
        "the tool call `c1` has no result, but the conversation continues",
        path=DELTAS,
    )


def test_many_messages_on_one_line() -> None:
    line = dump([CALL, USER]).replace('"c1"', '«"c1"»')
    expect(CODE, line, path=DELTAS)
    expect(CODE, dump([USER, CALL]), path=DELTAS)


def test_in_the_last_turn_a_result_may_come() -> None:
    expect_no_lines(CODE, USER, CALL)
    expect_no_lines(CODE, USER, CALL, message("assistant", said("Still looking.")))


def test_what_is_answered_is_not_found() -> None:
    expect_no_lines(CODE, CALL, RESULT, USER)
    expect_no_lines(CODE, CALL, USER, RESULT, USER)
    expect_no_lines(CODE, CALL, message("tool", result(), run="other"), USER)


def test_a_stream_has_no_results() -> None:
    expect_no_lines(CODE, start(), call_start(1), call_end(2), USER)


def test_sessions() -> None:
    stored, user = entry("message", CALL), entry("message", USER)
    expect_lines(CODE, at(stored, "c1"), at(user), path=SESSION)
    loose = entry("tool_end", {"toolCallId": "c1", "isError": False, "content": "ok"}, runId="r")
    expect_no_lines(CODE, stored, loose, user, path=SESSION)


def test_it_follows_edits() -> None:
    source = dump(CALL, USER, RESULT)
    edits = ((dump(RESULT), ""), ('"user"', '"system"'), ('"system"', '"user"'))
    assert expect_follows(CODE, source, *edits, path=DELTAS) == [0, 1, 0, 1]

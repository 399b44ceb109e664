"""DLT002: what has not the shape of a message, a delta or an entry."""

import re

import pytest

from msgls.conversation.messages import as_reason
from msgls.text.translation import CHINESE, say
from tests.formats.msgjson.made_up import (
    delta,
    done,
    entry,
    message,
    part,
    result,
    said,
    start,
    text,
)
from tests.rules.msgjson.marked import SESSION, at, expect_lines, expect_no_lines
from tests.rules.support import expect, expect_follows, find

CODE = "DLT002"


@pytest.mark.parametrize(
    "line",
    [
        at({**text(1), "seq": "seven"}, "seven"),
        at({**text(1), "seq": 1.5}, 1.5),
        at({**text(1), "seq": True}, True),
        at({**text(1), "kind": "word"}, "word"),
        at({**text(1), "payload": [3]}, [3]),
        at({**text(1), "timestamp": None}, None),
        at({**text(1), "providerRaw": "raw"}, "raw"),
        at(delta(1, "usage", inputTokens=1, outputTokens=2, totalTokens="x"), "x"),
        at(delta(1, "error", errorCode=404), 404),
        at({**message("user"), "role": "robot"}, "robot"),
        at({**message("user"), "parts": {"a": 1}}, {"a": 1}),
        at(message("user", part("text", text=["x"])), ["x"]),
        at(message("user", part("song", text="x")), "song"),
        at(message("tool", result("c1", 77)), 77),
        at(message("tool", result("c1", [part("text", text=88)])), 88),
        at({**message("user"), "meta": "m"}, "m"),
        '«{»"runId": "r", "role": "user", "parts": []}\n',
        at({**text(1), "payload": {}}).replace("{}", "«{»}"),
        "«{}»\n",
        "«5»\n",
        '«"text"»\n',
        '«{»"kind": "done", "seq": 1, "runId": "r", "timestamp": "t"}\n',
    ],
)
def test_what_has_a_wrong_shape_is_found(line: str) -> None:
    good = at(start()) + at(message("user", said("x")))
    expect(CODE, good + line, path="a.deltas.jsonl")
    expect(CODE, "[\n  " + line.rstrip("\n") + "\n]\n", path="a.messages.json")


@pytest.mark.parametrize(
    "line",
    [
        at({**entry("message", message("user")), "id": 3}, 3),
        at(entry("message", "none"), "none"),
        at(entry("message", message("user", part("text", text=555))), 555),
        at(entry("message_delta_batch", "none"), "none"),
        at(entry("message_delta_batch", {"deltas": [{**text(1), "seq": "a"}]}), "a"),
        at(entry("message_delta_batch", [{**text(1), "seq": "a"}]), "a"),
        '«{»"type": "message", "id": "e", "timestamp": "t"}\n',
    ],
)
def test_entries_are_looked_into(line: str) -> None:
    expect(CODE, line, path=SESSION)


def test_the_text_names_path_and_reason() -> None:
    line = at(message("user", part("text", text=5)), 5)
    expect(
        CODE, line, "`parts.0.payload.text`: input should be a valid string", path="a.deltas.jsonl"
    )


@pytest.mark.parametrize(
    ("said_by_the_model", "english", "chinese"),
    [
        ("Field required", "field required", "缺少此字段"),
        ("Input should be 'a'", "input should be 'a'", "应为 'a'"),
        ("Input should be 'a' or 'b'", "input should be 'a' or 'b'", "应为 'a' 或 'b'"),
        (
            "Input should be 'a', 'b' or 'c'",
            "input should be 'a', 'b' or 'c'",
            "应为 'a'、'b' 或 'c'",
        ),
        (
            "Input should be one of 'a', 'b'",
            "input should be one of 'a', 'b'",
            "应为以下之一：'a'、'b'",
        ),
    ],
)
def test_the_reason_is_said_in_both_languages(
    said_by_the_model: str, english: str, chinese: str
) -> None:
    reason = as_reason(said_by_the_model)
    assert str(reason) == english
    assert say(reason, CHINESE) == chinese


@pytest.mark.parametrize(
    "wire",
    [
        {**message("user"), "role": "robot"},
        {**message("user"), "parts": {"a": 1}},
        message("user", part("song", text="x")),
        message("assistant", part("tool_call", toolCallId="c1", toolName="t")),
        {**message("user"), "meta": "m"},
        {**text(1), "kind": "word"},
        {**text(1), "seq": "seven"},
        delta(1, "usage", inputTokens=1, outputTokens=2, totalTokens=3, cost="dear"),
    ],
)
def test_no_reason_is_left_in_english(wire: dict[str, object]) -> None:
    _, problems = find(CODE, at(wire), "a.deltas.jsonl")
    assert problems
    for problem in problems:
        shown = say(problem.args["reason"], CHINESE)
        assert "should" not in shown
        assert re.search("[\u4e00-\u9fff]", shown), shown


def test_sound_values_are_not_found() -> None:
    expect_no_lines(
        CODE,
        start(),
        {**text(1), "providerRaw": None, "anything": [1]},
        delta(2, "usage", inputTokens=1, outputTokens=2, totalTokens=3, cost={"a": 0.1}),
        done(3),
        message("user", said("x"), meta=None, more={}),
        message("tool", result("c1", {"any": "thing"})),
        [start(), message("user")],
        path="a.deltas.jsonl",
    )
    expect_no_lines(CODE, entry("whatever", None), entry("message", message("user")), path=SESSION)


def test_it_is_found_in_any_layout() -> None:
    expect_lines(CODE, at(start()), at({**text(1), "seq": "seven"}, "seven"), at(done(2)))


def test_it_follows_edits() -> None:
    source = at(start()) + at({**text(1), "seq": "seven"})
    counts = expect_follows(
        CODE, source, ('"seven"', "7"), ('"start"', '"stop"'), path="a.deltas.jsonl"
    )
    assert counts == [1, 0, 1]

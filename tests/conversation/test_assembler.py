"""Assembly of deltas: every sentence of the contract, traces, and any message cut anyhow."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.assembler import Assembler, ProblemKind, StreamProblem, parse_arguments
from msgls.conversation.messages import Message, delta_from_wire
from msgls.formats.msgjson.shapes import is_delta
from tests.strategies import json_objects, texts

TIME = "2026-01-02T03:04:05Z"
HEAD = {"modelId": "m", "requestId": "q"}

Wire = dict[str, Any]


def delta(seq: int, kind: str, *, run: str = "r", **payload: Any) -> Wire:
    return {"runId": run, "seq": seq, "kind": kind, "payload": payload, "timestamp": TIME}


def start(seq: int = 0, request: str = "q", run: str = "r") -> Wire:
    return delta(seq, "start", run=run, modelId="m", requestId=request)


def text(seq: int, said: str, kind: str = "text", run: str = "r") -> Wire:
    return delta(seq, kind, run=run, textDelta=said)


def call_start(seq: int, call: str = "c1", tool: str = "find") -> Wire:
    return delta(seq, "tool_call_start", toolCallId=call, toolName=tool)


def call_args(seq: int, said: str, call: str = "c1") -> Wire:
    return delta(seq, "tool_call_args", toolCallId=call, argsTextDelta=said)


def call_end(seq: int, call: str = "c1") -> Wire:
    return delta(seq, "tool_call_end", toolCallId=call)


def usage(seq: int, output: int) -> Wire:
    return delta(seq, "usage", inputTokens=1, outputTokens=output, totalTokens=1 + output)


def done(seq: int, run: str = "r") -> Wire:
    return delta(seq, "done", run=run, finishReason="stop")


def error(seq: int) -> Wire:
    return delta(seq, "error", errorCode="overloaded")


def assemble(deltas: Sequence[Wire]) -> tuple[list[Wire], list[tuple[str, int]]]:
    """The messages, and the problems with their places; all that comes in and out is sound."""
    assembler = Assembler()
    messages = []
    for place, wire in enumerate(deltas):
        assert is_delta(wire)
        delta_from_wire(wire)
        found = assembler.add(wire, place)
        if found is not None:
            assert found.last_place == place
            Message.from_wire(found.message)
            messages.append(found.message)
    problems = [*assembler.problems, *assembler.not_ended()]
    return messages, [(problem.kind.value, problem.place) for problem in problems]


def parts_of(message: Wire) -> list[tuple[str, Any]]:
    """The parts in short: kind and what they say."""
    shown: list[tuple[str, Any]] = []
    for part in message["parts"]:
        payload = part["payload"]
        said = payload.get("text", payload.get("arguments", payload.get("rawArgsText")))
        shown.append((part["kind"], said))
    return shown


# -- traces ---------------------------------------------------------------------------------


def test_text_only() -> None:
    messages, problems = assemble([start(), text(1, "Hel"), text(2, "lo"), done(3)])
    assert messages == [
        {
            "runId": "r",
            "role": "assistant",
            "parts": [{"kind": "text", "payload": {"text": "Hello"}}],
            "timestamp": TIME,
            "meta": {**HEAD, "finishReason": "stop"},
        }
    ]
    assert problems == []


def test_thinking_then_text() -> None:
    deltas = [start(), text(1, "H", "thinking"), text(2, "m", "thinking"), text(3, "Yes"), done(4)]
    messages, problems = assemble(deltas)
    assert parts_of(messages[0]) == [("thinking", "Hm"), ("text", "Yes")]
    assert problems == []


def test_a_part_is_a_contiguous_run() -> None:
    deltas = [start(), text(1, "a"), text(2, "b", "thinking"), text(3, "c"), done(4)]
    messages, _ = assemble(deltas)
    assert parts_of(messages[0]) == [("text", "a"), ("thinking", "b"), ("text", "c")]


def test_two_tool_calls_with_interleaved_arguments() -> None:
    deltas = [
        start(),
        text(1, "Let me see."),
        call_start(2, "c1", "find"),
        call_start(3, "c2", "read"),
        call_args(4, '{"a"', "c1"),
        call_args(5, "{}", "c2"),
        call_args(6, ": 1}", "c1"),
        call_end(7, "c2"),
        call_end(8, "c1"),
        done(9),
    ]
    messages, problems = assemble(deltas)
    expected = [("text", "Let me see."), ("tool_call", {"a": 1}), ("tool_call", {})]
    assert parts_of(messages[0]) == expected
    names = [part["payload"].get("toolName") for part in messages[0]["parts"]]
    assert names == [None, "find", "read"]
    assert problems == []


@pytest.mark.parametrize("said", ["{'a': 1}", '{"a": 1', " ", "[1]", "3", "null", '{"a": NaN}'])
def test_broken_arguments(said: str) -> None:
    messages, problems = assemble(
        [start(), call_start(1), call_args(2, said), call_end(3), done(4)]
    )
    assert messages[0]["parts"][0]["payload"] == {
        "toolCallId": "c1",
        "toolName": "find",
        "rawArgsText": said,
    }
    assert messages[0]["meta"]["parseErrors"] == ["c1"]
    assert [kind for kind, _ in problems] == ["arguments-unparsable"]


@pytest.mark.parametrize("args", [[], [call_args(2, "")]])
@pytest.mark.parametrize("end", [[call_end(3)], []])
def test_a_call_without_arguments_has_none(args: list[Wire], end: list[Wire]) -> None:
    messages, _ = assemble([start(), call_start(1), *args, *end, done(4)])
    assert messages[0]["parts"][0]["payload"]["arguments"] == {}
    assert "parseErrors" not in messages[0]["meta"]


def test_unparsable_arguments_are_found_where_they_break() -> None:
    deltas = [
        call_start(1),
        call_args(2, '{"a": '),
        call_args(3, "x"),
        call_args(4, "}"),
        call_end(5),
    ]
    assert assemble([start(), *deltas, done(6)])[1] == [("arguments-unparsable", 3)]
    deltas = [call_start(1), call_args(2, '{"a": 1'), call_end(3)]
    assert assemble([start(), *deltas, done(4)])[1] == [("arguments-unparsable", 3)]


def test_usage_twice_and_it_breaks_no_run() -> None:
    deltas = [start(), text(1, "a"), usage(2, 5), text(3, "b"), usage(4, 9), done(5)]
    messages, problems = assemble(deltas)
    assert parts_of(messages[0]) == [("text", "ab")]
    assert messages[0]["meta"]["usage"] == usage(4, 9)["payload"]
    assert problems == []


def test_error_in_the_middle() -> None:
    messages, problems = assemble([start(), text(1, "a"), error(2), start(0, "q2"), done(1)])
    assert [message["meta"]["requestId"] for message in messages] == ["q2"]
    assert problems == []


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        ({}, "overloaded"),
        ({"message": "Try later."}, "overloaded: Try later."),
        ({"retryable": True}, "overloaded (it can be retried)"),
        ({"message": "No.", "retryable": False}, "overloaded: No. (it cannot be retried)"),
    ],
)
def test_a_stream_that_ends_in_an_error_says_what_came(payload: Wire, told: str) -> None:
    assembler = Assembler()
    ended = delta(2, "error", errorCode="overloaded", **payload)
    for place, wire in enumerate([start(), text(1, "half"), ended]):
        assert assembler.add(wire, place) is None
    [failure] = assembler.failures
    assert (
        failure.description
        == f"the stream of run `r` ends in an error and yields no message: {told}"
    )
    assert (failure.run_id, failure.first_place, failure.last_place) == ("r", 0, 2)
    Message.from_wire(failure.partial)
    assert parts_of(failure.partial) == [("text", "half")]
    assert failure.partial["meta"]["error"] == {"errorCode": "overloaded", **payload}


def test_streams_that_do_not_end_say_what_came() -> None:
    assembler = Assembler()
    for place, wire in enumerate([start(), text(1, "a"), start(2, "p"), text(3, "b")]):
        assembler.add(wire, place)
    failed = [*assembler.failures, *assembler.unfinished()]
    assert [(parts_of(f.partial), f.error) for f in failed] == [
        ([("text", "a")], None),
        ([("text", "b")], None),
    ]


def test_models_are_taken_as_well() -> None:
    assembler = Assembler()
    deltas = [start(), text(1, "a"), done(2)]
    found = [assembler.add(delta_from_wire(wire)) for wire in deltas]
    assert found[-1] is not None
    assert parts_of(found[-1].message) == [("text", "a")]


def test_no_terminal() -> None:
    messages, problems = assemble([start(), text(1, "a")])
    assert messages == []
    assert problems == [("not-ended", 0)]


def test_second_start_in_the_same_run() -> None:
    ended = [start(), text(1, "a"), done(2), start(3, "p"), text(4, "b"), done(5)]
    messages, problems = assemble(ended)
    assert [parts_of(message) for message in messages] == [[("text", "a")], [("text", "b")]]
    assert problems == []
    messages, problems = assemble([start(), text(1, "a"), start(2, "p"), text(3, "b"), done(4)])
    assert [parts_of(message) for message in messages] == [[("text", "b")]]
    assert problems == [("terminal-missing", 2)]


def test_seq_that_repeats() -> None:
    messages, problems = assemble([start(), text(1, "a"), text(1, "b"), done(2)])
    assert parts_of(messages[0]) == [("text", "ab")]
    assert problems == [("seq-not-increasing", 2)]


def test_a_call_that_is_not_ended_keeps_its_text() -> None:
    messages, problems = assemble([start(), call_start(1), call_args(2, '{"a"'), done(3)])
    assert parts_of(messages[0]) == [("tool_call", '{"a"')]
    assert "parseErrors" not in messages[0]["meta"]
    assert problems == [("call-not-ended", 1)]


@pytest.mark.parametrize(
    ("deltas", "expected"),
    [
        ([text(1, "a"), text(2, "b"), done(3)], [("start-missing", 0)]),
        ([start(), start(1)], [("start-repeated", 1), ("not-ended", 1)]),
        ([start(), done(1), text(2, "a")], [("delta-after-terminal", 2)]),
        ([start(), done(1), done(2)], [("second-terminal", 2)]),
        ([start(), call_args(1, "{}"), done(2)], [("call-not-started", 1)]),
        (
            [start(), call_start(1), call_args(2, "{}"), call_end(3), call_start(4)],
            [("duplicate-call-id", 4), ("not-ended", 0)],
        ),
    ],
)
def test_each_violation_is_a_problem_with_its_place(
    deltas: list[Wire], expected: list[tuple[str, int]]
) -> None:
    assert assemble(deltas)[1] == expected


def test_a_stream_without_a_start_yields_no_message() -> None:
    assert assemble([text(1, "a"), done(2)])[0] == []


def test_what_comes_too_late_changes_nothing() -> None:
    late = [start(), text(1, "a"), done(2), text(3, "b"), call_start(4), done(5)]
    messages, _ = assemble(late)
    assert [parts_of(message) for message in messages] == [[("text", "a")]]


def test_runs_are_interleaved() -> None:
    deltas = [
        start(0, run="a"),
        start(0, run="b"),
        text(1, "x", run="a"),
        text(1, "y", run="b"),
        done(2, "b"),
        text(2, "x", run="a"),
        done(3, "a"),
    ]
    messages, problems = assemble(deltas)
    assert [(m["runId"], parts_of(m)) for m in messages] == [
        ("b", [("text", "y")]),
        ("a", [("text", "xx")]),
    ]
    assert problems == []


def test_it_can_be_asked_for_the_message_so_far() -> None:
    assembler = Assembler()
    assert assembler.so_far("r") is None
    assembler.add(start())
    assert assembler.so_far("r") == {
        "runId": "r",
        "role": "assistant",
        "parts": [],
        "timestamp": TIME,
        "meta": HEAD,
    }
    assembler.add(text(1, "Hel"))
    early = assembler.so_far("r")
    assembler.add(text(2, "lo"))
    assembler.add(call_start(3))
    assembler.add(call_args(4, '{"a'))
    now = assembler.so_far("r")
    assert early is not None
    assert now is not None
    assert parts_of(early) == [("text", "Hel")]
    assert parts_of(now) == [("text", "Hello"), ("tool_call", '{"a')]
    Message.from_wire(now)
    assert assembler.open_runs() == ["r"]
    assembler.add(done(5))
    assert assembler.so_far("r") is None
    assert assembler.open_runs() == []


def test_asking_again_and_again_costs_no_more() -> None:
    """The parts so far are joined once, and not again with every question."""
    assembler = Assembler()
    assembler.add(start())
    for seq in range(1, 300):
        assembler.add(text(seq, "x"))
        message = assembler.so_far("r")
        assert message is not None
        assert parts_of(message) == [("text", "x" * seq)]


def test_provider_raw_and_unknown_keys_are_passed_over() -> None:
    strange = {**text(1, "a"), "providerRaw": {"text": "b"}, "more": 1}
    messages, problems = assemble([start(), strange, done(2)])
    assert parts_of(messages[0]) == [("text", "a")]
    assert problems == []


def test_half_an_emoji_in_each_of_two_deltas() -> None:
    messages, _ = assemble([start(), text(1, "\ud83d"), text(2, "\ude00"), done(3)])
    assert parts_of(messages[0]) == [("text", "\ud83d\ude00")]


def test_an_empty_id_is_an_id() -> None:
    messages, problems = assemble([start(), call_args(1, "{}", ""), done(2)])
    assert problems == [("call-not-started", 1)]
    assert parts_of(messages[0]) == []


def test_streams_that_nobody_ends_are_given_up() -> None:
    assembler = Assembler()
    for number in range(10_000):
        assembler.add(start(0, run=f"r{number}"), number)
    assert len(assembler.open_runs()) < 5_000
    assert {problem.kind for problem in assembler.problems} == {ProblemKind.NOT_ENDED}
    assert len(assembler.open_runs()) + len(assembler.problems) == 10_000


def test_ids_and_ended_runs_are_forgotten_in_time() -> None:
    assembler = Assembler()
    for number in range(70_000):
        run = f"r{number}"
        assembler.add(start(run=run))
        payload = {"toolCallId": f"c{number}", "toolName": "t"}
        assembler.add(delta(1, "tool_call_start", run=run, **payload))
        assembler.add(done(2, run))
    assert len(assembler._ids) <= 65_536
    assert len(assembler._streams.by_run) < 100


@pytest.mark.parametrize(
    ("said", "offset"), [("{'a'}", 1), ('{"a": 1', 7), ('{"a": "\n"}', 7), (" ", 0), ("[]", 0)]
)
def test_where_arguments_cannot_be_read(said: str, offset: int) -> None:
    arguments, why, at = parse_arguments(said)
    assert arguments is None
    assert why
    assert at == offset


def test_arguments_that_are_nested_too_deeply() -> None:
    assert parse_arguments('{"a":' * 100_000)[0] is None


# -- any message, cut anyhow ----------------------------------------------------------------


def _pieces(data: st.DataObject, said: str) -> list[str]:
    """A text in pieces, at least one, some of them empty."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(said)), max_size=4)))
    bounds = [0, *cuts, len(said)]
    return [said[a:b] for a, b in pairwise(bounds)]


@st.composite
def answers(draw: st.DrawFn) -> Wire:
    """A message that a stream can say: of neighbouring texts, each is of another kind."""
    parts: list[Wire] = []
    broken = []
    for number in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(["text", "thinking", "tool_call"]))
        if kind != "tool_call":
            if not parts or parts[-1]["kind"] != kind:
                parts.append({"kind": kind, "payload": {"text": draw(texts(surrogates=True))}})
            continue
        payload: Wire = {"toolCallId": f"c{number}", "toolName": draw(texts())}
        if draw(st.booleans()):
            payload["arguments"] = draw(json_objects())
        else:
            payload["rawArgsText"] = "?" + draw(texts())
            broken.append(payload["toolCallId"])
        parts.append({"kind": "tool_call", "payload": payload})
    meta: Wire = {"modelId": draw(texts()), "requestId": draw(texts()), "finishReason": "stop"}
    if broken:
        meta["parseErrors"] = broken
    if draw(st.booleans()):
        meta["usage"] = usage(0, draw(st.integers()))["payload"]
    run = draw(texts())
    head = {"runId": run, "role": "assistant", "parts": parts, "timestamp": TIME}
    return {**head, "meta": meta}


def cut(data: st.DataObject, message: Wire) -> list[Wire]:
    """Deltas that say a message; calls may overlap, and usage stands anywhere."""
    kinds: list[tuple[str, Wire]] = []
    waiting: list[list[tuple[str, Wire]]] = []
    for part in message["parts"]:
        payload = part["payload"]
        if part["kind"] != "tool_call":
            kinds += [(part["kind"], {"textDelta": p}) for p in _pieces(data, payload["text"])]
            continue
        call = payload["toolCallId"]
        kinds.append(("tool_call_start", {"toolCallId": call, "toolName": payload["toolName"]}))
        said = payload.get("rawArgsText") or json.dumps(payload["arguments"])
        rest: list[tuple[str, Wire]] = [
            ("tool_call_args", {"toolCallId": call, "argsTextDelta": p})
            for p in _pieces(data, said)
        ]
        waiting.append([*rest, ("tool_call_end", {"toolCallId": call})])
        # What is left of some call may come now, or after the calls that follow.
        for _ in range(data.draw(st.integers(0, 4))):
            if waiting:
                number = data.draw(st.integers(0, len(waiting) - 1))
                kinds.append(waiting[number].pop(0))
                waiting = [queue for queue in waiting if queue]
    for queue in waiting:
        kinds += queue
    meta = message["meta"]
    if "usage" in meta:
        other = usage(0, 7)["payload"]
        kinds.insert(data.draw(st.integers(0, len(kinds))), ("usage", other))
        kinds.append(("usage", meta["usage"]))
    head = {key: meta[key] for key in ("modelId", "requestId")}
    kinds = [("start", head), *kinds, ("done", {"finishReason": meta["finishReason"]})]
    seq = data.draw(st.integers(-5, 5))
    deltas = []
    for kind, payload in kinds:
        deltas.append(delta(seq, kind, run=message["runId"], **payload))
        seq += data.draw(st.integers(1, 3))
    return deltas


@given(st.data(), answers())
def test_any_message_cut_in_any_way_assembles_to_itself(data: st.DataObject, message: Wire) -> None:
    messages, problems = assemble(cut(data, message))
    broken = message["meta"].get("parseErrors", [])
    # Calls may end in another order than they stand in.
    assert sorted(messages[0]["meta"].get("parseErrors", [])) == sorted(broken)
    messages[0]["meta"].pop("parseErrors", None)
    message["meta"].pop("parseErrors", None)
    assert messages == [message]
    assert [kind for kind, _ in problems] == ["arguments-unparsable"] * len(broken)


@given(st.data(), answers())
def test_any_mutation_of_a_stream_is_found_or_harmless(data: st.DataObject, message: Wire) -> None:
    deltas = cut(data, message)
    original, known = assemble(deltas)
    at = data.draw(st.integers(0, len(deltas) - 1))
    what = data.draw(st.sampled_from(["drop", "double", "swap", "seq", "run", "kind"]))
    mutant = [dict(wire) for wire in deltas]
    if what == "drop":
        gone = mutant.pop(at)
        # A gap in `seq` is allowed, so a lost text is only seen by who knows it.
        if gone["kind"] in ("text", "thinking", "usage", "tool_call_args"):
            return
    elif what == "double":
        mutant.insert(at, mutant[at])
    elif what == "swap" and at:
        mutant[at - 1], mutant[at] = mutant[at], mutant[at - 1]
    elif what == "seq":
        mutant[at]["seq"] = data.draw(st.integers(-9, 30))
    elif what == "run":
        mutant[at]["runId"] += "x"
    elif mutant[at]["kind"] in ("text", "thinking"):
        # Both kinds have the same payload: nothing but the reader can tell.
        return
    else:
        mutant[at]["kind"] = "done"
        mutant[at]["payload"] = {"finishReason": "stop"}
    after, found = assemble(mutant)
    assert found != known or after == original


def test_a_problem_says_whose_it_is() -> None:
    assembler = Assembler()
    assembler.add(start(), 1)
    assembler.add(call_end(0, "c9"), 7)
    assert assembler.problems == [
        StreamProblem(ProblemKind.SEQ_NOT_INCREASING, 7, "r", "", 0, 0),
        StreamProblem(ProblemKind.CALL_NOT_STARTED, 7, "r", "c9", 0, 0),
    ]
    assert [problem.kind.code for problem in assembler.problems] == ["DLT005", "DLT006"]

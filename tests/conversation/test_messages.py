import copy
import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, get_args

import pytest
from hypothesis import given
from pydantic import BaseModel, ValidationError

from msgls.conversation.messages import (
    PARTS_ALLOWED,
    DeltaKind,
    FileRefPart,
    ImagePart,
    ImagePayload,
    Message,
    MessageDelta,
    MessagePart,
    PartKind,
    Role,
    SessionEntry,
    TextPart,
    TextPayload,
    ThinkingPart,
    ToolCall,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    UsageDelta,
    UsagePayload,
    WireProblem,
    delta_from_wire,
    delta_json_schema,
    message_json_schema,
    part_from_wire,
    wire_problems,
)
from msgls.formats.wiremodel import WireModel
from tests.strategies import deltas, messages, session_entries, texts

Wire = dict[str, Any]
MISSING = object()


def message(*parts: object, **more: object) -> Wire:
    """A message on the wire, which ``more`` adds to, changes, or takes from by MISSING."""
    wire = {"runId": "r1", "role": "user", "parts": list(parts), "timestamp": "2024-01-01"} | more
    return {key: value for key, value in wire.items() if value is not MISSING}


def part(kind: str, **payload: object) -> Wire:
    return {"kind": kind, "payload": payload}


def delta(kind: str, payload: object, **more: object) -> Wire:
    wire = {"runId": "r1", "seq": 1, "kind": kind, "payload": payload, "timestamp": "t"} | more
    return {key: value for key, value in wire.items() if value is not MISSING}


def entry(**more: object) -> Wire:
    wire = {"id": "e1", "type": "message", "timestamp": "t", "payload": {}} | more
    return {key: value for key, value in wire.items() if value is not MISSING}


def call(**more: object) -> Wire:
    wire = {"toolCallId": "c1", "toolName": "ls"} | more
    return {"kind": "tool_call", "payload": wire}


def result(content: object, **more: object) -> Wire:
    wire = {"toolCallId": "c1", "isError": False, "content": content} | more
    wire = {key: value for key, value in wire.items() if value is not MISSING}
    return {"kind": "tool_result", "payload": wire}


TEXT = part("text", text="a")
USAGE: Wire = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}

VALID_PARTS: list[Wire] = [
    part("text", text=""),
    part("text", text="a\r\n\u2028b 😀"),
    part("text", text="half of an emoji: \ud83d"),
    part("thinking", text="hm"),
    call(arguments={}),
    call(arguments={"path": ".", "deep": [{"a": None}], "none": None}),
    call(rawArgsText='{"path": '),
    call(rawArgsText=""),
    call(arguments={"a": 1}, rawArgsText='{"a":1}'),
    result("done"),
    result(""),
    result({}),
    result({"exit": 0, "err": None}),
    # An object that looks like a part is still an object, and a text like a list a text.
    result(TEXT),
    result("[]"),
    result([]),
    result([TEXT, part("image", mimeType="image/png", url="u")], isError=True),
    result([result([result([TEXT])])]),
    part("image", mimeType="image/png", data="aGk="),
    part("image", mimeType="image/png", url="https://example.com/a.png"),
    part("image", mimeType="image/png", data="", url=""),
    part("file_ref", path="a.txt"),
    part("file_ref", path="a.txt", mimeType="text/plain", size=12),
]

VALID_DELTAS: list[Wire] = [
    delta("start", {"modelId": "m", "requestId": "q"}),
    delta("text", {"textDelta": "a"}),
    delta("text", {"textDelta": "\ud83d"}),
    delta("thinking", {"textDelta": ""}),
    delta("tool_call_start", {"toolCallId": "c", "toolName": "ls"}),
    delta("tool_call_args", {"toolCallId": "c", "argsTextDelta": '{"a'}),
    delta("tool_call_end", {"toolCallId": "c"}),
    delta("usage", USAGE),
    delta("usage", {**USAGE, "cost": 0}),
    delta("usage", {**USAGE, "cost": 0.25}),
    delta("usage", {**USAGE, "cost": 10**400}),
    delta("usage", {**USAGE, "cost": {"input": 0.1, "cache": None}}),
    delta("done", {"finishReason": "stop"}),
    delta("error", {"errorCode": "e"}),
    delta("error", {"errorCode": "e", "message": "m", "retryable": False}),
    delta("text", {"textDelta": "a"}, seq=-1),
    delta("text", {"textDelta": "a"}, seq=2**70),
    delta("text", {"textDelta": "a"}, providerRaw={"chunk": [None, {}]}),
    delta("text", {"textDelta": "a"}, providerRaw={}),
]

VALID_MESSAGES: list[Wire] = [
    message(),
    message(*VALID_PARTS),
    message(TEXT, part("thinking", text="b"), TEXT),
    message(meta={}),
    message(meta={"usage": {"a": None}, "none": None}),
    message(runId="", timestamp=""),
    *(message(role=role) for role in get_args(Role) if role != "user"),
]

VALID_ENTRIES: list[Wire] = [
    entry(),
    entry(payload=None),
    entry(payload=[1, {"a": None}]),
    entry(payload=message(TEXT)),
    entry(type="compaction", parentId="e0", runId="r1", meta={"a": None}),
]


def read_message(wire: object) -> Message:
    return Message.from_wire(wire)


Reader = Callable[[object], WireModel]
VALID: list[tuple[Reader, Wire]] = [
    *((read_message, wire) for wire in VALID_MESSAGES),
    *((part_from_wire, wire) for wire in VALID_PARTS),
    *((delta_from_wire, wire) for wire in VALID_DELTAS),
    *((SessionEntry.from_wire, wire) for wire in VALID_ENTRIES),
]


@pytest.mark.parametrize(("read", "wire"), VALID)
def test_what_is_valid_comes_back_as_it_was(read: Reader, wire: Wire) -> None:
    before = copy.deepcopy(wire)
    read_back = read(wire).to_wire()
    # As text, because to Python 0, 0.0 and False are the same.
    assert json.dumps(read_back, sort_keys=True) == json.dumps(wire, sort_keys=True)
    assert wire == before


@pytest.mark.parametrize("wire", VALID_MESSAGES)
def test_all_ways_in_agree(wire: Wire) -> None:
    made = Message.from_wire(wire)
    assert Message.model_validate(wire) == made
    assert Message.from_wire(json.loads(json.dumps(wire))) == made
    text = json.dumps(wire)
    if '\\ud83d"' not in text:
        assert Message.model_validate_json(text) == made


PARTS_PROBLEMS: list[tuple[object, tuple[str | int, ...], str]] = [
    (part("text"), ("payload", "text"), "required"),
    (part("text", text=3), ("payload", "text"), "string"),
    (part("text", text=None), ("payload", "text"), "string"),
    (part("text", text=b"a"), ("payload", "text"), "string"),
    (part("text", text=["a"]), ("payload", "text"), "string"),
    (part("thinking", Text="a"), ("payload", "text"), "required"),
    ({"kind": "text"}, ("payload",), "required"),
    ({"kind": "text", "payload": None}, ("payload",), "an object"),
    ({"kind": "text", "payload": "a"}, ("payload",), "an object"),
    ({"kind": "text", "payload": [TEXT]}, ("payload",), "an object"),
    ({"payload": {"text": "a"}}, ("kind",), "required"),
    ({"kind": None, "payload": {"text": "a"}}, ("kind",), "'file_ref'"),
    ({"kind": "Text", "payload": {"text": "a"}}, ("kind",), "'text', 'thinking'"),
    ({"kind": ["text"], "payload": {"text": "a"}}, ("kind",), "'text'"),
    ({"kind": "\ud800", "payload": {"text": "a"}}, ("kind",), "'text'"),
    ({"kind": "audio", "payload": {}}, ("kind",), "'image'"),
    ("a", (), "an object"),
    (None, (), "an object"),
    (3, (), "an object"),
    ([TEXT], (), "an object"),
    (call(), ("payload",), "rawArgsText"),
    (call(arguments=None), ("payload",), "rawArgsText"),
    (call(arguments=None, rawArgsText=None), ("payload",), "rawArgsText"),
    (call(arguments=[]), ("payload", "arguments"), "an object"),
    (call(arguments="{}"), ("payload", "arguments"), "an object"),
    (call(arguments=[], rawArgsText="[]"), ("payload", "arguments"), "an object"),
    (call(rawArgsText={}), ("payload", "rawArgsText"), "string"),
    (call(arguments={}, toolName=None), ("payload", "toolName"), "string"),
    (call(arguments={}, toolCallId=7), ("payload", "toolCallId"), "string"),
    (result("a", isError=0), ("payload", "isError"), "boolean"),
    (result("a", isError="false"), ("payload", "isError"), "boolean"),
    (result("a", isError=None), ("payload", "isError"), "boolean"),
    (result("a", isError=MISSING), ("payload", "isError"), "required"),
    (result("a", toolCallId=MISSING), ("payload", "toolCallId"), "required"),
    (result(MISSING), ("payload", "content"), "required"),
    (result(None), ("payload", "content"), "list of message parts, an object or a string"),
    (result(3), ("payload", "content"), "list of message parts, an object or a string"),
    (result(True), ("payload", "content"), "list of message parts, an object or a string"),
    (result(["a"]), ("payload", "content", 0), "an object"),
    (result([{"type": "text"}]), ("payload", "content", 0, "kind"), "required"),
    (result([TEXT, part("text")]), ("payload", "content", 1, "payload", "text"), "required"),
    (
        result([result([TEXT, result(1)])]),
        ("payload", "content", 0, "payload", "content", 1, "payload", "content"),
        "list of message parts",
    ),
    (part("image", mimeType="image/png"), ("payload",), "data or url"),
    (part("image", mimeType="image/png", data=None), ("payload",), "data or url"),
    (part("image", url="u"), ("payload", "mimeType"), "required"),
    (part("image", mimeType="image/png", data=1), ("payload", "data"), "string"),
    (part("file_ref"), ("payload", "path"), "required"),
    (part("file_ref", path="a", size="3"), ("payload", "size"), "integer"),
    (part("file_ref", path="a", size=3.0), ("payload", "size"), "integer"),
    (part("file_ref", path="a", size=True), ("payload", "size"), "integer"),
]

DELTA_PROBLEMS: list[tuple[object, tuple[str | int, ...], str]] = [
    (delta("text", {"textDelta": "a"}, seq="3"), ("seq",), "integer"),
    (delta("text", {"textDelta": "a"}, seq=True), ("seq",), "integer"),
    (delta("text", {"textDelta": "a"}, seq=3.0), ("seq",), "integer"),
    (delta("text", {"textDelta": "a"}, seq=None), ("seq",), "integer"),
    (delta("text", {"textDelta": "a"}, seq=MISSING), ("seq",), "required"),
    (delta("text", {"textDelta": "a"}, runId=MISSING), ("runId",), "required"),
    (delta("text", {"textDelta": "a"}, timestamp=0), ("timestamp",), "string"),
    (delta("text", {"textDelta": "a"}, timestamp=MISSING), ("timestamp",), "required"),
    (delta("text", {"textDelta": "a"}, providerRaw="raw"), ("providerRaw",), "an object"),
    (delta("text", MISSING), ("payload",), "required"),
    (delta("text", "a"), ("payload",), "an object"),
    (delta("text", {"text": "a"}), ("payload", "textDelta"), "required"),
    (delta("thinking", {"textDelta": None}), ("payload", "textDelta"), "string"),
    (delta("start", {"modelId": "m"}), ("payload", "requestId"), "required"),
    (delta("start", {"requestId": "m"}), ("payload", "modelId"), "required"),
    (delta("tool_call_start", {"toolCallId": "c"}), ("payload", "toolName"), "required"),
    (delta("tool_call_start", {"toolName": "c"}), ("payload", "toolCallId"), "required"),
    (delta("tool_call_args", {"toolCallId": "c"}), ("payload", "argsTextDelta"), "required"),
    (
        delta("tool_call_args", {"toolCallId": "c", "argsTextDelta": {}}),
        ("payload", "argsTextDelta"),
        "string",
    ),
    (delta("tool_call_end", {}), ("payload", "toolCallId"), "required"),
    (delta("usage", {**USAGE, "inputTokens": "1"}), ("payload", "inputTokens"), "integer"),
    (delta("usage", {**USAGE, "outputTokens": 1.5}), ("payload", "outputTokens"), "integer"),
    (delta("usage", {**USAGE, "totalTokens": None}), ("payload", "totalTokens"), "integer"),
    (delta("usage", {**USAGE, "cost": "0.1"}), ("payload", "cost"), "a number or an object"),
    (delta("usage", {**USAGE, "cost": True}), ("payload", "cost"), "a number or an object"),
    (delta("usage", {**USAGE, "cost": float("nan")}), ("payload", "cost"), "a number"),
    (delta("usage", {**USAGE, "cost": float("inf")}), ("payload", "cost"), "a number"),
    (delta("done", {}), ("payload", "finishReason"), "required"),
    (delta("error", {}), ("payload", "errorCode"), "required"),
    (delta("error", {"errorCode": 500}), ("payload", "errorCode"), "string"),
    (delta("error", {"errorCode": "e", "retryable": 1}), ("payload", "retryable"), "boolean"),
    (delta("tool_result", {}), ("kind",), "'tool_call_end'"),
    (delta("", {}), ("kind",), "'start'"),
    ({"runId": "r", "seq": 1, "timestamp": "t", "payload": {}}, ("kind",), "required"),
    ([], (), "an object"),
    (None, (), "an object"),
]

MESSAGE_PROBLEMS: list[tuple[object, tuple[str | int, ...], str]] = [
    (message(runId=MISSING), ("runId",), "required"),
    (message(runId=3), ("runId",), "string"),
    (message(role=MISSING), ("role",), "required"),
    (message(role="developer"), ("role",), "'system', 'user', 'assistant' or 'tool'"),
    (message(role="User"), ("role",), "'user'"),
    (message(role=None), ("role",), "'user'"),
    (message(timestamp=MISSING), ("timestamp",), "required"),
    (message(timestamp=1700000000), ("timestamp",), "string"),
    (message(parts=MISSING), ("parts",), "required"),
    (message(parts=None), ("parts",), "a list"),
    (message(parts="a"), ("parts",), "a list"),
    (message(parts=TEXT), ("parts",), "a list"),
    (message(meta=[]), ("meta",), "an object"),
    (message(meta="a"), ("meta",), "an object"),
    ([message()], (), "an object"),
    ("{}", (), "an object"),
    # The wire's names are camelCase and nothing else.
    (message(runId=MISSING, run_id="r1"), ("runId",), "required"),
    (message(runId=MISSING, RunId="r1"), ("runId",), "required"),
]

ENTRY_PROBLEMS: list[tuple[object, tuple[str | int, ...], str]] = [
    (entry(id=MISSING), ("id",), "required"),
    (entry(id=1), ("id",), "string"),
    (entry(type=MISSING), ("type",), "required"),
    (entry(timestamp=MISSING), ("timestamp",), "required"),
    (entry(payload=MISSING), ("payload",), "required"),
    (entry(parentId=1), ("parentId",), "string"),
    (entry(meta=[]), ("meta",), "an object"),
]

INVALID: list[tuple[Reader, object, tuple[str | int, ...], str]] = [
    *((read_message, *row) for row in MESSAGE_PROBLEMS),
    *((part_from_wire, *row) for row in PARTS_PROBLEMS),
    *((delta_from_wire, *row) for row in DELTA_PROBLEMS),
    *((SessionEntry.from_wire, *row) for row in ENTRY_PROBLEMS),
    *(
        (read_message, message(TEXT, wire), ("parts", 1, *path), reason)
        for wire, path, reason in PARTS_PROBLEMS
    ),
]


@pytest.mark.parametrize(("read", "wire", "path", "reason"), INVALID)
def test_what_is_invalid_is_refused_with_its_place(
    read: Reader, wire: object, path: tuple[str | int, ...], reason: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        read(wire)
    (problem,) = wire_problems(caught.value)
    assert problem.path == path
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("wire", "path"),
    [(wire, path) for wire, path, _ in PARTS_PROBLEMS if "\\ud800" not in ascii(wire)],
)
def test_json_text_is_no_less_strict(wire: object, path: tuple[str | int, ...]) -> None:
    text = json.dumps(message(wire), default=lambda value: None)
    with pytest.raises(ValidationError):
        Message.model_validate_json(text)


def test_all_problems_are_told() -> None:
    wire = message(part("text"), TEXT, result([part("text", text=1)], isError=0), role="x")
    with pytest.raises(ValidationError) as caught:
        Message.from_wire(wire)
    assert {problem.path for problem in wire_problems(caught.value)} == {
        ("role",),
        ("parts", 0, "payload", "text"),
        ("parts", 2, "payload", "isError"),
        ("parts", 2, "payload", "content", 0, "payload", "text"),
    }


def test_a_problem_of_a_payload_alone_keeps_its_place() -> None:
    # "text" is a kind too, and must not be taken for the name of a branch.
    with pytest.raises(ValidationError) as caught:
        TextPayload.from_wire({"text": 1})
    assert wire_problems(caught.value) == [WireProblem(("text",), "Input should be a valid string")]


def test_keys_are_texts() -> None:
    top: Any = message()
    top[1] = 1
    for wire in (top, message(meta={1: 1}), message(call(arguments={1: 1}))):
        with pytest.raises(ValidationError):
            Message.from_wire(wire)


def test_the_order_of_a_set_is_not_made_up() -> None:
    with pytest.raises(ValidationError, match="a list"):
        Message.from_wire(message(parts=frozenset()))
    with pytest.raises(ValidationError, match="a list"):
        Message.from_wire(message(parts=iter([TEXT])))


# What the models hold.


@pytest.mark.parametrize(
    ("content", "held"),
    [([], ()), ([TEXT], (TextPart.of("a"),)), ({}, {}), (TEXT, TEXT), ("", ""), ("[]", "[]")],
)
def test_content_is_parts_or_an_object_or_a_text(content: object, held: object) -> None:
    payload = part_from_wire(result(content)).payload
    assert isinstance(payload, ToolResult)
    assert type(payload.content) is type(held)
    assert payload.content == held


@pytest.mark.parametrize("cost", [0, 1, 0.0, 0.5])
def test_a_cost_stays_the_number_it_was(cost: float) -> None:
    made = delta_from_wire(delta("usage", {**USAGE, "cost": cost}))
    assert isinstance(made, UsageDelta)
    assert type(made.payload.cost) is type(cost)


def test_results_nest_as_deep_as_anybody_needs_and_no_deeper() -> None:
    def nested(depth: int) -> Wire:
        wire = TEXT
        for _ in range(depth):
            wire = result([wire])
        return message(wire)

    made = Message.from_wire(nested(60))
    assert made == Message.from_wire(nested(60))
    assert made.to_wire() == nested(60)
    with pytest.raises(ValidationError):
        Message.from_wire(nested(3000))


def test_arguments_may_nest_deeper_than_python_recurses() -> None:
    arguments: Any = None
    for _ in range(20_000):
        arguments = {"a": [arguments]}
    wire = Message.from_wire(message(call(arguments=arguments))).to_wire()
    inner, depth = wire["parts"][0]["payload"]["arguments"], 0
    while inner is not None:
        inner, depth = inner["a"][0], depth + 1
    assert depth == 20_000


# Roles and kinds.


def test_advice_on_roles() -> None:
    assert dict(PARTS_ALLOWED) == {
        "system": {"text", "thinking"},
        "user": {"text", "image", "file_ref"},
        "assistant": {"text", "thinking", "tool_call"},
        "tool": {"tool_result"},
    }
    assert tuple(PARTS_ALLOWED) == get_args(Role)
    assert frozenset().union(*PARTS_ALLOWED.values()) == set(get_args(PartKind))


def test_advice_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PARTS_ALLOWED["user"] = frozenset()  # type: ignore[index]


@pytest.mark.parametrize("role", get_args(Role))
@pytest.mark.parametrize("wire", VALID_PARTS)
def test_advice_is_not_enforced(role: str, wire: Wire) -> None:
    assert Message.from_wire(message(wire, role=role)).role == role


def test_the_kinds_are_those_of_the_unions() -> None:
    assert {wire["kind"] for wire in VALID_PARTS} == set(get_args(PartKind))
    assert {wire["kind"] for wire in VALID_DELTAS} == set(get_args(DeltaKind))
    for union, kinds in ((MessagePart, PartKind), (MessageDelta, DeltaKind)):
        members = get_args(get_args(union)[0])
        named = [get_args(member.model_fields["kind"].annotation)[0] for member in members]
        assert named == list(get_args(kinds))


# Making them.

MADE: list[tuple[WireModel, Wire]] = [
    (TextPart.of("a"), TEXT),
    (ThinkingPart.of("a"), part("thinking", text="a")),
    (ToolCallPart.of("c1", "ls", {"a": None}), call(arguments={"a": None})),
    (ToolCallPart.of("c1", "ls", raw_args_text="{"), call(rawArgsText="{")),
    (
        ToolCallPart.of("c1", "ls", arguments={}, raw_args_text="{}"),
        call(arguments={}, rawArgsText="{}"),
    ),
    (ToolResultPart.of("c1", "a"), result("a")),
    (ToolResultPart.of("c1", {"a": 1}), result({"a": 1})),
    (ToolResultPart.of("c1", (TextPart.of("a"),)), result([TEXT])),
    (ToolResultPart.of("c1", [TextPart.of("a")]), result([TEXT])),
    (ToolResultPart.of("c1", [], is_error=True), result([], isError=True)),
    (ImagePart.of("image/png", data="a"), part("image", mimeType="image/png", data="a")),
    (ImagePart.of("image/png", url="a"), part("image", mimeType="image/png", url="a")),
    (FileRefPart.of("a"), part("file_ref", path="a")),
    (FileRefPart.of("a", "b/c", 3), part("file_ref", path="a", mimeType="b/c", size=3)),
    (
        Message(run_id="r1", role="user", parts=(TextPart.of("a"),), timestamp="2024-01-01"),
        message(TEXT),
    ),
    (
        UsageDelta(
            run_id="r1",
            seq=1,
            kind="usage",
            payload=UsagePayload(input_tokens=1, output_tokens=2, total_tokens=3),
            timestamp="t",
        ),
        delta("usage", USAGE),
    ),
    (
        SessionEntry(id="e1", parent_id="e0", type="x", timestamp="t", payload=None),
        entry(parentId="e0", type="x", payload=None),
    ),
]


@pytest.mark.parametrize(("made", "wire"), MADE)
def test_what_is_made_in_python_is_what_is_read(made: WireModel, wire: Wire) -> None:
    assert made.to_wire() == wire
    assert type(made).from_wire(wire) == made


@pytest.mark.parametrize(
    "make",
    [
        lambda: ToolCallPart.of("c1", "ls"),
        lambda: ImagePart.of("image/png"),
        lambda: TextPart.of(3),  # type: ignore[arg-type]
        lambda: FileRefPart.of("a", size="3"),  # type: ignore[arg-type]
        lambda: ToolResultPart.of("c1", "a", is_error=1),  # type: ignore[arg-type]
        lambda: ToolResultPart.of("c1", [3]),  # type: ignore[list-item]
    ],
)
def test_what_is_made_in_python_is_checked_too(make: Callable[[], object]) -> None:
    with pytest.raises(ValidationError):
        make()


# The wire.


@pytest.mark.parametrize(("read", "wire"), VALID)
def test_the_wire_form_is_fresh_json_data(read: Reader, wire: Wire) -> None:
    made = read(wire)
    first = made.to_wire()
    _spoil(first)
    assert json.dumps(made.to_wire(), sort_keys=True) == json.dumps(wire, sort_keys=True)


def _spoil(value: Any) -> None:
    """Change every list and object in a JSON value."""
    if isinstance(value, dict):
        for inner in value.values():
            _spoil(inner)
        value["spoilt"] = True
    elif isinstance(value, list):
        for inner in value:
            _spoil(inner)
        value.append("spoilt")


def test_the_wire_form_holds_nothing_but_json_types() -> None:
    made = Message(
        run_id="r",
        role="user",
        parts=(),
        timestamp="t",
        meta={"tuple": (1, (2,)), "model": UsagePayload.from_wire(USAGE), "none": None},
    )
    assert made.to_wire()["meta"] == {"tuple": [1, [2]], "model": USAGE, "none": None}


def test_keys_come_in_the_order_of_the_contract() -> None:
    wire = message(TEXT, meta={})
    assert list(Message.from_wire(dict(reversed(wire.items()))).to_wire()) == list(wire)
    wire = delta("text", {"textDelta": "a"}, providerRaw={})
    assert list(delta_from_wire(dict(reversed(wire.items()))).to_wire()) == list(wire)


@pytest.mark.parametrize(
    ("read", "wire", "without"),
    [
        (read_message, message(meta=None), message()),
        (SessionEntry.from_wire, entry(parentId=None, runId=None, meta=None), entry()),
        (
            part_from_wire,
            part("file_ref", path="a", mimeType=None, size=None),
            part("file_ref", path="a"),
        ),
        (part_from_wire, call(arguments={}, rawArgsText=None), call(arguments={})),
        (
            delta_from_wire,
            delta("error", {"errorCode": "e", "message": None}, providerRaw=None),
            delta("error", {"errorCode": "e"}),
        ),
    ],
)
def test_an_optional_null_means_nothing(read: Reader, wire: Wire, without: Wire) -> None:
    assert read(wire) == read(without)
    assert read(wire).to_wire() == without


UNKNOWN: Wire = {
    "x": None,
    "camelCase": [1, {"a": None}],
    "snake_case": {},
    "": "",
    "with space": 0.5,
    "emoji 😀": True,
    # Names of the class itself, which a key must not get in the way of.
    "self": 1,
    "to_wire": 1,
    "model_fields": 1,
    "model_config": 1,
    "__class__": 1,
    "__dict__": {},
    # Python's names for what has another one on the wire.
    "run_id": 1,
    "tool_call_id": 1,
    "mime_type": 1,
    "provider_raw": 1,
    "text_delta": 1,
}


def _with_unknown(wire: Any) -> Any:
    """The wire with unknown keys in the object itself, its payload and all of their parts."""
    wire = {**wire, **UNKNOWN}
    if isinstance(wire.get("payload"), dict):
        wire["payload"] = _with_unknown(wire["payload"])
    for key in ("parts", "content"):
        if isinstance(wire.get(key), list):
            wire[key] = [_with_unknown(inner) for inner in wire[key]]
    return wire


@pytest.mark.parametrize(("read", "wire"), VALID)
def test_unknown_keys_are_kept_everywhere(read: Reader, wire: Wire) -> None:
    wire = _with_unknown(wire)
    made = read(wire)
    assert made.model_extra == UNKNOWN
    assert json.dumps(made.to_wire(), sort_keys=True) == json.dumps(wire, sort_keys=True)
    assert read(made.to_wire()) == made


def test_unknown_keys_count_for_equality() -> None:
    assert Message.from_wire(message(x=1)) != Message.from_wire(message(x=2))
    assert Message.from_wire(message(x=None)) != Message.from_wire(message())


# Frozen, and equal by value.


@pytest.mark.parametrize(("read", "wire"), VALID)
def test_nothing_can_be_assigned(read: Reader, wire: Wire) -> None:
    todo: list[Any] = [read(_with_unknown(wire))]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple):
            todo += value
        if not isinstance(value, BaseModel):
            continue
        for name in [*type(value).model_fields, "x", "brand_new"]:
            todo.append(getattr(value, name, None))
            with pytest.raises((ValidationError, AttributeError)):
                setattr(value, name, None)
            with pytest.raises((ValidationError, AttributeError)):
                delattr(value, name)


def test_the_list_that_was_given_is_not_held() -> None:
    parts: list[MessagePart] = [TextPart.of("a")]
    meta = {"a": 1}
    made = Message.model_validate(message(parts=parts, meta=meta))
    parts.clear()
    meta.clear()
    assert len(made.parts) == 1
    assert made.meta == {"a": 1}
    assert isinstance(made.parts, tuple)


def test_any_mapping_is_an_object() -> None:
    objects = MappingProxyType({"a": None})
    assert ToolCallPart.of("c1", "ls", objects) == ToolCallPart.of("c1", "ls", {"a": None})
    assert ToolResultPart.of("c1", objects).to_wire() == result({"a": None})


def test_other_values_are_not_equal() -> None:
    made = [read(wire) for read, wire in VALID]
    for index, one in enumerate(made):
        assert [other for other in made if other == one] == [one], index


# Round trips of made-up values.


@given(messages())
def test_messages_come_back(made: Message) -> None:
    assert Message.from_wire(made.to_wire()) == made
    assert Message.from_wire(json.loads(json.dumps(made.to_wire()))) == made
    assert Message.from_wire(made.to_wire()).to_wire() == made.to_wire()


@given(deltas())
def test_deltas_come_back(made: MessageDelta) -> None:
    assert delta_from_wire(made.to_wire()) == made
    assert delta_from_wire(json.loads(json.dumps(made.to_wire()))) == made


@given(session_entries())
def test_entries_come_back(made: SessionEntry) -> None:
    assert SessionEntry.from_wire(json.loads(json.dumps(made.to_wire()))) == made


@given(messages(unknown_keys=False))
def test_pydantic_writes_the_same(made: Message) -> None:
    # But for a None in unknown keys, which its exclude_none would drop.
    dumped = made.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert Message.from_wire(dumped) == made


@given(texts(surrogates=True))
def test_any_text_comes_back(text: str) -> None:
    wire = message(part("text", text=text), result(text), result({text: text}), meta={text: text})
    made = Message.from_wire(wire)
    assert made.to_wire() == wire
    assert Message.from_wire(json.loads(json.dumps(made.to_wire()))).parts[1] == made.parts[1]


# Schemas.


def test_the_schema_of_a_message() -> None:
    schema = message_json_schema()
    assert list(schema["properties"]) == ["runId", "role", "parts", "timestamp", "meta"]
    assert schema["required"] == ["runId", "role", "parts", "timestamp"]
    assert schema["properties"]["role"]["enum"] == list(get_args(Role))
    discriminator = schema["properties"]["parts"]["items"]["discriminator"]
    assert discriminator["propertyName"] == "kind"
    assert set(discriminator["mapping"]) == set(get_args(PartKind))
    content = schema["$defs"]["ToolResult"]["properties"]["content"]["oneOf"]
    assert [branch["type"] for branch in content] == ["array", "object", "string"]
    assert content[0]["items"]["discriminator"]["propertyName"] == "kind"


def test_the_schema_of_a_delta() -> None:
    schema = delta_json_schema()
    assert schema["discriminator"]["propertyName"] == "kind"
    assert set(schema["discriminator"]["mapping"]) == set(get_args(DeltaKind))
    start = schema["$defs"]["StartDelta"]
    assert start["required"] == ["runId", "seq", "kind", "payload", "timestamp"]
    assert schema["$defs"]["StartPayload"]["required"] == ["modelId", "requestId"]


@pytest.mark.parametrize("make", [message_json_schema, delta_json_schema])
def test_schemas_are_camel_case_and_open(make: Callable[[], Wire]) -> None:
    schema = make()
    json.dumps(schema)
    objects = [*schema["$defs"].values(), schema]
    for inner in objects:
        if "properties" in inner:
            assert not [name for name in inner["properties"] if "_" in name]
            assert inner["additionalProperties"] is True


@pytest.mark.parametrize(
    ("payload_class", "either"),
    [(ToolCall, ["arguments", "rawArgsText"]), (ImagePayload, ["data", "url"])],
)
def test_a_schema_says_that_one_of_two_is_needed(
    payload_class: type[WireModel], either: list[str]
) -> None:
    branches = message_json_schema()["$defs"][payload_class.__name__]["anyOf"]
    assert [branch["required"] for branch in branches] == [[name] for name in either]

"""Completion in messages and deltas: on whole lines and on half-written ones."""

import json
from typing import get_args

import pytest

from msgls.conversation.messages import DeltaKind, PartKind, Role
from msgls.document.document import Document
from msgls.features.completion import Item, complete, documentation
from msgls.features.markup import plain
from msgls.features.snippets import plain as without_stops
from msgls.formats.base import Placed
from msgls.formats.msgjson.shapes import is_delta, is_entry, is_message
from msgls.text.spans import apply_edits
from tests.features.msgjson.sample import DELTAS, opened
from tests.formats.msgjson.made_up import (
    call,
    call_end,
    call_start,
    done,
    dump,
    message,
    result,
    start,
    text,
)
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

NOW = "2025-05-30T09:30:00+08:00"
BEFORE = dump(start(), call_start(1))


def offered(source: str, name: str = "a.deltas.jsonl") -> dict[str, Item]:
    marked = unmark(source)
    found = complete(snapshot_of(opened(marked.text, name)), marked.cursor)
    assert len({item.label for item in found.items}) == len(found.items)
    for item in found.items:
        assert item.edit.span.contains(marked.cursor)
        assert "\n" not in item.edit.span.of(marked.text)
        assert item.snippet is None or without_stops(item.snippet) == item.edit.text
    return {item.label: item for item in found.items}


def taken(source: str, label: str, name: str = "a.deltas.jsonl") -> str:
    """The text after an item is taken."""
    return apply_edits(unmark(source).text, [offered(source, name)[label].edit])


KINDS = list(get_args(DeltaKind))
DELTA_KEYS = ["runId", "seq", "kind", "payload", "timestamp", "providerRaw"]
USAGE = ["inputTokens", "outputTokens", "totalTokens", "cost"]


@table(
    "source, labels",
    {
        "an object that is opened": ("{¦", DELTA_KEYS),
        "after a quote": ('{"¦', DELTA_KEYS),
        "between quotes": ('{"¦"}', DELTA_KEYS),
        "keys that are there are not offered": (
            '{"runId": "r", "¦", "kind": "text"}',
            ["seq", "payload", "timestamp", "providerRaw"],
        ),
        "after a comma": ('{"runId": "r", "seq": 1, "kind": "text",¦', [*DELTA_KEYS[3:]]),
        "where a comma is missing": ('{"runId": "r" ¦', []),
        "after a value": ('{"kind": "text"¦}', []),
        "kinds": ('{"kind": "¦"}', KINDS),
        "kinds without a quote": ('{"kind": ¦}', KINDS),
        "keys of the payload by its kind": (
            '{"kind": "tool_call_start", "payload": {"¦',
            ["toolCallId", "toolName"],
        ),
        "the kind may follow": ('{"payload": {"¦"}, "kind": "usage"}', USAGE),
        "a payload of no known kind": ('{"kind": "x", "payload": {"¦"}}', []),
        "anything may be in what a provider sent": ('{"seq": 1, "providerRaw": {"¦"}}', []),
        "in a text": ('{"kind": "text", "payload": {"textDelta": "¦"}}', []),
        "reasons": (
            '{"kind": "done", "payload": {"finishReason": "¦"}}',
            ["stop", "length", "tool_calls", "content_filter"],
        ),
        "true or false": ('{"kind": "error", "payload": {"retryable": ¦}}', ["false", "true"]),
        "a key in a list": ('[{"kind": "done", "payload": {"¦', ["finishReason"]),
    },
)
def test_what_is_offered_in_a_delta(source: str, labels: list[str]) -> None:
    assert list(offered(source)) == labels


@table(
    "name, source, labels",
    {
        "keys of a message": (
            "a.messages.jsonl",
            '{"role": "user", "¦"}',
            ["runId", "parts", "timestamp", "meta"],
        ),
        "roles": ("a.messages.json", '[{"role": "¦', list(get_args(Role))),
        "kinds of part, those of the role first": (
            "a.messages.json",
            '[\n  {\n    "role": "tool",\n    "parts": [\n      {"kind": "¦"}\n    ]\n  }\n]',
            ["tool_result", *[kind for kind in get_args(PartKind) if kind != "tool_result"]],
        ),
        "keys of a part": ("a.messages.jsonl", '{"parts": [{"¦', ["kind", "payload"]),
        "of its payload": (
            "a.messages.jsonl",
            '{"parts": [{"kind": "file_ref", "payload": {"¦',
            ["path", "mimeType", "size"],
        ),
        "parts in a result": (
            "a.messages.jsonl",
            '{"parts": [{"kind": "tool_result", "payload": {"content": [{"kind": "text", "¦',
            ["payload"],
        ),
        "usage in the meta": ("a.messages.jsonl", '{"role": "user", "meta": {"usage": {"¦', USAGE),
        "anything may be in meta": ("a.messages.jsonl", '{"role": "user", "meta": {"¦"}}', []),
        "an entry": (
            "a.session.jsonl",
            '{"¦',
            ["id", "parentId", "type", "timestamp", "runId", "payload", "meta"],
        ),
        "types of entries": ("a.session.jsonl", '{"type": "¦', ["message", "message_delta_batch"]),
        "a message in an entry": (
            "a.session.jsonl",
            '{"type": "message", "payload": {"¦"}}',
            ["runId", "role", "parts", "timestamp", "meta"],
        ),
        "a delta in a batch": (
            "a.session.jsonl",
            '{"type": "message_delta_batch", "payload": {"deltas": [{"kind": "¦',
            KINDS,
        ),
        "an entry of another type": ("a.session.jsonl", '{"type": "x", "payload": {"¦"}}', []),
        "a blank line of an array": ("a.messages.json", "[\n¦\n]\n", []),
        "an empty array": ("a.messages.json", "¦", []),
    },
)
def test_what_is_offered_in_messages_and_entries(name: str, source: str, labels: list[str]) -> None:
    assert list(offered(source, name)) == labels


@table(
    "source, label, after",
    {
        "an open quote": ('{"kind": "te¦', "text", '{"kind": "text"'),
        "a text that runs into the next key": (
            '{"kind": "te¦, "payload": {}}',
            "text",
            '{"kind": "text", "payload": {}}',
        ),
        "an empty one that does": ('{"kind": "¦, "seq": 1}', "done", '{"kind": "done", "seq": 1}'),
        "all of a closed one is replaced": ('{"kind": "te¦xt"}', "done", '{"kind": "done"}'),
        "no quotes": ('{"kind": te¦xt, "seq": 1}', "text", '{"kind": "text", "seq": 1}'),
        "nothing yet": ('{"kind": ¦, "seq": 1}', "text", '{"kind": "text", "seq": 1}'),
        "a key": ('{"ki¦', "kind", '{"kind": ""'),
        "a key that runs into the end": ('{"ki¦}', "kind", '{"kind": ""}'),
        "a key with its colon": ('{"ki¦": "text"}', "kind", '{"kind": "text"}'),
        "a key before others": ('{¦ "kind": "text"}', "seq", '{"seq": , "kind": "text"}'),
        "a payload with its keys": (
            '{"kind": "tool_call_args", "pay¦',
            "payload",
            '{"kind": "tool_call_args", "payload": {"toolCallId": "", "argsTextDelta": ""}',
        ),
        "a time": ('{"seq": 1, "timestamp": "¦"}', NOW, f'{{"seq": 1, "timestamp": "{NOW}"}}'),
        "a key before another": (
            '{"kind": "text", ¦"seq": 1}',
            "runId",
            '{"kind": "text", "runId": "","seq": 1}',
        ),
        "a key without a comma before it": ('{"seq": 1 "ki¦"}', "kind", '{"seq": 1 "kind": ""}'),
        "a switch in quotes": (
            '{"kind": "error", "payload": {"retryable": "¦"}}',
            "true",
            '{"kind": "error", "payload": {"retryable": true}}',
        ),
    },
)
def test_edits_are_exact_on_half_written_lines(source: str, label: str, after: str) -> None:
    assert taken(source, label) == after
    # And what stands around the line changes nothing.
    assert taken(BEFORE + source + "\n" + BEFORE, label) == BEFORE + after + "\n" + BEFORE


# -- from the lines before ------------------------------------------------------------------------


@table(
    "before, source, labels",
    {
        "the call that is open": (
            dump(start(), call_start(1, "a"), call_end(2, "a"), call_start(3, "b")),
            '{"kind": "tool_call_args", "payload": {"toolCallId": "¦"}}',
            ["b", "a"],
        ),
        "a new call": (
            dump(start(), call_start(1, "call_1")),
            '{"kind": "tool_call_start", "payload": {"toolCallId": "¦"}}',
            ["call_2", "call_1"],
        ),
        "calls without a result first": (
            dump(message("assistant", call("a"), call("b")), message("tool", result("b"))),
            '{"role": "tool", "parts": [{"kind": "tool_result", "payload": {"toolCallId": "¦',
            ["a", "b"],
        ),
        "the next number": (dump(start(4)), '{"runId": "r", "seq": ¦}', ["5"]),
        "of the same run": (dump(start(4), start(8, run="s")), '{"runId": "r", "seq": ¦}', ["5"]),
        "the first number": ("", '{"runId": "r", "seq": ¦}', ["0"]),
        "runs": (dump(start(), start(run="s")), '{"seq": 1, "runId": "¦"}', ["s", "r"]),
        "tools": (BEFORE, '{"kind": "tool_call_start", "payload": {"toolName": "¦"}}', ["find"]),
        "models": (BEFORE, '{"kind": "start", "payload": {"modelId": "¦"}}', ["m"]),
    },
)
def test_names_and_numbers_come_from_before(before: str, source: str, labels: list[str]) -> None:
    assert list(offered(before + source + "\n")) == labels


def test_an_id_with_quotes_is_written_as_json_has_it() -> None:
    before = dump(start(), call_start(1, 'a "b"'))
    source = before + '{"kind": "tool_call_end", "payload": {"toolCallId": "¦"}}\n'
    line = taken(source, 'a "b"').split("\n")[2]
    assert json.loads(line)["payload"]["toolCallId"] == 'a "b"'


@pytest.mark.parametrize(
    ("source", "first", "seq"),
    [
        ("¦", "start", 0),
        (DELTAS + "¦", "text", 2),
        (dump(start(), text(5)) + "\n¦\n", "text", 6),
        (dump(start(), done(5)) + "¦", "start", 0),
    ],
)
def test_a_blank_line_can_become_any_delta(source: str, first: str, seq: int) -> None:
    items = offered(source)
    assert sorted(items) == sorted(KINDS)
    assert next(iter(items)) == first
    for kind, item in items.items():
        filled = item.edit.text.replace('Tokens": ', 'Tokens": 0')
        wire = json.loads(filled)
        assert (wire["kind"], wire["seq"]) == (kind, seq)
        assert is_delta(wire)
        before = unmark(source).text
        assert apply_edits(before, [item.edit]).count("\n") == before.count("\n")


@pytest.mark.parametrize(
    ("name", "check"), [("a.messages.jsonl", is_message), ("a.session.jsonl", is_entry)]
)
def test_a_blank_line_can_become_any_message(name: str, check: object) -> None:
    items = offered("¦\n", name)
    assert len(items) == len(get_args(Role))
    assert callable(check)
    assert all(check(json.loads(item.edit.text)) for item in items.values())


def test_every_item_with_a_topic_has_more_to_say() -> None:
    sources = [
        "¦",
        "{¦",
        '{"kind": "¦"}',
        BEFORE + '{"kind": "tool_call_end", "payload": {"toolCallId": "¦',
    ]
    for source in sources:
        document = opened(unmark(source).text)
        for item in offered(source).values():
            assert item.topic is None or plain(documentation(snapshot_of(document), item.topic))
    assert documentation(snapshot_of(opened("")), ("call", "gone")) == ()
    assert documentation(snapshot_of(opened("")), ("key", "Nothing x")) == ()


def test_typing_looks_at_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = dump(start(), *[call_start(n, f"c{n}") for n in range(1, 3_000)])
    source = lines + '{"kind": "tool_call_end", "payload": {"toolCallId": "'
    document = opened(source)
    asked: list[int] = []
    number = Document.cell_number

    def counted(self: Document, wanted: int) -> Placed:
        asked.append(wanted)
        return number(self, wanted)

    monkeypatch.setattr(Document, "cell_number", counted)
    assert complete(snapshot_of(document), len(source)).items
    assert len(asked) < 1_000

"""From JSON to messages and back: every carrier, what is lost, and what stays as it is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.conversation.conversation import Conversation
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.document.document import Document
from msgls.formats.msgjson import MESSAGES_JSON, MESSAGES_JSONL, MSGJSON, SESSION_JSONL
from msgls.formats.registry import detect
from tests.formats.msgjson.made_up import (
    TIME,
    call,
    call_args,
    call_end,
    call_start,
    delta,
    done,
    dump,
    entry,
    error,
    message,
    result,
    said,
    start,
    text,
)
from tests.strategies import messages

USER = message("user", said("Hi"), unknown={"kept": [1, None]}, meta={"a": 1})
ANSWER = message("assistant", said("Hello"), call("c1"))
RESULT = message("tool", result("c1", [said("inner")]))
STREAM = [start(), text(1, "Hel"), text(2, "lo"), done(3)]
ASSEMBLED = message(
    "assistant", said("Hello"), meta={"modelId": "m", "requestId": "q", "finishReason": "stop"}
)


def lower(path: str, source: str) -> Conversation:
    document = Document.open(path, source)
    return read_document(document)


def wires(conversation: Conversation) -> list[Any]:
    return [json.loads(json.dumps(found.to_wire())) for found in conversation.messages]


# -- carriers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.messages.json", json.dumps([USER, ANSWER, RESULT], indent=2)),
        ("a.messages.json", json.dumps([USER, ANSWER, RESULT])),
        ("a.messages.jsonl", dump(USER, ANSWER, RESULT)),
        ("a.messages.jsonl", "\ufeff\r\n" + dump(USER, ANSWER, RESULT, newline="\r\n\r\n")),
        ("a.messages.jsonl", dump([USER, ANSWER], RESULT)),
        ("a.deltas.jsonl", dump(USER, ANSWER, RESULT)),
    ],
)
def test_messages_are_taken_as_they_are(path: str, source: str) -> None:
    conversation = lower(path, source)
    assert wires(conversation) == [USER, ANSWER, RESULT]
    assert conversation.losses == ()
    for found, spans in zip(wires(conversation), conversation.sources, strict=True):
        value = json.loads(spans[0].of(source))
        assert found == value or found in value


def test_one_object_is_one_message() -> None:
    assert wires(lower("a.messages.json", json.dumps(USER, indent=4))) == [USER]


@pytest.mark.parametrize("path", ["a.deltas.jsonl", "a.messages.jsonl", "a.messages.json"])
def test_deltas_are_assembled(path: str) -> None:
    source = dump(USER, *STREAM)
    if path.endswith(".json"):
        source = json.dumps([USER, *STREAM], indent=2)
    conversation = lower(path, source)
    assert wires(conversation) == [USER, ASSEMBLED]
    assert conversation.losses == ()
    last = conversation.sources[1]
    assert source[: last[0].start].count('"kind": "start"') == 0
    assert source[last[0].start : last[-1].end].count("textDelta") == 2


def test_session_entries_are_unwrapped() -> None:
    source = dump(
        entry("message", USER, id="e1", parentId=None, more=7),
        entry("model_change", {"model": "m"}),
        entry("model_change", {"model": "n"}),
        entry("message_delta_batch", STREAM[:2]),
        entry("message_delta_batch", {"deltas": STREAM[2:]}),
    )
    conversation = lower("a.session.jsonl", source)
    found = wires(conversation)
    assert found[0]["meta"] == {"a": 1, "entry": {"id": "e1", "parentId": None, "more": 7}}
    assert found[1] == ASSEMBLED
    assert [loss.what for loss in conversation.losses] == [
        "entries of the type `model_change` are ignored"
    ]


def test_what_a_session_stores_and_streams_is_there_once() -> None:
    source = dump(entry("message_delta_batch", STREAM), entry("message", ASSEMBLED))
    conversation = lower("a.session.jsonl", source)
    assert [found["parts"] for found in wires(conversation)] == [[said("Hello")]]
    assert conversation.losses == ()


def test_a_stream_that_a_session_did_not_store_is_a_loss() -> None:
    other = message("assistant", said("Bye"))
    source = dump(entry("message_delta_batch", STREAM), entry("message", other))
    conversation = lower("a.session.jsonl", source)
    assert [found["parts"] for found in wires(conversation)] == [[said("Bye")]]
    assert [
        (loss.line, "no `message` entry holds it" in loss.what) for loss in conversation.losses
    ] == [(0, True)]


# -- losses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        (dump(USER) + "{broken\n", 1, "not valid JSON"),
        (dump(USER, {"role": "user"}), 1, "not a message: `runId`"),
        (dump(start(), text(1)), 0, "has not ended"),
        (dump(start(), text(1), error(2)), 2, "ends in an error"),
        (dump(text(1), done(2)), 0, "has no start"),
        (dump(*STREAM, text(4)), 4, "after the end"),
        (dump(start(), call_args(1, "{}", "c9"), done(2)), 1, "`c9`"),
        (dump(start(), {**text(1), "providerRaw": {"a": 1}}, done(2)), 1, "`providerRaw`"),
        (dump(start(), delta(1, "text", textDelta="x", odd=1), done(2)), 1, "`payload.odd`"),
        (dump({"kind": "text"}), 0, "not a delta"),
        (dump({}), 0, "neither"),
    ],
)
def test_nothing_is_dropped_in_silence(source: str, line: int, words: str) -> None:
    conversation = lower("a.deltas.jsonl", source)
    assert [loss.line for loss in conversation.losses] == [line]
    assert words in conversation.losses[0].what


def test_an_entry_that_says_otherwise_than_its_message_is_a_loss() -> None:
    """The message has a place for what an entry says, and somebody wrote into it already."""
    own = message("user", said("Hi"), meta={"entry": {"id": "other"}})
    conversation = lower("a.session.jsonl", dump(entry("message", own)))
    assert wires(conversation) == [own]
    assert ["meta.entry" in loss.what for loss in conversation.losses] == [True]


def test_a_message_whose_meta_is_not_an_object_is_a_loss() -> None:
    conversation = lower("a.session.jsonl", dump(entry("message", {**USER, "meta": 7})))
    assert conversation.messages == ()
    assert ["not a message: `meta`" in loss.what for loss in conversation.losses] == [True]


# -- rendering ------------------------------------------------------------------------------

DOCUMENTS = [
    ("a.messages.json", json.dumps([USER, ANSWER, RESULT], indent=2)),
    ("a.messages.json", json.dumps([USER, *STREAM], indent="\t") + "\n\n"),
    ("a.messages.json", "\ufeff" + json.dumps([USER, ANSWER]).replace("}", " }")),
    ("a.messages.jsonl", dump(USER, ANSWER, RESULT, newline="\r\n")),
    ("a.deltas.jsonl", dump(*STREAM, start(), call_start(1), call_args(2), call_end(3), done(4))),
    ("a.session.jsonl", dump(entry("message", USER), entry("x", 1), entry("message", ANSWER))),
    ("a.deltas.jsonl", "broken\n" + dump(text(1), *STREAM)),
    ("a.messages.jsonl", ""),
]


@pytest.mark.parametrize(("path", "source"), DOCUMENTS)
def test_an_unchanged_document_is_given_back_as_it_is(path: str, source: str) -> None:
    document = Document.open(path, source)
    conversation = read_document(document)
    rendered, after = write_as(document.format, conversation, document)
    assert rendered == source
    assert after == ()


@pytest.mark.parametrize(("path", "source"), DOCUMENTS)
def test_what_is_rendered_lowers_to_the_same(path: str, source: str) -> None:
    document = Document.open(path, source)
    conversation = read_document(document)
    rendered, _ = write_as(document.format, conversation)
    again = lower(path, rendered)
    assert again.messages == conversation.messages
    assert again.losses == ()


@given(st.lists(messages(), max_size=3), st.sampled_from(["a.messages.json", "a.messages.jsonl"]))
def test_any_messages_come_back(some: list[Message], path: str) -> None:
    format = detect(path, "")
    rendered, after = write_as(format, Conversation(tuple(some), ((),) * len(some)))
    rendered.encode("utf-8")
    assert wires(lower(path, rendered)) == [json.loads(json.dumps(m.to_wire())) for m in some]
    assert after == ()


def test_lone_surrogates_are_written_as_escapes() -> None:
    half = Message.from_wire(message("user", said("é\ud83d")))
    for format in MSGJSON:
        rendered, _ = write_as(format, Conversation((half,), ((),)))
        assert rendered.encode("utf-8")
        assert "\\ud83d" in rendered


def test_a_number_that_is_none_is_a_loss() -> None:
    odd = Message.from_wire(message("user", meta={"a": [float("nan")]}))
    rendered, after = write_as(MESSAGES_JSON, Conversation((odd,), ((),)))
    assert json.loads(rendered)[0]["meta"] == {"a": [None]}
    assert [loss.message_index for loss in after] == [0]


def test_a_session_is_written_with_entries() -> None:
    rendered, _ = write_as(
        SESSION_JSONL, Conversation(tuple(map(Message.from_wire, (USER, ANSWER))), ((), ()))
    )
    lines = [json.loads(line) for line in rendered.split("\n")[:-1]]
    assert [line["type"] for line in lines] == ["message", "message"]
    assert [line["payload"] for line in lines] == [USER, ANSWER]
    assert len({line["id"] for line in lines}) == 2
    assert {line["timestamp"] for line in lines} == {TIME}


def _changed(source: str, path: str, *kept: int | Message) -> str:
    document = Document.open(path, source)
    old = read_document(document).messages
    some = tuple(old[n] if isinstance(n, int) else n for n in kept)
    return write_as(document.format, Conversation(some, ((),) * len(some)), document)[0]


NEW = Message.from_wire(message("user", said("New")))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_that_are_unchanged_keep_their_text(newline: str) -> None:
    odd = json.dumps(USER, separators=(" ,", " : ")) + newline
    stream = dump(*STREAM, newline=newline)
    passed = dump(entry("x", 1), newline=newline)
    new = dump(NEW.to_wire(), newline=newline)
    source = odd + passed + stream
    path = "a.deltas.jsonl"
    assert _changed(source, path, 0, 1, NEW) == source + new
    assert _changed(source, path, NEW, 0, 1) == new + source
    assert _changed(source, path, 0, NEW, 1) == odd + new + passed + stream
    assert _changed(source, path, 1) == passed + stream
    assert _changed(source, path, 0) == odd + passed
    assert _changed(source, path, NEW, 1) == new + passed + stream


def test_a_last_line_without_its_end_gets_one() -> None:
    source = dump(USER).removesuffix("\n")
    assert _changed(source, "a.messages.jsonl", 0, NEW) == dump(USER, NEW.to_wire())


def test_an_array_keeps_its_indentation() -> None:
    source = json.dumps([USER, ANSWER], indent="\t", ensure_ascii=False) + "\n"
    assert _changed(source, "a.messages.json", 1) == (
        json.dumps([ANSWER], indent="\t", ensure_ascii=False) + "\n"
    )
    assert _changed(source, "a.messages.json") == "[]\n"


def test_rendering_is_of_the_format_of_the_name() -> None:
    conversation = Conversation((NEW,), ((),))
    assert json.loads(write_as(MESSAGES_JSON, conversation)[0]) == [NEW.to_wire()]
    assert json.loads(write_as(MESSAGES_JSONL, conversation)[0]) == NEW.to_wire()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_line_of_which_one_message_stays_is_written_anew(newline: str) -> None:
    """Two streams in one entry: they cannot be told apart in its text."""
    streams = [*STREAM, *[{**wire, "runId": "s"} for wire in STREAM]]
    source = dump(entry("message_delta_batch", {"deltas": streams}), newline=newline)
    document = Document.open("a.session.jsonl", source)
    first, second = read_document(document).messages
    assert (first.run_id, second.run_id) == ("r", "s")
    text = _changed(source, "a.session.jsonl", 1)
    assert (
        wires(lower("a.session.jsonl", text))[0]["parts"]
        == wires(Conversation((second,), ((),)))[0]["parts"]
    )
    assert text.count("\n") == text.count(newline) == 1

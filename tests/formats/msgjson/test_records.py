"""What has not quite its shape: what it is meant to do, and what is said of it."""

from typing import Any

import pytest

from msgls.conversation.conversation import Conversation
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.writers import write_as
from msgls.document.document import Document
from msgls.formats.msgjson.records import read_record
from tests.formats.msgjson.made_up import (
    Wire,
    call_args,
    call_end,
    call_start,
    done,
    dump,
    entry,
    message,
    part,
    start,
)
from tests.formats.msgjson.made_up import text as said

BROKEN: dict[str, Any] = {"seq": "1"}
"""What makes a delta unsound, and leaves what it does as it is."""


@pytest.mark.parametrize(
    ("delta", "name"),
    [
        (call_start(1), "c1"),
        (call_args(1), "c1"),
        (call_end(1), "c1"),
        (start(1, request="q7"), "q7"),
        (said(1), ""),
    ],
)
def test_a_broken_delta_still_names_what_it_is_about(delta: Wire, name: str) -> None:
    (step,) = read_record({**delta, **BROKEN}).steps
    assert (step.kind, step.run, step.seq, step.name) == (delta["kind"], "r", None, name)


def test_a_start_without_a_request_is_a_start() -> None:
    broken = {**start(1), **BROKEN, "payload": {}}
    (step,) = read_record(broken).steps
    assert (step.kind, step.name) == ("start", "")


@pytest.mark.parametrize("delta", [call_start(1), call_args(1), call_end(1)])
def test_a_call_without_a_name_does_nothing(delta: Wire) -> None:
    assert read_record({**delta, "payload": {}}).steps == ()


@pytest.mark.parametrize("more", [{}, BROKEN, {"role": "user"}])
@pytest.mark.parametrize(("time", "is_odd"), [("2026-01-02T03:04:05Z", False), ("soon", True)])
def test_the_time_of_every_delta_is_looked_at(more: Wire, time: str, is_odd: bool) -> None:
    assert read_record({**said(1), "timestamp": time, **more}).has_odd_times is is_odd


@pytest.mark.parametrize(
    ("delta", "lost"),
    [
        ({**said(1), "flag": 1}, ["not kept: `flag` of deltas"]),
        (
            {**said(1), "payload": {"textDelta": "x", "flag": 1}},
            ["not kept: `payload.flag` of deltas"],
        ),
        (said(1), []),
    ],
)
def test_what_no_message_has_a_place_for_is_lost(delta: Wire, lost: list[str]) -> None:
    document = Document.open("a.deltas.jsonl", dump(start(), delta, done(2)))
    assert [str(loss.what) for loss in read_document(document).losses] == lost


@pytest.mark.parametrize(
    ("meta", "lost"),
    [
        (None, []),
        ({"a": 1}, []),
        ({"entry": {"id": "x"}}, ["`meta.entry` contradicts the entry around it"]),
    ],
)
def test_a_message_that_says_what_its_entry_says(meta: Wire | None, lost: list[str]) -> None:
    held = message("user", part("text", text="x")) | ({} if meta is None else {"meta": meta})
    document = Document.open("a.session.jsonl", dump(entry("message", held)))
    found = read_document(document)
    assert [str(loss.what) for loss in found.losses] == lost
    assert found.messages[0].meta == {"entry": {"id": "e1"}, **(meta or {})}


@pytest.mark.parametrize("path", ["a.messages.json", "a.messages.jsonl", "a.session.jsonl"])
def test_text_in_any_script_is_written_as_it_is(path: str) -> None:
    document = Document.open(path, "")
    held = Message.from_wire(message("user", part("text", text="你好 \U0001f642")))
    written, _ = write_as(document.format, Conversation((held,), ((),)))
    assert '"你好 \U0001f642"' in written


@pytest.mark.parametrize(
    ("payload", "names"),
    [({"toolCallId": "c1"}, ["c1"]), ({"toolCallId": 7}, []), ({}, []), (None, []), ([], [])],
)
@pytest.mark.parametrize("kind", ["tool_call", "tool_result"])
def test_only_calls_with_a_name_are_mentioned(kind: str, payload: object, names: list[str]) -> None:
    record = read_record(message("assistant", {"kind": kind, "payload": payload}))
    assert [mention.call for mention in record.mentions] == names


@pytest.mark.parametrize(
    ("newline", "count"), [("\n", 1), ("\r\n", 1), ("\n \n", 3), ("\n\n\n", 3)]
)
def test_neighbouring_lines_are_one_source(newline: str, count: int) -> None:
    document = Document.open("a.deltas.jsonl", dump(start(), said(1), done(2), newline=newline))
    (sources,) = read_document(document).sources
    assert len(sources) == count

"""Streams and messages with one of everything, for tests that ask at many places."""

import json

from hypothesis import strategies as st

from msgls.document.document import Document
from tests.document.tracked import JSON_FILES
from tests.formats.msgjson.made_up import (
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
    part,
    result,
    said,
    start,
    text,
)

DELTAS = dump(
    start(),
    delta(1, "thinking", textDelta="Let me "),
    delta(2, "thinking", textDelta="think."),
    text(3, "Hello "),
    text(4, "🦊 world"),
    call_start(5),
    call_args(6, '{"city": '),
    delta(7, "usage", inputTokens=40, outputTokens=2, totalTokens=42),
    call_args(8, '"Bern"}'),
    call_end(9),
    done(10),
    start(0, "q2", "other"),
    text(1, "Still ", "other"),
)
"""A stream that ended, and one that has not."""

_MESSAGES = (
    message("user", said("What is\nthe weather?"), part("file_ref", path="notes/a b.txt")),
    message("assistant", said("I will look."), call(), call("c2")),
    message("tool", result(content="Sunny.")),
    message("tool", result("c2", {"sky": "blue"})),
)
ARRAY = json.dumps(_MESSAGES, ensure_ascii=False, indent=2) + "\n"
LINES = dump(*_MESSAGES)
SESSION = dump(
    entry("session_start", {"title": "Weather"}),
    entry("message", _MESSAGES[0]),
    entry("message_delta_batch", [start(), text(1, "Hi")]),
    entry("message_delta_batch", {"deltas": [call_start(2), call_end(3), error(4)]}),
)
FILES = {
    "a.deltas.jsonl": DELTAS,
    "a.messages.json": ARRAY,
    "a.messages.jsonl": LINES,
    "a.session.jsonl": SESSION,
}


def opened(source: str, name: str = "a.deltas.jsonl") -> Document:
    document = Document.open(f"/chats/{name}", source)
    assert document.format.name == "msgjson"
    return document


files: st.SearchStrategy[Document] = st.builds(
    opened,
    st.sampled_from([*FILES.values(), *JSON_FILES.starts])
    | st.lists(st.sampled_from(JSON_FILES.fragments), max_size=12).map("".join),
    st.sampled_from([*FILES]),
)
"""Files of every kind, most of them broken in some way."""

"""A tool call has no result, but the conversation continues.

## What it does
Reports a `tool_call` part without a `tool_result` if a message of the user follows. In
the last turn, a result may still come.

## Why it matters
Most services refuse a conversation in which a call has no result.

## Example
```json
{"role": "assistant", "parts": [
  {"kind": "tool_call", "payload": {"toolCallId": "c1", "toolName": "find", "arguments": {}}}], …}
{"role": "user", "parts": [{"kind": "text", "payload": {"text": "Well?"}}], …}
```
Use instead:
```json
{"role": "assistant", "parts": [
  {"kind": "tool_call", "payload": {"toolCallId": "c1", "toolName": "find", "arguments": {}}}], …}
{"role": "tool", "parts": [
  {"kind": "tool_result", "payload": {"toolCallId": "c1", "isError": true, "content": "?"}}], …}
{"role": "user", "parts": [{"kind": "text", "payload": {"text": "Well?"}}], …}
```

## Fix safety
There is no fix: what the tool would have returned is not known.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.jsontree import Path
from msgls.formats.msgjson.cells import ANSWERED, CALLED, USER, UserSpeaks
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import DocumentRule, Problem, Severity
from msgls.rules.msgjson.streams import PlacedMention, call_span, indices_of, mentions_of


class UnansweredToolCall(DocumentRule):
    code = "DLT014"
    name = "unanswered-tool-call"
    severity = Severity.INFORMATION
    texts = {
        "message": "the tool call `{call}` has no result, but the conversation continues",
    }
    depends = (CALLED, ANSWERED, USER)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        document = snapshot.document
        entries = document.entries(USER, "")
        if not entries:
            return
        last = entries[-1].payloads[0]
        assert isinstance(last, UserSpeaks), "that is what the index holds"
        end = _place(entries[-1].label, last.segment, last.path)
        for call in document.index.names(CALLED):
            for placed in _unanswered(document, call):
                if _place(placed.label, placed.segment, placed.mention.path) < end:
                    yield self.problem(placed.label, call_span(document, placed), call=call)


def _unanswered(document: Document, call: str) -> list[PlacedMention]:
    """The parts of messages that make a call which nothing answers."""
    if document.entries(ANSWERED, call):
        return []
    return mentions_of(document, call, (MentionKind.PART,))


def _place(label: int, segment: int, path: Path) -> tuple[int, int, tuple[int, ...]]:
    """A key that sorts messages by their place."""
    return label, segment, indices_of(path)

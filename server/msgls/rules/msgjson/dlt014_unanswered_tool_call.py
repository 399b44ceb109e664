"""A tool call has no result, but the conversation continues.

## What it does
Looks for `tool_call` parts of messages that no `tool_result` answers, where the user speaks
after them. In the last turn a result may still come.

## Why it matters
Most models refuse a conversation in which a call has no result.

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
There is no fix: what the tool would have said is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.jsontree import Path
from msgls.formats.msgjson.cells import TOOL_CALL, USER, UserSpeaks
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import DocumentRule, Problem, Severity
from msgls.rules.msgjson.streams import FORMATS, Said, call_span, indices_of, said_of

_RESULTS = (MentionKind.RESULT, MentionKind.LOOSE_RESULT)


class UnansweredToolCall(DocumentRule):
    """See the module."""

    code = "DLT014"
    name = "unanswered-tool-call"
    severity = Severity.INFORMATION
    texts = {
        "message": "the tool call `{call}` has no result, but the conversation continues",
    }
    formats = FORMATS
    depends = (TOOL_CALL, USER)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        """Every call before the last message of the user that has no result."""
        document = snapshot.document
        entries = document.entries(USER, "")
        if not entries:
            return
        last = entries[-1].payloads[0]
        assert isinstance(last, UserSpeaks), "that is what the index holds"
        end = _place(entries[-1].order, last.segment, last.path)
        for relation, call in document.index:
            if relation == TOOL_CALL:
                for said in _unanswered(document, call):
                    if _place(said.order, said.segment, said.mention.path) < end:
                        yield self.problem(said.order, call_span(document, said), call=call)


def _unanswered(document: Document, call: str) -> list[Said]:
    """The parts of messages that make a call which nothing answers."""
    said = list(said_of(document, call))
    if any(one.mention.kind in _RESULTS for one in said):
        return []
    return [one for one in said if one.mention.kind is MentionKind.PART]


def _place(order: int, segment: int, path: Path) -> tuple[int, int, tuple[int, ...]]:
    """What tells which of two messages is the later one."""
    return order, segment, indices_of(path)

"""Two tool calls of one run have the same id.

## What it does
Reports a `tool_call_start` whose id an earlier one in the same run already has, and
likewise a `tool_call` part of a message. A message that repeats a call of a stream is
not a second call.

## Why it matters
A result names its call by the id: if two calls have that id, it is unclear which one it
answers.

## Example
```json
{"seq": 1, "kind": "tool_call_start", "payload": {"toolCallId": "c1", "toolName": "find"}, …}
{"seq": 4, "kind": "tool_call_start", "payload": {"toolCallId": "c1", "toolName": "read"}, …}
```
Use instead:
```json
{"seq": 1, "kind": "tool_call_start", "payload": {"toolCallId": "c1", "toolName": "find"}, …}
{"seq": 4, "kind": "tool_call_start", "payload": {"toolCallId": "c2", "toolName": "read"}, …}
```

## Fix safety
There is no fix: the file does not say which results belong to which of the two.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import CALLED
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import by_run, call_span, related_call


class DuplicateToolCallId(NameRule):
    code = "DLT008"
    name = "duplicate-tool-call-id"
    severity = Severity.ERROR
    texts = {
        "message": "run `{run}` already has a tool call `{call}`",
        "related": "the tool call `{call}` is first used here",
    }
    relations = (CALLED,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """Calls of one id, in streams and in messages."""
        document = snapshot.document
        for kind in (MentionKind.START, MentionKind.PART):
            for run, calls in by_run(document, name, kind).items():
                for placed in calls[1:]:
                    span = call_span(document, placed)
                    problem = self.problem(placed.label, span, call=name, run=run)
                    yield problem._replace(related=(related_call(document, calls[0]),))

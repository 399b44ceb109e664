"""A session has a tool result that is in none of its `message` entries.

## What it does
In `*.session.jsonl`, reports a result in an entry of another type, or in a line that is
not an entry, if no `message` entry has a result of the same call.

## Why it matters
A session is restored from its `message` entries. A result that is in none of them is
gone when the session is resumed, and its call stays unanswered.

## Example
```json
{"id": "e7", "type": "tool_end", …,
  "payload": {"toolCallId": "c1", "isError": false, "content": "ok"}}
```
Use instead:
```json
{"id": "e7", "type": "tool_end", …,
  "payload": {"toolCallId": "c1", "isError": false, "content": "ok"}}
{"id": "e8", "type": "message", …,
  "payload": {"role": "tool", "parts": [
    {"kind": "tool_result", "payload": {"toolCallId": "c1", "isError": false, …}}], …}}
```

## Fix safety
There is no fix: only the writer knows the id and the place of the missing entry.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import ANSWERED
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import call_span, mentions_of


class ToolResultNotStored(NameRule):
    code = "DLT013"
    name = "tool-result-not-stored"
    severity = Severity.WARNING
    texts = {
        "message": (
            "the result of `{call}` is not stored in a `message` entry: it is lost "
            "with this session"
        ),
    }
    relations = (ANSWERED,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """Results of one id."""
        document = snapshot.document
        results = mentions_of(document, name, (MentionKind.RESULT, MentionKind.LOOSE_RESULT))
        stored = {s.mention.run for s in results if s.mention.kind is MentionKind.RESULT}
        for loose in results:
            if loose.mention.kind is MentionKind.LOOSE_RESULT:
                run = loose.mention.run
                if run not in stored and not (stored and run is None):
                    yield self.problem(loose.label, call_span(document, loose), call=name)

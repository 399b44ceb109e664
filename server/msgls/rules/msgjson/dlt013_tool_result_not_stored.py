"""A session has a tool result that is in none of its `message` entries.

## What it does
Looks in `*.session.jsonl` for results in entries of other types, and in lines that are
not entries, whose call has no result in a `message` entry.

## Why it matters
The `message` entries are what a session is read back from. A result that is in none of
them is gone when the session is resumed, and its call stays unanswered.

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
There is no fix: the entry that is missing has an id and a place that only the writer knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import TOOL_CALL
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import FORMATS, call_span, said_of


class ToolResultNotStored(NameRule):
    """See the module."""

    code = "DLT013"
    name = "tool-result-not-stored"
    severity = Severity.WARNING
    texts = {
        "message": (
            "the result of `{call}` is not stored in a `message` entry: it is lost "
            "with this session"
        ),
    }
    formats = FORMATS
    relations = (TOOL_CALL,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """Results of one id."""
        document = snapshot.document
        said = list(said_of(document, name))
        stored = {s.mention.run for s in said if s.mention.kind is MentionKind.RESULT}
        for loose in said:
            if loose.mention.kind is MentionKind.LOOSE_RESULT:
                run = loose.mention.run
                if run not in stored and not (stored and run is None):
                    yield self.problem(loose.order, call_span(document, loose), call=name)

"""A tool result does not belong to a call.

## What it does
Reports a `tool_result` part whose `toolCallId` no earlier call of the same run has,
neither in a stream nor in a message.

## Why it matters
It is unknown which call the result belongs to, and most services refuse such a
conversation.

## Example
```json
{"role": "tool", "parts": [
  {"kind": "tool_result", "payload": {"toolCallId": "c9", "isError": false, "content": "ok"}}], …}
```
Use instead:
```json
{"role": "assistant", "parts": [
  {"kind": "tool_call", "payload": {"toolCallId": "c9", "toolName": "find", "arguments": {}}}], …}
{"role": "tool", "parts": [
  {"kind": "tool_result", "payload": {"toolCallId": "c9", "isError": false, "content": "ok"}}], …}
```

## Fix safety
There is no fix: the file does not say which call was meant.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import ANSWERED, CALLED
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import by_run, call_span, related_call


class ToolResultWithoutCall(NameRule):
    code = "DLT009"
    name = "tool-result-without-call"
    severity = Severity.ERROR
    texts = {
        "message": "no tool call before this result has the id `{call}`",
        "message.later": "the tool call `{call}` comes only after this result",
        "related": "the tool call is here",
    }
    relations = (CALLED, ANSWERED)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """Results of one id before the first call of that id."""
        document = snapshot.document
        kinds = MentionKind.START, MentionKind.PART, MentionKind.RESULT
        for mentions in by_run(document, name, *kinds).values():
            results = []
            call = None
            for placed in mentions:
                if placed.mention.kind is not MentionKind.RESULT:
                    call = placed
                    break
                results.append(placed)
            for placed in results:
                span = call_span(document, placed)
                key = "message" if call is None else "message.later"
                related = () if call is None else (related_call(document, call),)
                yield self.problem(placed.label, span, key, call=name)._replace(related=related)

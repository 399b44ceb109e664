"""A tool call has two results.

## What it does
Reports a `tool_result` part whose `toolCallId` an earlier result in the same run
already has. Results whose number in `meta.results` is 2 or higher are an exception:
they come from a message file with several result cells for one call, of which the model
does not see all.

## Why it matters
A call has one result. With two, a program that reads the conversation may use either of
them.

## Example
```json
{"role": "tool", "parts": [
  {"kind": "tool_result", "payload": {"toolCallId": "c1", "isError": true, "content": "no"}}], …}
{"role": "tool", "parts": [
  {"kind": "tool_result", "payload": {"toolCallId": "c1", "isError": false, "content": "ok"}}], …}
```
Use instead:
```json
{"role": "tool", "parts": [
  {"kind": "tool_result", "payload": {"toolCallId": "c1", "isError": false, "content": "ok"}}], …}
```

## Fix safety
There is no fix: only the writer knows which of the two is valid.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import ANSWERED
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import by_run, call_span, related_call


class SecondTerminalResult(NameRule):
    code = "DLT010"
    name = "second-terminal-result"
    severity = Severity.ERROR
    texts = {
        "message": "the tool call `{call}` already has a result",
        "related": "its first result is here",
    }
    relations = (ANSWERED,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """Results of one id."""
        document = snapshot.document
        for results in by_run(document, name, MentionKind.RESULT).values():
            for placed in [placed for placed in results[1:] if not placed.mention.is_further]:
                problem = self.problem(placed.label, call_span(document, placed), call=name)
                yield problem._replace(related=(related_call(document, results[0]),))

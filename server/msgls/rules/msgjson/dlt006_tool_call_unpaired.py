"""A tool call has arguments or an end without a start, or a start without an end.

## What it does
Follows every tool call of a stream from `tool_call_start` through `tool_call_args` to
`tool_call_end`. Arguments and ends without a start are reported once for each call. A
call without an end is reported at its start when its stream ends in `done`, but not in
a stream that ends in `error` or is still growing.

## Why it matters
Arguments without a start belong to no call and are lost; the arguments of a call
without an end are never read.

## Example
```json
{"seq": 1, "kind": "tool_call_start", "payload": {"toolCallId": "c1", "toolName": "find"}, …}
{"seq": 2, "kind": "tool_call_args", "payload": {"toolCallId": "c2", "argsTextDelta": "{}"}, …}
```
Use instead:
```json
{"seq": 1, "kind": "tool_call_start", "payload": {"toolCallId": "c1", "toolName": "find"}, …}
{"seq": 2, "kind": "tool_call_args", "payload": {"toolCallId": "c1", "argsTextDelta": "{}"}, …}
{"seq": 3, "kind": "tool_call_end", "payload": {"toolCallId": "c1"}, …}
```

## Fix safety
There is no fix: only the writer knows what is missing.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import STREAM
from msgls.formats.msgjson.records import MentionKind
from msgls.formats.msgjson.streams import FaultKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import (
    Finding,
    PlacedDelta,
    PlacedMention,
    by_run,
    call_span,
    findings,
    related_to,
    span_at,
)


class ToolCallUnpaired(NameRule):
    code = "DLT006"
    name = "tool-call-unpaired"
    severity = Severity.ERROR
    texts = {
        "message.no-start": (
            "the tool call `{call}` is not open: there is no `tool_call_start` before it"
        ),
        "message.no-end": "the tool call `{call}` has no `tool_call_end`, but its stream has ended",
        "related": "the stream ends here",
    }
    relations = (STREAM,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """The deltas of one run."""
        document = snapshot.document
        for found in findings(document, name):
            if found.fault.kind is FaultKind.CALL_NOT_ENDED:
                yield self._not_ended(document, found)
            elif found.fault.kind is FaultKind.CALL_NOT_STARTED:
                span = span_at(document, found.spot, "payload", "toolCallId")
                call = found.fault.tool_call_id
                yield self.problem(found.spot.label, span, "message.no-start", call=call)

    def _not_ended(self, document: Document, found: Finding) -> Problem:
        call, spot = found.fault.tool_call_id, found.spot
        start = _start_before(document, call, spot)
        if start is None:
            span = span_at(document, spot, "kind")
            return self.problem(spot.label, span, "message.no-end", call=call)
        span = call_span(document, start)
        problem = self.problem(start.label, span, "message.no-end", call=call)
        return problem._replace(related=related_to(document, spot, "related"))


def _start_before(document: Document, call: str, terminal: PlacedDelta) -> PlacedMention | None:
    """The last start of a call before its stream is done."""
    starts = by_run(document, call, MentionKind.START).get(terminal.step.run, [])
    before = [placed for placed in starts if placed.label <= terminal.label]
    return before[-1] if before else None

"""A stream has no `start`, or two.

## What it does
Reports the first delta of a stream without a `start`, and a second `start` with the
same `requestId` while the stream is open. A `start` after the end of a stream opens
another one, even in the same run.

## Why it matters
A stream without a start yields no message: it is unknown which model answers which
request.

## Example
```json
{"runId": "r1", "seq": 1, "kind": "text", "payload": {"textDelta": "Hi"}, "timestamp": "…"}
{"runId": "r1", "seq": 2, "kind": "done", "payload": {"finishReason": "stop"}, "timestamp": "…"}
```
Use instead:
```json
{"seq": 0, "kind": "start", "payload": {"modelId": "m", "requestId": "q1"}, …}
{"runId": "r1", "seq": 1, "kind": "text", "payload": {"textDelta": "Hi"}, "timestamp": "…"}
{"runId": "r1", "seq": 2, "kind": "done", "payload": {"finishReason": "stop"}, "timestamp": "…"}
```

## Fix safety
There is no fix: the file does not say which model and which request it was.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import STREAM
from msgls.formats.msgjson.streams import FaultKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import findings, related_to, span_at


class StreamStart(NameRule):
    code = "DLT003"
    name = "stream-start"
    severity = Severity.ERROR
    texts = {
        "message.start-missing": "a stream of run `{run}` continues here without a `start`",
        "message.start-repeated": "the stream of run `{run}` is already open: duplicate `start`",
        "related": "the stream is opened here",
    }
    relations = (STREAM,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """The deltas of one run."""
        document = snapshot.document
        for found in findings(document, name):
            spot, kind = found.spot, found.fault.kind
            if kind is FaultKind.START_MISSING:
                span = span_at(document, spot, "kind")
                yield self.problem(spot.label, span, "message.start-missing", run=name)
            elif kind is FaultKind.START_REPEATED:
                span = span_at(document, spot, "kind")
                problem = self.problem(spot.label, span, "message.start-repeated", run=name)
                yield problem._replace(related=related_to(document, found.start, "related"))

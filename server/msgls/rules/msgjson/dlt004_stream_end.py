"""A stream has no end, two ends, or continues after its end.

## What it does
Reports a `start` while the stream of an earlier request in the same run is still open,
the first delta after `done` or `error`, and a second `done` or `error`. A stream that
is open at the end of the file may still be growing, so it is reported as information.

## Why it matters
A stream that does not end yields no message, and what comes after its end is in no
message.

## Example
```json
{"runId": "r1", "seq": 2, "kind": "done", "payload": {"finishReason": "stop"}, "timestamp": "…"}
{"runId": "r1", "seq": 3, "kind": "text", "payload": {"textDelta": "one more"}, "timestamp": "…"}
```
Use instead:
```json
{"runId": "r1", "seq": 2, "kind": "text", "payload": {"textDelta": "one more"}, "timestamp": "…"}
{"runId": "r1", "seq": 3, "kind": "done", "payload": {"finishReason": "stop"}, "timestamp": "…"}
```

## Fix safety
There is no fix: only the writer of the stream knows how it ended.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import STREAM
from msgls.formats.msgjson.streams import FaultKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import findings, related_to, span_at, unended

_KINDS = (
    FaultKind.TERMINAL_MISSING,
    FaultKind.DELTA_AFTER_TERMINAL,
    FaultKind.SECOND_TERMINAL,
)


class StreamEnd(NameRule):
    code = "DLT004"
    name = "stream-end"
    severity = Severity.ERROR
    texts = {
        "message.terminal-missing": (
            "the stream of run `{run}` before this one has not ended: `done` or `error` is missing"
        ),
        "message.delta-after-terminal": "the stream of run `{run}` has ended before this delta",
        "message.second-terminal": "the stream of run `{run}` has ended already",
        "message.not-ended": "the stream of run `{run}` has not ended yet",
        "related.start": "the stream is opened here",
        "related.end": "the stream ends here, with `{kind}`",
    }
    relations = (STREAM,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """The deltas of one run."""
        document = snapshot.document
        for found in findings(document, name):
            spot, kind = found.spot, found.fault.kind
            if kind in _KINDS:
                span = span_at(document, spot, "kind")
                problem = self.problem(spot.label, span, f"message.{kind.value}", run=name)
                is_open = kind is FaultKind.TERMINAL_MISSING
                other = found.start if is_open else found.terminal
                key = "related.start" if is_open else "related.end"
                yield problem._replace(related=related_to(document, other, key))
        start = unended(document, name)
        if start is not None:
            span = span_at(document, start, "kind")
            problem = self.problem(start.label, span, "message.not-ended", run=name)
            yield problem._replace(severity=Severity.INFORMATION)

"""The `seq` of a delta is not larger than that of the one before it.

## What it does
Compares the `seq` of every delta with the one before it in its stream. A new stream
starts counting again; gaps are allowed.

## Why it matters
A `seq` that repeats or goes back means that a delta came twice, or that the deltas are
not in the order in which they were sent: the assembled text is wrong.

## Example
```json
{"runId": "r1", "seq": 5, "kind": "text", "payload": {"textDelta": "Hel"}, "timestamp": "…"}
{"runId": "r1", "seq": 5, "kind": "text", "payload": {"textDelta": "lo"}, "timestamp": "…"}
```
Use instead:
```json
{"runId": "r1", "seq": 5, "kind": "text", "payload": {"textDelta": "Hel"}, "timestamp": "…"}
{"runId": "r1", "seq": 6, "kind": "text", "payload": {"textDelta": "lo"}, "timestamp": "…"}
```

## Fix safety
There is no fix: the file does not say whether a number is wrong or a delta is in the
wrong place.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgjson.cells import STREAM
from msgls.formats.msgjson.streams import FaultKind
from msgls.rules.base import NameRule, Problem, Severity
from msgls.rules.msgjson.streams import findings, span_at
from msgls.text.phrases import Phrase


class SeqNotIncreasing(NameRule):
    code = "DLT005"
    name = "seq-not-increasing"
    severity = Severity.ERROR
    texts = {
        "message": "`seq` must increase: {seq} follows {last}",
    }
    relations = (STREAM,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """The deltas of one run."""
        document = snapshot.document
        for found in findings(document, name):
            if found.fault.kind is FaultKind.SEQ_NOT_INCREASING:
                span = span_at(document, found.spot, "seq")
                seq, last = shown_seq(found.spot.step.seq), shown_seq(found.fault.last_seq)
                yield self.problem(found.spot.label, span, seq=seq, last=last)


def shown_seq(number: int | None) -> str:
    """A number; for a very long one, a phrase that says so."""
    if number is None or abs(number) >= 10**30:
        return Phrase("a very long number")
    return str(number)

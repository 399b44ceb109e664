"""A timestamp is not an ISO 8601 date and time.

## What it does
Checks the `timestamp` of every message, delta and session entry.

## Why it matters
Times in other forms cannot be compared or sorted, and programs may read them as
different times.

## Example
```json
{"runId": "r1", "role": "user", "parts": [], "timestamp": "2 Jan 2026, 3:04"}
```
Use instead:
```json
{"runId": "r1", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:00Z"}
```

## Fix safety
There is no fix: the text does not say for certain which moment was meant.
"""

from collections.abc import Iterator

from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.records import Shape, is_iso_time
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.rules.topics import Topic

_TIMED = (Shape.MESSAGE, Shape.DELTA, Shape.ENTRY)


class TimestampNotIso(CellRule):
    code = "DLT012"
    name = "timestamp-not-iso"
    severity = Severity.HINT
    texts = {
        "message": "`{time}` is not an ISO 8601 date and time",
    }
    wants = Topic.ODD_TIME

    def check(self, subject: Subject) -> Iterator[Problem]:
        cell = subject.cell
        if not isinstance(cell, JsonCell):
            return
        if not any(s.record is not None and s.record.has_odd_times for s in cell.segments):
            return
        for segment, item, wire in cell.items():
            time = wire.get("timestamp") if isinstance(wire, dict) else None
            if item.shape in _TIMED and isinstance(time, str) and not is_iso_time(time):
                span = cell.span_of(segment, (*item.path, "timestamp"))
                yield self.problem(subject.label, span, time=time)

"""A value is not a valid message, delta or session entry.

## What it does
Compares every message, delta and session entry with its model: required keys, types, known
kinds and roles. Keys that the model does not know are allowed. Entries of a type that is
neither `message` nor `message_delta_batch` may hold any payload.

## Why it matters
A program that relies on the model fails, or reads something other than what was meant.

## Example
```json
{"runId": "r1", "seq": "7", "kind": "text", "payload": {"textDelta": "Hi"}, "timestamp": "…"}
```
Use instead:
```json
{"runId": "r1", "seq": 7, "kind": "text", "payload": {"textDelta": "Hi"}, "timestamp": "…"}
```

## Fix safety
There is no fix: only the author knows the right value.
"""

from collections.abc import Iterator
from typing import Any

from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.records import Item, Shape
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.rules.topics import Topic
from msgls.text.phrases import Phrase, as_phrase

# If nothing in a value is right, the first few problems are enough.
_MOST_OF_ONE = 10


class InvalidShape(CellRule):
    code = "DLT002"
    name = "invalid-shape"
    severity = Severity.ERROR
    texts = {
        "message": "`{path}`: {reason}",
        "message.whole": "this is not a valid {what}: {reason}",
        "message.unknown": "this is neither a message nor a delta nor a session entry",
        "message.batch": "the payload of a `message_delta_batch` must be a list of deltas",
    }
    wants = Topic.UNSOUND

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Let the models check the values that the quick check does not accept."""
        cell = subject.cell
        if not isinstance(cell, JsonCell):
            return
        for segment, item, wire in cell.items():
            if not item.is_sound:
                yield from self._problems(subject.label, cell, segment, item, wire)

    def _problems(
        self, label: int, cell: JsonCell, segment: int, item: Item, wire: Any
    ) -> Iterator[Problem]:
        if item.shape is Shape.UNKNOWN:
            yield self.problem(label, cell.span_of(segment, item.path), "message.unknown")
            return
        if item.shape is Shape.BATCH:
            yield self.problem(label, cell.span_of(segment, item.path), "message.batch")
            return
        for path, reason in refusals(item.shape, wire)[:_MOST_OF_ONE]:
            span = cell.span_of(segment, (*item.path, *path))
            if not path:
                what = {"what": as_phrase(item.shape.value), "reason": reason}
                yield self.problem(label, span, "message.whole", **what)
                continue
            where = ".".join(map(str, path))
            yield self.problem(label, span, path=where, reason=reason)


def refusals(shape: Shape, wire: Any) -> list[tuple[tuple[str | int, ...], Phrase]]:
    """What the model of that shape refuses, each by its path and as part of a sentence."""
    # Imported late: pydantic is a quarter of a second that a file without such values need not pay.
    from pydantic import ValidationError

    from msgls.conversation.messages import (
        Message,
        SessionEntry,
        as_reason,
        delta_from_wire,
        wire_problems,
    )

    try:
        if shape is Shape.DELTA:
            delta_from_wire(wire)
        elif shape is Shape.MESSAGE:
            Message.from_wire(wire)
        else:
            SessionEntry.from_wire(wire)
    except ValidationError as error:
        return [(problem.path, as_reason(problem.reason)) for problem in wire_problems(error)]
    return []

"""A part is not allowed for the role of its message.

## What it does
Compares the kinds of parts with the role: `system` may have text and thinking; `user`
text, images and files; `assistant` text, thinking and tool calls; `tool` only tool
results.

## Why it matters
Most services refuse such a message, or leave the part out.

## Example
```json
{"role": "user", "parts": [
  {"kind": "thinking", "payload": {"text": "Hm"}}], …}
```
Use instead:
```json
{"role": "assistant", "parts": [
  {"kind": "thinking", "payload": {"text": "Hm"}}], …}
```

## Fix safety
There is no fix: only the writer knows whether the role or the part is wrong.
"""

from collections.abc import Iterator

from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.records import Shape, odd_parts
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.rules.topics import Topic


class PartNotAllowedForRole(CellRule):
    code = "DLT011"
    name = "part-not-allowed-for-role"
    severity = Severity.WARNING
    texts = {
        "message": "a message with the role `{role}` cannot have a part of kind `{kind}`",
    }
    wants = Topic.ODD_PART

    def check(self, subject: Subject) -> Iterator[Problem]:
        cell = subject.cell
        if not isinstance(cell, JsonCell):
            return
        if not any(s.record is not None and s.record.has_odd_parts for s in cell.segments):
            return
        for segment, item, wire in cell.items():
            if item.shape is Shape.MESSAGE and isinstance(wire, dict):
                for index, kind, role in odd_parts(wire):
                    span = cell.span_of(segment, (*item.path, "parts", index, "kind"))
                    yield self.problem(subject.label, span, kind=kind, role=role)

"""This is not valid JSON.

## What it does
Reads every line of a JSONL file, and every element of an array, as strict JSON, and
looks at the commas and brackets between elements. Comments, trailing commas and `NaN`
are not JSON. Each value is reported at the first place where it cannot be read.

## Why it matters
Programs that read the file stop there, or leave the message out.

## Example
```json
[
  {"runId": "r1", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:05Z"},
]
```
Use instead:
```json
[
  {"runId": "r1", "role": "user", "parts": [], "timestamp": "2026-01-02T03:04:05Z"}
]
```

## Fix safety
Safe: a missing comma between two elements is inserted, and a comma before the end of
the array is removed. Other problems have no fix.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgjson.cells import ARRAY, SYNTAX
from msgls.formats.msgjson.pieces import COMMA_MISSING, COMMA_TOO_MANY
from msgls.rules.base import Fix, NameRule, Problem, Severity
from msgls.rules.msgjson.streams import cell_at
from msgls.text.phrases import as_phrase
from msgls.text.spans import Edit, Span


class InvalidJson(NameRule):
    code = "DLT001"
    name = "invalid-json"
    severity = Severity.ERROR
    texts = {
        "message": "this is not valid JSON: {reason}",
        "message.open": "the array is never closed: `]` is missing",
        "fix.remove": "Remove the comma",
        "fix.insert": "Insert the comma",
    }
    relations = (SYNTAX,)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """The errors of one text, or the bracket of an array that nothing closes."""
        document = snapshot.document
        if name == ARRAY:
            yield from self._unclosed(document)
            return
        for entry in document.entries(SYNTAX, name):
            for error in cell_at(document, entry.label).syntax_errors():
                problem = self.problem(entry.label, error.span, reason=as_phrase(error.reason))
                yield problem._replace(data=error.reason)

    def _unclosed(self, document: Document) -> Iterator[Problem]:
        opened = None
        for entry in document.entries(SYNTAX, ARRAY):
            for bracket in "".join(map(str, entry.payloads)):
                opened = entry.label if bracket == ARRAY else None
        if opened is not None:
            at = cell_at(document, opened).text.find(ARRAY)
            yield self.problem(opened, Span(at, at + 1), "message.open")

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        if problem.data == COMMA_TOO_MANY:
            comma = _comma_before(document, placed, problem.span.start)
            if comma is not None:
                yield Fix.of("fix.remove", Edit(comma, ""), safe=True)
        elif problem.data == COMMA_MISSING:
            end = _end_before(document, placed, problem.span.start)
            if end is not None:
                yield Fix.of("fix.insert", Edit(Span(end, end), ","), safe=True)


def _comma_before(document: Document, placed: Placed, offset: int) -> Span | None:
    """The comma that is the last character but spaces before an offset of a cell."""
    end = _end_before(document, placed, offset)
    if end is None:
        return None
    comma = Span(end - 1, end)
    return comma if document.store.slice(comma) == "," else None


def _end_before(document: Document, placed: Placed, offset: int) -> int | None:
    """The absolute end of what is before an offset of a cell, spaces left out."""
    before = placed.cell.text[:offset].rstrip(" \t\r\n")
    if before:
        return placed.start_offset + len(before)
    number = document.number_of(placed.label)
    if not number:
        return None
    other = document.cell_number(number - 1)
    text = other.cell.text.rstrip(" \t\r\n")
    return other.start_offset + len(text) if text else None

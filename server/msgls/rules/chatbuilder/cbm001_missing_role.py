"""The header has no role.

## What it does
Reports a header without a line `; role:`, and a line `; role:` without a value. If a
line is nearly that, such as `; Role: user`, or if two empty lines separate the role
from the header, the report says so. A role other than `user`, `assistant` and `system`
is CBM002.

## Why it matters
A program that reads the file finds the role by that line, and cannot use a message
without one.

## Example
```markdown
; Component: UserMessage
; Version: 1.0.0


How do closures work?
```
Use instead:
```markdown
; Component: UserMessage
; Version: 1.0.0
;
; role: user


How do closures work?
```

## Fix safety
Not safe: which role is right is a guess, made from the name of the component and the
number of the file. Every role is offered, the likeliest one first. A misspelled `role`
is corrected, and empty lines inside the header are removed.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.fields import ROLE
from msgls.formats.chatbuilder.header import HEADER, Field, MessageHeader, parse_header, scan
from msgls.formats.chatbuilder.roles import likely_roles
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import (
    HeaderRule,
    field_at,
    header_of,
    insert_role,
)
from msgls.syntax.cells import Cell
from msgls.text.lines import line_bounds
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span

_MISSING, _EMPTY, _NEAR, _LATER = "message", "message.empty", "message.near", "message.later"


class MissingRole(HeaderRule):
    code = "CBM001"
    name = "missing-role"
    severity = Severity.ERROR
    texts = {
        "message": "the header has no `; role:`, so the author of this message is unknown",
        "message.empty": "the author of this message is unknown: `role` has no value",
        "message.near": "the author of this message is unknown: `{field}` is not `role`",
        "message.later": "empty lines separate the role from the header, so it is read as text",
        "fix.insert": "Insert the role `{role}`",
        "fix.rename": "Change to `{role}`",
        "fix.join": "Remove the empty lines within the header",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        role, label = header.role, subject.label
        if role is not None:
            if not role.value:
                yield self.problem(label, role.line, _EMPTY)
            return
        near, later = near_role(header), _role_below(subject.cell, header)
        if near is not None:
            yield self.problem(label, near.key_span, _NEAR, field=near.key)
        elif later is not None:
            yield self.problem(label, later, _LATER)
        elif header.lines:
            yield self.problem(label, header.lines[0].span)
        elif len(subject.document.store) > header.body_start:
            line = line_bounds(subject.cell.text, header.body_start, header.body_start)
            yield self.problem(label, Span(*line))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        header = header_of(document)
        if problem.key == _NEAR:
            yield Fix.of("fix.rename", Edit(problem.span, ROLE), role=ROLE)
            return
        if problem.key == _LATER:
            newline = document.newline
            lone = "" if header.lines[-1].is_lone else newline + ";"
            yield Fix.of("fix.join", Edit(header.gap, lone + newline))
            return
        for role in likely_roles(header, document.path):
            if problem.key == _EMPTY:
                field = field_at(header, problem.span)
                rest = Span(field.value_span.start, field.line.end)
                yield Fix.of("fix.insert", Edit(rest, " " + role), role=role)
            else:
                yield Fix.of("fix.insert", insert_role(document, header, role), role=role)


def near_role(header: MessageHeader) -> Field | None:
    """A field that is nearly called ``role``, where none is."""
    if header.role is not None:
        return None
    return next((field for field in header.fields if closest(field.key, [ROLE])), None)


def _role_below(cell: Cell, header: MessageHeader) -> Span | None:
    """The line with the role, where empty lines cut it off from the header."""
    text = cell.text[header.body_start :]
    if not text.startswith(";") or not header.lines:
        return None
    end = scan(text, HEADER).body_start
    below = parse_header(text if end < 0 else text[:end], True)
    return None if below.role is None else below.role.line.shift(header.body_start)

"""A message has two different roles.

## What it does
Reports a command that names a role, such as `user`, with another role as its argument;
and a `raw` command with another role than that of its object.

## Why it matters
The role that the command names is used, and in a `raw` message that of the object.
Other programs may use the other one.

## Example
```text
@user role=system
```
Use instead:
```text
@system
```

## Fix safety
There is no fix: which of the two is meant cannot be known.
"""

from collections.abc import Iterator

from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import Mode
from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.stf.base import StfRule


class ConflictingRole(StfRule):
    code = "STF014"
    name = "conflicting-role"
    severity = Severity.WARNING
    texts = {
        "message": "the role `{role}` has no effect: the message has the role `{counts}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        opening = cell.opening
        if opening is None or opening.spec is None:
            return
        argument = cell.arguments(opening).get("role")
        if argument is None or argument.value is None:
            return
        counts = opening.spec.role
        if opening.spec.mode is Mode.RAW:
            message = cell.parsed_block(opening)[1].value
            counts = message.get("role") if isinstance(message, dict) else None
        if isinstance(counts, str) and counts != argument.value:
            span = argument.span.shift(opening.rest.start)
            yield self.problem(subject.label, span, role=argument.value, counts=counts)

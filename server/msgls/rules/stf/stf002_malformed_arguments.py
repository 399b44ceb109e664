"""What follows a command cannot be read as its arguments.

## What it does
Reads what follows a command on its line: `key=value` pairs with spaces between them, or
one JSON5 object. A key is lower-case letters, digits and `_`, and starts with a letter.
A value that starts with a quote is a JSON5 string and ends with the same quote. The
values of an object are strings or numbers.

## Why it matters
An argument that cannot be read is ignored. A result then lacks its `call_id`, for
example, and may answer another call.

## Example
```text
@user name="Ann Lee
@tool call_id
```
Use instead:
```text
@user name="Ann Lee"
@tool call_id=c1
```

## Fix safety
There is no fix: what was meant cannot be known.
"""

from collections.abc import Iterator

from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, with_arguments


class MalformedArguments(StfRule):
    code = "STF002"
    name = "malformed-arguments"
    severity = Severity.ERROR
    texts = {
        "message.unreadable": "`{text}` is not an argument: write `key=value`, or one object",
        "message.value": "`{text}` has no value: write `key=value`, or one object",
        "message.key": (
            "`{text}` is not a valid key: use lower-case letters, digits and `_`, starting with "
            "a letter"
        ),
        "message.quote": "the quote that opens here is not closed",
        "message.text": "the value must be a string or a number",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        """Each fault; those of the JSON5 itself are STF012's."""
        for command, arguments in with_arguments(cell):
            for fault in arguments.faults:
                if not fault.is_json:
                    span = fault.span.shift(command.rest.start)
                    key = f"message.{fault.key}"
                    yield self.problem(subject.label, span, key, text=span.of(cell.text))

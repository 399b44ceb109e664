"""A field has an invalid value.

## What it does
Checks the values of these fields: `Block-UUID` and `Parent-UUID` are UUIDs (a message
without a parent may say `N/A`), `Version` is a semantic version such as `1.0.0`,
`Created-at` an ISO 8601 date, and `Authors` a list of `Name (v1.0.0)`, separated by
commas. A known field must not be empty.

## Why it matters
Tools trace a message by its UUID and compare its versions. What they cannot read they
ignore, or misread.

## Example
```markdown
; Version: 1.0
; Created-at: yesterday
;
; role: user


How do closures work?
```
Use instead:
```markdown
; Version: 1.0.0
; Created-at: 2025-04-21T18:15:00.000Z
;
; role: user


How do closures work?
```

## Fix safety
There is no fix: only the author knows what was meant.
"""

from collections.abc import Iterator

from msgls.formats.chatbuilder.fields import ROLE, is_valid
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule


class InvalidField(HeaderRule):
    code = "CBM006"
    name = "invalid-field"
    severity = Severity.WARNING
    texts = {
        "message.Block-UUID": "`{value}` is not a UUID",
        "message.Parent-UUID": "`{value}` is not a UUID; if there is no parent, write `N/A`",
        "message.Version": "`{value}` is not a semantic version, such as `1.0.0`",
        "message.Created-at": (
            "`{value}` is not an ISO 8601 date, such as `2025-04-21T18:15:00.000Z`"
        ),
        "message.Authors": "write authors as `Name (v1.0.0)`, separated by commas",
        "message.empty": "`{field}` has no value",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        for field in header.fields:
            if field.key == ROLE or is_valid(field.key, field.value):
                continue
            if field.value:
                span, key = field.value_span, f"message.{field.key}"
                yield self.problem(subject.label, span, key, value=field.value, field=field.key)
            else:
                yield self.problem(subject.label, field.line, "message.empty", field=field.key)

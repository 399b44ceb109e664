"""The header contains a field twice.

## What it does
Reports a field, or a role, whose name an earlier line of the header already has.

## Why it matters
The first one is used, and the other one is silently ignored.

## Example
```markdown
; Version: 1.0.0
; Version: 1.1.0
;
; role: user


How do closures work?
```
Use instead:
```markdown
; Version: 1.1.0
;
; role: user


How do closures work?
```

## Fix safety
There is no fix: only the author knows which of the two should be removed.
"""

from collections.abc import Iterator

from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.header import Field, MessageHeader
from msgls.rules.base import Problem, Related, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule
from msgls.text.spans import Span


class DuplicateField(HeaderRule):
    code = "CBM007"
    name = "duplicate-field"
    severity = Severity.WARNING
    texts = {
        "message": "duplicate field `{field}`: the first one is used",
        "related": "the field `{field}` is first used here",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        first: dict[str, Field] = {}
        for field in header.fields:
            earlier = first.setdefault(field.key, field)
            if earlier is field or field.key == OWN_KEY:
                continue
            args = {"field": field.key}
            related = (Related(subject.label, _name(earlier), "related", args),)
            yield Problem(self.code, subject.label, _name(field), "message", args, related)


def _name(field: Field) -> Span:
    """The name of a field; a UUID that stands alone has none."""
    return field.value_span if field.key_span.start == field.key_span.end else field.key_span

"""The name of a field looks like a misspelling of a known one.

## What it does
Looks for an unknown field whose name is one or two typos away from a known one. Other
unknown fields are fine: a header may contain any field.

## Why it matters
A program that asks for `Version` does not find `Verison`.

## Example
```markdown
; Verison: 1.0.0
;
; role: user


How do closures work?
```
Use instead:
```markdown
; Version: 1.0.0
;
; role: user


How do closures work?
```

## Fix safety
Not safe: the field may really have that name.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.fields import KNOWN
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.cbm001_missing_role import near_role
from msgls.rules.chatbuilder.headers import HeaderRule, field_at, header_of
from msgls.text.similar import closest
from msgls.text.spans import Edit


class UnknownField(HeaderRule):
    code = "CBM008"
    name = "unknown-field"
    severity = Severity.HINT
    texts = {
        "message": "unknown field `{field}`: did you mean `{near}`?",
        "fix.rename": "Change to `{near}`",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        # If the role is missing, CBM001 names the misspelled field.
        role = near_role(header)
        for field in header.fields:
            if field.key in KNOWN or field.key == OWN_KEY or field is role:
                continue
            near = closest(field.key, KNOWN, limit=1)
            if near:
                yield self.problem(subject.label, field.key_span, field=field.key, near=near[0])

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        for name in closest(field_at(header_of(snapshot.document), problem.span).key, KNOWN):
            yield Fix.of("fix.rename", Edit(problem.span, name), near=name)

"""There is no separating line `;` before the role.

## What it does
Looks at the line before `; role:`. It must be a `;` and nothing else, unless the role
is the first line of the header.

## Why it matters
The empty comment line sets the role apart from the metadata, for people who read the
file, and for tools that take the metadata as one block.

## Example
```markdown
; Version: 1.0.0
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
Safe: the line is a comment without text, and changes no message.
"""

from collections.abc import Iterator
from itertools import pairwise

from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule
from msgls.text.spans import Edit, Span


class RoleNotSetApart(HeaderRule):
    code = "CBM010"
    name = "role-not-set-apart"
    severity = Severity.HINT
    texts = {
        "message": "the role is not set apart: add a line `;` before it",
        "fix.insert": "Insert a line `;` before the role",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        role = header.role
        for before, line in pairwise(header.lines):
            if role is not None and line.field is role and not before.is_lone:
                yield self.problem(subject.label, line.span)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        start = problem.span.start
        yield Fix.of(
            "fix.insert", Edit(Span(start, start), ";" + snapshot.document.newline), safe=True
        )

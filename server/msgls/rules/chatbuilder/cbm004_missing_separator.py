"""Two empty lines are missing between the header and the message.

## What it does
Reports a header that is not followed by at least two empty lines. A line that contains
a space is not empty. More than two empty lines are fine.

## Why it matters
A program that reads the file splits it at the first three line breaks in a row. If
there are none, it finds no message; if they come later, the message loses its
beginning.

## Example
```markdown
; role: user

How do closures work?
```
Use instead:
```markdown
; role: user


How do closures work?
```

## Fix safety
Safe: other programs could not read the message, and here it begins where it began before.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule, header_of
from msgls.text.spans import Edit


class MissingSeparator(HeaderRule):
    code = "CBM004"
    name = "missing-separator"
    severity = Severity.ERROR
    texts = {
        "message": "two empty lines are needed between the header and the message",
        "fix.insert": "Insert two empty lines below the header",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        if header.lines and not header.separated:
            yield self.problem(subject.label, header.lines[-1].span)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        edit = Edit(header_of(document).gap, document.newline * 3)
        yield Fix.of("fix.insert", edit, safe=True)

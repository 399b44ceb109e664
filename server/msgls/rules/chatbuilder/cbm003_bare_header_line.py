"""A line of the header does not start with `;`.

## What it does
Looks for header lines at the top of the file that lack their `;`: `role:`, a UUID or
another field. A line with spaces before its `;` is reported, too.

## Why it matters
A program that reads the file recognises metadata by the `;`. A role without it is not
found, and a UUID is taken for the first words of the message.

## Example
```markdown
32d9afc7-aeac-4a67-ba94-0c92678604a1
; Component: UserMessage
;
role: user


How do closures work?
```
Use instead:
```markdown
; Block-UUID: 32d9afc7-aeac-4a67-ba94-0c92678604a1
; Component: UserMessage
;
; role: user


How do closures work?
```

## Fix safety
Safe: other programs could not read the line, and here it means the same as before.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.fields import UUID
from msgls.formats.chatbuilder.header import Line, MessageHeader
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule, header_of
from msgls.text.spans import Edit, Span


class BareHeaderLine(HeaderRule):
    code = "CBM003"
    name = "bare-header-line"
    severity = Severity.ERROR
    texts = {
        "message": "this header line does not start with `;`: write `{mended}`",
        "fix.mend": "Change to `{mended}`",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        for line in header.lines:
            if line.bare:
                mended = _mended(line, line.span.of(subject.cell.text))
                yield self.problem(subject.label, line.span, mended=mended)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        for line in header_of(document).lines:
            if line.span == problem.span:
                written = document.store.slice(line.span)
                mended = _mended(line, written)
                # Only what is added or taken away: the rest of the line may be long.
                kept = len(written.lstrip(" \t"))
                head = Span(line.span.start, line.span.end - kept)
                edit = Edit(head, mended[: len(mended) - kept])
                yield Fix.of("fix.mend", edit, safe=True, mended=mended)


def _mended(line: Line, written: str) -> str:
    content = written.lstrip(" \t")
    if content.startswith(";"):
        return content
    field = line.field
    if field is not None and field.key == UUID and field.key_span.start == field.key_span.end:
        return f"; {UUID}: {content}"
    return f"; {content}"

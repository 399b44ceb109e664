"""Another message has the same `Block-UUID`.

## What it does
Looks for other files with the same `Block-UUID`, in the workspace or among the files
that are checked together.

## Why it matters
A UUID identifies a message. If two messages have the same UUID, nobody can tell which
of them a reference means. Usually one is a copy of the other.

## Example
```markdown
; Block-UUID: 32d9afc7-aeac-4a67-ba94-0c92678604a1
;
; role: user


The same UUID stands in `1.md`.
```
Use instead:
```markdown
; Block-UUID: 8f14e45f-ceea-467f-a9d5-1c7a3b2e9d10
;
; role: user


A message of its own.
```

## Fix safety
Not safe: only the author knows which of the two should keep its UUID.
"""

import os.path
from collections.abc import Iterator
from contextlib import suppress

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.fields import UUID, new_uuid
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule
from msgls.text.spans import Edit


class DuplicateUuid(HeaderRule):
    code = "CBM012"
    name = "duplicate-uuid"
    severity = Severity.WARNING
    texts = {
        "message": "`{path}` has the same UUID",
        "message.many": "{count} other messages have the same UUID, `{path}` among them",
        "fix.new": "Give this message a new UUID",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        field = header.get(UUID)
        if field is None or not field.value:
            return
        others = subject.snapshot.surroundings.others_with(UUID, field.value.lower())
        if not others:
            return
        path = _shown(subject.document, others[0])
        if len(others) == 1:
            yield self.problem(subject.label, field.value_span, path=path)
        else:
            count = str(len(others))
            key = "message.many"
            yield self.problem(subject.label, field.value_span, key, path=path, count=count)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        yield Fix.of("fix.new", Edit(problem.span, new_uuid()))


def _shown(document: Document, path: str) -> str:
    # An editor names files by absolute paths, which are hard to read.
    if os.path.isabs(path):  # noqa: PTH117  # no file is looked at, here and below
        # On another drive there is no relative path.
        with suppress(ValueError):
            path = os.path.relpath(path, os.path.dirname(document.path))  # noqa: PTH120
    return path.replace(os.sep, "/")

"""The role of a message is unknown.

## What it does
Checks the value of `role`. It must be `user`, `assistant` or `system`, in lower case.

## Why it matters
A program that reads the file does not know whom the message is from, and leaves it out
or refuses it.

## Example
```markdown
; role: assisant


You're welcome.
```
Use instead:
```markdown
; role: assistant


You're welcome.
```

## Fix safety
Not safe: what was meant is a guess. If the word resembles no role, every role is
offered.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.fields import ROLES
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.formats.chatbuilder.roles import likely_roles, meant_roles
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule, field_at, header_of
from msgls.text.spans import Edit


class UnknownRole(HeaderRule):
    code = "CBM002"
    name = "unknown-role"
    severity = Severity.ERROR
    texts = {
        "message": "unknown role `{role}`: use `user`, `assistant` or `system`",
        "message.near": "unknown role `{role}`: did you mean `{near}`?",
        "fix.change": "Change to `{role}`",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        role = header.role
        if role is None or not role.value or role.value in ROLES:
            return
        near = meant_roles(role.value)
        if near:
            yield self.problem(
                subject.label, role.value_span, "message.near", role=role.value, near=near[0]
            )
        else:
            yield self.problem(subject.label, role.value_span, role=role.value)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        header = header_of(document)
        word = field_at(header, problem.span).value
        for role in meant_roles(word) or likely_roles(header, document.path):
            yield Fix.of("fix.change", Edit(problem.span, role), role=role)

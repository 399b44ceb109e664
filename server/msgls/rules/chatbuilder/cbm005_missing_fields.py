"""Fields are missing in the header.

## What it does
Looks for `Block-UUID`, `Component`, `Version`, `Description`, `Language`, `Created-at`
and `Authors`. All that are missing are named at once.

## Why it matters
They say which message this is, which version of it, and who wrote it. Most messages do
without them, so this is only information.

## Example
```markdown
; role: user


How do closures work?
```
Use instead:
```markdown
; Block-UUID: 32d9afc7-aeac-4a67-ba94-0c92678604a1
; Component: UserMessage
; Version: 1.0.0
; Description: How do closures work?
; Language: markdown
; Created-at: 2025-04-21T18:15:00.000Z
; Authors: Unknown (v1.0.0)
;
; role: user


How do closures work?
```

## Fix safety
Not safe: the UUID is new, the time is now, the description is the first line of the
message, and the author is `Unknown`.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.fields import REQUIRED, ROLE, new_value
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.formats.chatbuilder.roles import likely_roles
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule, header_of
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Edit, Span

_LONGEST_DESCRIPTION = 72
_MARKUP = "#>*_`\\ \t"


class MissingFields(HeaderRule):
    code = "CBM005"
    name = "missing-fields"
    severity = Severity.INFORMATION
    texts = {
        "message": "the header has no {names}",
        "fix.insert": "Insert {names}",
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        names = missing_fields(header)
        if header.lines and names:
            shown = joined([f"`{name}`" for name in names])
            yield self.problem(subject.label, header.lines[0].span, names=shown)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        header = header_of(document)
        names = missing_fields(header)
        shown = joined([f"`{name}`" for name in names])
        yield Fix.of("fix.insert", *_insertions(document, header, names), names=shown)


def missing_fields(header: MessageHeader) -> list[str]:
    """The required fields that a header does not have."""
    return [key for key in REQUIRED if header.get(key) is None]


def first_words(document: Document, header: MessageHeader) -> str:
    """The first line of the message that says something, cut where it is long."""
    start = header.body_start
    for line in document.store.slice(Span(start, start + 1_000)).replace("\r", "\n").split("\n"):
        words = line.strip(_MARKUP)
        if words:
            if len(words) <= _LONGEST_DESCRIPTION:
                return words
            return words[:_LONGEST_DESCRIPTION].rpartition(" ")[0] + " …"
    return ""


def description_of(document: Document, header: MessageHeader, role: str) -> str:
    """The first words of the message, or who it is from."""
    said = first_words(document, header)
    return said or Phrase("A message from the {role}", role=role)


def _insertions(document: Document, header: MessageHeader, names: list[str]) -> Iterator[Edit]:
    """Each field after the one that comes before it, if that is there; else at the top."""
    newline = document.newline
    role = header.known_role or likely_roles(header, document.path)[0]
    description = description_of(document, header, role)
    lines: dict[int, list[str]] = {}
    for name in names:
        before = [header.get(key) for key in REQUIRED[: REQUIRED.index(name)]]
        ends = [field.line.end for field in before if field is not None]
        value = new_value(name, role, description)
        lines.setdefault(ends[-1] if ends else -1, []).append(f"; {name}: {value}")
    for end, added in lines.items():
        if end >= 0:
            yield Edit(Span(end, end), "".join([newline + line for line in added]))
            continue
        first = header.lines[0]
        if first.field is not None and first.field.key == ROLE:
            added.append(";")
        start = first.span.start
        yield Edit(Span(start, start), "".join([line + newline for line in added]))

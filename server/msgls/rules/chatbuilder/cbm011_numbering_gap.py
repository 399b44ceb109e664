"""The message before this one is missing in its folder.

## What it does
Looks at the numbers of the files in the folder: `1.md`, `2.md` and so on. If the number
before this file's own is missing, the report names all numbers of that gap. An earlier
gap is reported at the file that follows it.

## Why it matters
The numbers are the order of the conversation. A gap looks like a lost message, and a
program that reads the files by number stops there.

## Example
```text
messages/notes/1.md
messages/notes/2.md
messages/notes/4.md
```
Use instead:
```text
messages/notes/1.md
messages/notes/2.md
messages/notes/3.md
```

## Fix safety
There is no fix: only the author knows whether a message is missing or the files should
be renamed.
"""

from collections.abc import Iterator

from msgls.formats.chatbuilder import message_number
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.chatbuilder.headers import HeaderRule
from msgls.text.spans import Span


class NumberingGap(HeaderRule):
    code = "CBM011"
    name = "numbering-gap"
    severity = Severity.WARNING
    texts = {
        "message": "the message before this one is missing: there is no `{number}.md` here",
        "message.many": (
            "the messages before this one are missing: `{first}.md` to `{last}.md` are not here"
        ),
    }

    def check_header(self, subject: Subject, header: MessageHeader) -> Iterator[Problem]:
        own = message_number(subject.document.path)
        neighbours = subject.snapshot.surroundings.neighbours
        if own is None or own < 2 or not neighbours:
            return
        numbers = [message_number(name) for name in neighbours]
        before = max([n for n in numbers if n is not None and n < own], default=0)
        if before == own - 1:
            return
        first, last = before + 1, own - 1
        span = header.lines[0].span if header.lines else Span(0, 0)
        if first == last:
            yield self.problem(subject.label, span, number=str(first))
        else:
            numbers_missing = {"first": str(first), "last": str(last)}
            yield self.problem(subject.label, span, "message.many", **numbers_missing)

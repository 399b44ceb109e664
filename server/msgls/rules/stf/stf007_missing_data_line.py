"""`call` or `embed` is not followed by its line of text.

## What it does
Looks at `call` and `embed`. The line that follows, ignoring comments, must be a line of
text that is not blank: the name of the tool with its arguments, or a path.

## Why it matters
Without that line, the message has no call, or no file.

## Example
```text
@assistant
@call id=c1
@user
And?
```
Use instead:
```text
@assistant
@call id=c1
search {query: 'weather'}
@user
And?
```

## Fix safety
There is no fix: what should be called or embedded cannot be known.
"""

from collections.abc import Iterator

from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import Mode
from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, head


class MissingDataLine(StfRule):
    code = "STF007"
    name = "missing-data-line"
    severity = Severity.ERROR
    texts = {
        "message.call": "the line with the call is missing: `name {{…}}`",
        "message.embed": "the line with the path of the embedded file is missing",
        "message.blank.call": "the line with the call is blank",
        "message.blank.embed": "the line with the path of the embedded file is blank",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for command in cell.commands:
            if not command.is_read or command.mode is not Mode.LINE:
                continue
            if cell.data_line(command) is None:
                key = "message" if command.data is None else "message.blank"
                yield self.problem(subject.label, head(command), f"{key}.{command.name}")

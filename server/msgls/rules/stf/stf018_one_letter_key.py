"""The key of an argument is a single letter.

## What it does
Looks for keys of one letter in the arguments of commands.

## Why it matters
The original description of the format asks for at least two characters; programs that
follow it to the letter refuse the line.

## Example
```text
@user n=Ann
```
Use instead:
```text
@user name=Ann
```

## Fix safety
There is no fix: which key was meant cannot be known.
"""

from collections.abc import Iterator

from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, with_arguments


class OneLetterKey(StfRule):
    code = "STF018"
    name = "one-letter-key"
    severity = Severity.HINT
    texts = {
        "message": "the key `{argument}` is a single letter: some programs require at least two",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for command, arguments in with_arguments(cell):
            for argument in arguments.items:
                if len(argument.key) == 1:
                    span = argument.key_span.shift(command.rest.start)
                    yield self.problem(subject.label, span, argument=argument.key)

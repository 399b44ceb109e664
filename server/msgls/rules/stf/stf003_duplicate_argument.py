"""A command has the same argument twice.

## What it does
Looks for keys that are repeated in the arguments of one command.

## Why it matters
Only the last one is used, which is not visible from the line.

## Example
```text
@user id=a1 id=a2
```
Use instead:
```text
@user id=a2
```

## Fix safety
There is no fix: which of the two is meant cannot be known.
"""

from collections.abc import Iterator

from msgls.formats.stf.arguments import Argument
from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Problem, Related, Severity, Subject
from msgls.rules.stf.base import StfRule, with_arguments


class DuplicateArgument(StfRule):
    code = "STF003"
    name = "duplicate-argument"
    severity = Severity.ERROR
    texts = {
        "message": "duplicate argument `{key}`: this value replaces the earlier one",
        "related": "the argument `{key}` is first used here",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for command, arguments in with_arguments(cell):
            seen: dict[str, Argument] = {}
            for argument in arguments.items:
                first = seen.setdefault(argument.key, argument)
                if first is argument:
                    continue
                args = {"key": argument.key}
                at = command.rest.start
                related = Related(subject.label, first.key_span.shift(at), "related", args)
                span = argument.key_span.shift(at)
                yield Problem(self.code, subject.label, span, args=args, related=(related,))

"""A command has an unknown argument.

## What it does
Compares the keys of a command's arguments with those that it takes: `role`, `name`,
`id` and `call_id` for messages, `id` for `call`, none for the others.

## Why it matters
The argument has no effect. A misspelled `call_id` leaves a result without its call.

## Example
```text
@tool callid=c1
```
Use instead:
```text
@tool call_id=c1
```

## Fix safety
Not safe: the known key with a similar name may not be the one that was meant.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import COMMANDS
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, prefix_of, stf_cell, with_arguments
from msgls.text.phrases import joined
from msgls.text.similar import closest
from msgls.text.spans import Edit


class UnknownArgument(StfRule):
    code = "STF013"
    name = "unknown-argument"
    severity = Severity.WARNING
    texts = {
        "message": "`{word}` has no argument `{argument}`: it takes {known}",
        "message.none": "`{word}` takes no arguments",
        "fix.rename": "Change to `{argument}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for command, arguments in with_arguments(cell):
            known = () if command.spec is None else command.spec.arguments
            for argument in arguments.items:
                if argument.key not in known:
                    span = argument.key_span.shift(command.rest.start)
                    key = "message" if known else "message.none"
                    args = {"argument": argument.key, "word": command.word}
                    yield self.problem(subject.label, span, key, known=joined(known), **args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        cell, start = stf_cell(snapshot.document, problem.label)
        spec = COMMANDS[prefix_of(cell)].get(problem.args["word"])
        written = problem.span.of(cell.text)
        quote = written[0] if written[:1] in ("'", '"') else ""
        for near in closest(problem.args["argument"], () if spec is None else spec.arguments):
            edit = Edit(problem.span.shift(start), f"{quote}{near}{quote}")
            yield Fix.of("fix.rename", edit, argument=near)

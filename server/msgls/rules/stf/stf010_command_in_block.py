"""A command is inside a block.

## What it does
Looks for commands between `raw`, `meta` or `extra` and its `end`, where only the object
and comments are allowed. A command that starts a message ends the block instead.

## Why it matters
The line is ignored. If it was meant as text of the object, the prefix must be doubled;
if as a command, `end` is missing before it.

## Example
```text
@raw
{role: 'user',
@call
content: 'Hello'}
@end
```
Use instead:
```text
@raw
{role: 'user',
content: 'Hello'}
@end
```

## Fix safety
There is no fix: it cannot be known whether the line or the block is wrong.
"""

from collections.abc import Iterator

from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.lexer import Command
from msgls.rules.base import Problem, Related, Severity, Subject
from msgls.rules.stf.base import StfRule, head


class CommandInBlock(StfRule):
    code = "STF010"
    name = "command-in-block"
    severity = Severity.ERROR
    texts = {
        "message": "commands are not allowed in the block of `{block}`",
        "related": "the block begins here",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        opener: Command | None = None
        for command in cell.commands:
            if not command.in_block:
                opener = command
            elif opener is not None:
                args = {"word": command.word, "block": opener.word}
                related = Related(subject.label, head(opener), "related", args)
                yield Problem(
                    self.code, subject.label, head(command), args=args, related=(related,)
                )

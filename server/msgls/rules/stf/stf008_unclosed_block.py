"""A block is not ended.

## What it does
Looks for `raw`, `meta` and `extra` whose block no `end` ends before the next message or the
end of the file.

## Why it matters
Text behind the object is read as part of it, and the object cannot be read then. Other
programs read on into the messages that follow.

## Example
```text
@raw
{role: 'user', content: 'Hello'}
@assistant
Hi
```
Use instead:
```text
@raw
{role: 'user', content: 'Hello'}
@end
@assistant
Hi
```

## Fix safety
Safe: the block ends where it is taken to end anyway.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import END
from msgls.rules.base import Fix, Problem, Severity, Subject, Surroundings
from msgls.rules.stf.base import StfRule, head, inserted_line, prefix_of, stf_cell


class UnclosedBlock(StfRule):
    """See the module."""

    code = "STF008"
    name = "unclosed-block"
    severity = Severity.ERROR

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        """Each block that is open at the end of its message; a comment that is, goes first."""
        if cell.walk.open_comments:
            return
        for command in cell.commands:
            if command.spec is None or command.in_block or not command.spec.has_block:
                continue
            if command.end is None:
                args = {"word": command.word, "end": prefix_of(cell) + END}
                yield self.problem(subject.order, head(command), **args)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """End it where the next message starts."""
        cell, start = stf_cell(document, problem.order)
        edit = inserted_line(cell, start, cell.length, problem.args["end"])
        yield Fix("fix.insert", (edit,), True, problem.args)

"""`end` is used where no block is open.

## What it does
Looks for `end` outside the blocks of `raw`, `meta` and `extra`.

## Why it matters
Most likely the command that should open the block is misspelled, or the block is closed
twice. Or the message quotes code: Objective-C has such lines. Other programs refuse the
file.

## Example
```text
@user
Hello
@end
```
Use instead:
```text
@user
Hello
```

## Fix safety
Not safe: the line is removed, or becomes text of the message with its prefix doubled. Which
of the two is meant cannot be known.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, made_text, prefix_of, removed_line, stf_cell


class StrayEnd(StfRule):
    code = "STF009"
    name = "stray-end"
    severity = Severity.ERROR
    texts = {
        "message": "this ends a block, but no block is open",
        "fix.remove": "Remove the line",
        "fix.text": "Treat it as text: double the prefix to `{prefix}{prefix}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for line in cell.walk.stray_ends:
            yield self.problem(subject.label, line)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        cell, start = stf_cell(snapshot.document, problem.label)
        yield Fix.of("fix.remove", removed_line(cell, start, problem.span))
        yield Fix.of("fix.text", made_text(cell, start, problem.span), prefix=prefix_of(cell))

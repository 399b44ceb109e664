"""A line ends a comment that nothing opened.

## What it does
Looks for command lines that start with `*/` while no comment is open.

## Why it matters
Most likely the line that opens the comment is missing or misspelled, and what was meant
as a comment is sent to the model.

## Example
```text
@user
Hello
@*/
```
Use instead:
```text
@user
@/*
Hello
@*/
```

## Fix safety
Not safe: the line is removed, though the opening line may be what is missing.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, removed_line, stf_cell


class UnmatchedCommentEnd(StfRule):
    code = "STF005"
    name = "unmatched-comment-end"
    severity = Severity.ERROR
    texts = {
        "message": "this ends a comment, but no comment is open",
        "fix.remove": "Remove the line",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for line in cell.walk.stray_comment_ends:
            yield self.problem(subject.label, line)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        cell, start = stf_cell(snapshot.document, problem.label)
        yield Fix.of("fix.remove", removed_line(cell, start, problem.span))

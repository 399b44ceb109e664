"""A line would be a command in the other dialect.

## What it does
There are two dialects: in one, commands start with `@`, in the other with `;`. Unless
the setting `dialect` names one of them, the first line that starts with either prefix
decides which one a file uses. Reports lines of text that start with the other prefix
and would be a command in that dialect.

## Why it matters
The line is read as text. If two files of different dialects were put together, a
message is missing.

## Example
```text
@user
Hello
;assistant
Hi
```
Use instead:
```text
@user
Hello
@assistant
Hi
```

## Fix safety
Not safe: the text becomes a command.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.arguments import parse_arguments
from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, prefix_of, stf_cell
from msgls.text.spans import Edit, Span


class MixedPrefix(StfRule):
    code = "STF015"
    name = "mixed-prefix"
    severity = Severity.HINT
    texts = {
        "message": (
            "this is read as text, because commands in this file start with "
            "`{prefix}`: did you mean a command?"
        ),
        "fix.change": "Start the line with `{prefix}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for mark in cell.walk.others:
            end = mark.word_start + len(mark.word)
            if not parse_arguments(cell.text[end : mark.end]).faults:
                args = {"command": mark.prefix + mark.word, "prefix": prefix_of(cell)}
                yield self.problem(subject.label, Span(mark.start, end), **args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        _, start = stf_cell(snapshot.document, problem.label)
        at = problem.span.start + start
        prefix = problem.args["prefix"]
        yield Fix.of("fix.change", Edit(Span(at, at + 1), prefix), prefix=prefix)

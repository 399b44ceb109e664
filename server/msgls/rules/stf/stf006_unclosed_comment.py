"""A comment is opened and never closed.

## What it does
Looks for a line that opens a comment with `/*` and has no matching line with `*/`.
Comments nest, and `*/` counts only at the start of a command line: `@/* note */` opens
a comment and does not close it.

## Why it matters
The comment runs to the end of the file, and hides every message in it.

## Example
```text
@/* a note to myself */
@user
Hello
```
Use instead:
```text
@// a note to myself
@user
Hello
```

## Fix safety
Not safe: messages that the comment hides become part of the conversation.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, inserted_line, prefix_of, stf_cell
from msgls.text.spans import Edit, Span


class UnclosedComment(StfRule):
    code = "STF006"
    name = "unclosed-comment"
    severity = Severity.ERROR
    texts = {
        "message": "this comment is never closed, and hides everything after it",
        "fix.line": "Make it a single-line comment, with `//`",
        "fix.before": "Close it with `{close}` before the next message",
        "fix.end": "Close it with `{close}` at the end of the file",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for line in cell.walk.open_comments:
            mark = cell.text.index("/*", line.start) + 2
            yield self.problem(subject.label, Span(line.start, mark))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        cell, start = stf_cell(snapshot.document, problem.label)
        close = prefix_of(cell) + "*/"
        mark = problem.span.end - 2
        if _is_one_line(cell, problem.span):
            edit = Edit(Span(mark, mark + 2).shift(start), "//")
            yield Fix.of("fix.line", edit)
        hidden = next(iter(cell.hidden_messages(problem.span.end)), None)
        if hidden is not None:
            edit = inserted_line(cell, start, hidden.start, close)
            yield Fix.of("fix.before", edit, close=close)
        edit = inserted_line(cell, start, cell.length, close)
        yield Fix.of("fix.end", edit, close=close)


def _is_one_line(cell: StfCell, span: Span) -> bool:
    """Whether a comment looks as if it were meant to end on its line."""
    last = cell.walk.open_comments[-1]
    return last.start == span.start and last.of(cell.text).rstrip(" \t").endswith("*/")

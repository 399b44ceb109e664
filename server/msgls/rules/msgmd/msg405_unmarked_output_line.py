"""A line of a program's output does not say which stream it came from.

## What it does
Looks at the output of code that is `text/plain`, which is the default. Each non-blank
line must start with `stdout>` or `stderr>`. Consecutive lines are one problem. Output
may be in a fence, whose first and last line need no prefix. Output of another type,
such as `text/html`, is not checked.

## Why it matters
Without the prefix, output cannot be told from error messages, nor either of them from a
remark that was added later.

## Example
```markdown
# %%% Run[^c1.1]

[^c1.1]: [python] status="success"

42
```
Use instead:
```markdown
# %%% Run[^c1.1]

[^c1.1]: [python] status="success"

stdout> 42
```

## Fix safety
Not safe: that the lines came from `stdout` is a guess, and the content changes. A prefix
that is nearly right (`stdout:`) is corrected.
"""

import re
from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.attributes import mime_type_of
from msgls.formats.msgmd.meaning import own_home
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.syntax.cells import Cell, OutputLine
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span
from msgls.text.work import MANY, Work, done

_PREFIX = "stdout> "
# `stdout:`, `STDERR >`, `> stdout>`, or the right mark with spaces before it.
_SLIP = lazy_pattern(
    r"[ \t]*(?:[>\[][ \t]*)?(std(?:out|err))\]?[ \t]*[>:|\uff1a\uff1e][ \t]?", re.IGNORECASE
)
# From a line break to a line that is neither blank nor marked: clean output is passed over fast.
_UNMARKED = lazy_pattern(r"[\r\n](?![ \t]*(?:[\r\n]|\Z))(?!std(?:out|err)>)")


class UnmarkedOutputLine(CellRule):
    code = "MSG405"
    name = "unmarked-output-line"
    severity = Severity.WARNING
    texts = {
        "message": "this line does not name its stream: start it with `stdout>` or `stderr>`",
        "message.many": (
            "these lines do not name their stream: start each with `stdout>` or `stderr>`"
        ),
        "fix.prefix": "Insert `{prefix}` before the line",
        "fix.prefix-many": "Insert `{prefix}` before each line",
    }
    roles = (CellRole.RUN,)
    reads = ("definitions", "fences", "near_misses", "suppressions")

    def check(self, subject: Subject) -> Iterator[Problem | None]:
        cell, definition = subject.cell, subject.definition
        mime_type = None if definition is None else mime_type_of(definition)
        if mime_type is None or not mime_type.names_streams:
            return
        home = own_home(cell)
        start = cell.body.start - 1 if home is None else home.span.end
        if not _UNMARKED.search(cell.text, start):
            return
        yield from cell.reading("output_lines")
        for run in (yield from _runs(cell)):
            yield self.problem(
                subject.label,
                Span(run[0].span.start, run[-1].span.end),
                "message" if len(run) == 1 else "message.many",
            )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        placed = snapshot.document.cell(problem.label)
        for run in done(_runs(placed.cell)):
            if run[0].span.start == problem.span.start:
                edits = [_prefixed(placed, line) for line in run]
                key = "fix.prefix" if len(run) == 1 else "fix.prefix-many"
                yield Fix.of(key, *edits, prefix=_PREFIX.rstrip())


def _prefixed(placed: Placed, line: OutputLine) -> Edit:
    """The edit that marks a line; a mark that is nearly right becomes right."""
    slip = _SLIP.match(placed.cell.text, *line.span)
    start, end = (line.span.start, line.span.start) if slip is None else slip.span()
    prefix = _PREFIX if slip is None else f"{slip.group(1).lower()}> "
    return Edit(Span(start, end).shift(placed.start_offset), prefix)


def _runs(cell: Cell) -> Work[list[list[OutputLine]]]:
    """The unmarked lines, those together that no other line parts.

    Without what other rules speak of: what a merge left behind, and lines that are nearly headers.
    Without the bounds of fences too: with a prefix, the block would be none.
    """
    others = {line.span.start for line in cell.conflicts}
    for fence in cell.fences:
        if not fence.in_list:
            others.add(fence.span.start)
            if fence.close is not None:
                others.add(fence.close.start)
    others.update(near_miss.span.start for near_miss in cell.near_misses)
    runs: list[list[OutputLine]] = []
    follows = False
    for number, line in enumerate(cell.output_lines, 1):
        if not number % MANY:
            yield
        if line.stream or line.span.start in others:
            follows = False
        elif follows:
            runs[-1].append(line)
        else:
            runs.append([line])
            follows = True
    return runs

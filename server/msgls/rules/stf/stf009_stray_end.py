"""`end` stands where no block is open.

## What it does
Looks for `end` outside the blocks of `raw`, `meta` and `extra`.

## Why it matters
Most likely a block was opened by a word that is no command, or ended twice. Other programs
refuse the file.

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
Safe: the line is removed, and it did nothing. Not safe where it is the first line with a
prefix, which tells the dialect of the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Fix, Problem, Severity, Subject, Surroundings
from msgls.rules.stf.base import StfRule, removed_line, stf_cell


class StrayEnd(StfRule):
    """See the module."""

    code = "STF009"
    name = "stray-end"
    severity = Severity.ERROR

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        """Each such line."""
        for line in cell.walk.stray_ends:
            yield self.problem(subject.order, line)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Remove the line."""
        cell, start = stf_cell(document, problem.order)
        safe = not cell.tells_dialect(problem.span)
        yield Fix.of("fix.remove", removed_line(cell, start, problem.span), safe=safe)

r"""A line is nearly a cell header, but not quite.

## What it does
Finds lines that miss a header by one character: `#%%` without a blank, six or
more `#`, `%%%%`, a marker indented by one to three blanks, `# %%title`.

## Why it matters
Such a line starts no cell. What follows it belongs to the cell before, and the
model reads one long message where the author sees two.

## Example
```markdown
#%% A question[^q1]
```
Use instead:
```markdown
# %% A question[^q1]
```
A line that is meant as text can say so with a backslash: `\# %%`.

## Fix safety
Not safe: the line becomes a cell.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject, Surroundings
from msgls.text.spans import Edit


class MalformedHeader(CellRule):
    """See the module."""

    code = "MSG106"
    name = "malformed-header"
    severity = Severity.WARNING

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Each near miss."""
        for near_miss in subject.cell.near_misses:
            yield self.problem(subject.order, near_miss.span, mended=near_miss.mended)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Write the header as it should be."""
        span = problem.span.shift(document.cell(problem.order).start_offset)
        yield Fix("fix.mend", (Edit(span, problem.args["mended"]),), False, problem.args)

"""A fenced block is opened and never closed.

## What it does
Looks for a fence (three or more back-quotes or tildes) that no line closes. It runs to
the end of the file, as in any Markdown. A fence in a list ends with its item and draws
nothing.

## Why it matters
Inside a fence a marker line is text. Every cell that follows is swallowed: the program
that reads the file sees one long message where there were many.

## Example
````markdown
# %%% The answer[^a1]

[^a1]: [gpt]

```python
print(42)

# %% Another question[^q2]
````
Use instead:
````markdown
# %%% The answer[^a1]

[^a1]: [gpt]

```python
print(42)
```

# %% Another question[^q2]
````

## Fix safety
Not safe: the fence is closed before the first marker that it hides, and the cells that
it hides come back. Whether the markers were meant as text, only the author knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.msgmd.edits import line_break_of
from msgls.model.cells import Cell, Fence
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject, Surroundings
from msgls.text.lines import line_bounds, line_starts
from msgls.text.spans import Edit, Span


class UnclosedFence(CellRule):
    """See the module."""

    code = "MSG110"
    name = "unclosed-fence"
    severity = Severity.ERROR

    def check(self, subject: Subject) -> Iterator[Problem]:
        """The last fence, if it is open at the end of the file."""
        fence = _open_fence(subject.cell)
        if fence is None:
            return
        hidden = len(subject.cell.hidden_markers)
        key = {0: "message.none", 1: "message.one"}.get(hidden, "message.many")
        yield self.problem(subject.order, fence.fence, key, count=str(hidden))

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Close it below its last line before the next marker."""
        placed = document.cell(problem.order)
        cell = placed.cell
        fence = _open_fence(cell)
        if fence is None:
            return
        hidden = cell.hidden_markers
        end = hidden[0].start if hidden else len(cell.text)
        visible = max(len(cell.text[:end].rstrip(" \t\r\n")), fence.fence.end)
        # Blanks at the end of that line stay with it, and so do the blank lines below.
        at = line_bounds(cell.text, visible)[1]
        newline = line_break_of(document)
        closing = newline + fence.fence.of(cell.text)
        # A marker reads better with a blank line above it.
        if at == end or (hidden and len(line_starts(cell.text[at:end])) == 2):
            closing += newline
        span = Span(at, at).shift(placed.start_offset)
        yield Fix.of("fix.marker" if hidden else "fix.end", Edit(span, closing))


def _open_fence(cell: Cell) -> Fence | None:
    # Cheap first: most cells have no fence, and a large file has many cells.
    if not any("```" in part or "~~~" in part for part in cell.parts) or not cell.fences:
        return None
    last = cell.fences[-1]
    return last if last.close is None and not last.in_list else None

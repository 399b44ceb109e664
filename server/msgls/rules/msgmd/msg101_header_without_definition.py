"""A cell has an id, and nothing in the file defines it.

## What it does
Looks for cells whose header has an id while no line `[^id]: [type] …` stands
anywhere outside fences.

Four things look alike and are told apart: a definition that a formatter has escaped
is MSG109, one whose head is half-written or that has no type is MSG108, one that stands
below the header with another id is MSG102, and an id that no definition could have,
because it is misshapen, is MSG111.

## Why it matters
The definition says what the cell is: a message, an answer, a tool's result. A
program that reads the file has to guess, and footnotes that lead nowhere are
shown as plain text by Markdown viewers.

## Example
```markdown
# %% How old is the universe?[^q1]

It puzzles me.
```
Use instead:
```markdown
# %% How old is the universe?[^q1]

[^q1]: [markdown]

It puzzles me.
```

## Fix safety
Inserting `[markdown]` on a message cell is safe: that is what the cell is read as
anyway. On an output cell the fix is a guess, and not safe. Nor is it where outputs say
that the cell is code, where another cell has the same id, or where a fence that nothing
closes may hide the definition.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import insert_definition, is_open
from msgls.formats.msgmd.meaning import CellRole
from msgls.model.cells import CellKind
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject, Surroundings
from msgls.rules.msgmd.ids import (
    likely_definition,
    shape_fault,
    untyped_definitions,
    waiting_definition,
)
from msgls.rules.msgmd.msg109_formatter_damage import mended_home


class HeaderWithoutDefinition(CellRule):
    """See the module."""

    code = "MSG101"
    name = "header-without-definition"
    severity = Severity.ERROR
    roles = (CellRole.MESSAGE, CellRole.ANSWER)

    def check(self, subject: Subject) -> Iterator[Problem]:
        """An id that nothing defines, not even badly."""
        header = subject.cell.header
        if subject.definition is not None or header is None or header.id is None:
            return
        cell_id = header.id.text
        if shape_fault(cell_id) or mended_home(subject.cell) is not None:
            return
        if next(untyped_definitions(subject.document, cell_id), None) is not None:
            return
        if waiting_definition(subject.document, subject.placed) is not None:
            return
        if is_open(subject.cell) and f"[^{cell_id}]:" in subject.cell.text:
            return  # The fence hides it: MSG110.
        is_message = subject.cell.kind is CellKind.MESSAGE
        key = "message" if is_message else "message.output"
        yield self.problem(subject.order, header.id.span, key, id=cell_id)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Insert the line at home."""
        placed = document.cell(problem.order)
        line = likely_definition(document, placed, problem.args["id"])
        safe = _is_certain(document, placed, line)
        yield Fix.of(
            "fix.insert", insert_definition(document, placed, line), safe=safe, definition=line
        )


def _is_certain(document: Document, placed: Placed, line: str) -> bool:
    """Whether the cell is read as that already, and nothing else can be its definition."""
    if placed.cell.kind is not CellKind.MESSAGE or not line.endswith("[markdown]"):
        return False
    if len(document.entries("header", placed.cell.id or "")) > 1:
        return False
    return not is_open(document.cell_number(document.cell_count - 1).cell)

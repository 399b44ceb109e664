"""A cell has an id, and nothing in the file defines it.

## What it does
Looks for cells whose header has an id while no line `[^id]: [type] …` stands
anywhere outside fences.

Three things look alike and are told apart: a definition that a formatter has escaped
is MSG109, one whose head is half-written or that has no type is MSG108, and an id that
no definition could have, because it is misshapen, is MSG111.

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
anyway. On an output cell the fix is a guess, and not safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.msgmd.edits import insert_definition
from msgls.formats.msgmd.meaning import CellRole
from msgls.model.cells import CellKind
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject, Surroundings
from msgls.rules.msgmd.ids import likely_definition, shape_fault, untyped_definitions
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
        is_message = subject.cell.kind is CellKind.MESSAGE
        key = "message" if is_message else "message.output"
        yield self.problem(subject.order, header.id.span, key, id=cell_id)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Insert the line at home."""
        placed = document.cell(problem.order)
        line = likely_definition(document, placed, problem.args["id"])
        safe = placed.cell.kind is CellKind.MESSAGE
        yield Fix.of(
            "fix.insert", insert_definition(document, placed, line), safe=safe, definition=line
        )

"""A cell has an id but no definition.

## What it does
Looks for cells whose header has an id while no line `[^id]: [type] …` exists anywhere
outside fences.

Four similar problems have rules of their own: a definition that a formatter has escaped
is MSG109, one that is incomplete or has no type is MSG108, one below the header with
another id is MSG102, and a malformed id, which no definition could have, is MSG111.

## Why it matters
The definition says what the cell is: a message, an answer, a tool's result. Without it,
a program that reads the file has to guess, and Markdown viewers show the id in the
header as plain text.

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

If the line below the header lacks only its colon, as in `[^q1] [markdown]`, or has a
full-width one, the fix writes the colon. Until then, what the line says of who sees the
cell counts: with `[^q1] [markdown] history=none` it is not sent.

## Fix safety
Inserting `[markdown]` on a message cell is safe: the cell is read that way anyway. On
an output cell the fix is a guess, and not safe. Nor is it safe where outputs show that
the cell is code, where another cell has the same id, where an unclosed fence may hide
the definition, or where a line that is nearly the definition hides the cell from the
model. Adding a colon is not safe: the line was read as content.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.definitions import line_without_colon, parse_definition
from msgls.formats.msgmd.edits import insert_definition, is_open
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, escaped_definition, marking
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.msgmd.ids import (
    likely_definition,
    shape_fault,
    untyped_definitions,
    waiting_definition,
)
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell, CellKind
from msgls.text.spans import Edit, Span


class HeaderWithoutDefinition(CellRule):
    code = "MSG101"
    name = "header-without-definition"
    severity = Severity.ERROR
    texts = {
        "message": "`{id}` has no definition: add `[^{id}]: [markdown]` below the header",
        "message.output": (
            "`{id}` has no definition: add a line `[^{id}]: […]` that names its author"
        ),
        "message.colon": (
            "`{id}` has no definition: the line below the header needs a colon, `[^{id}]:`"
        ),
        "fix.insert": "Insert `{definition}`",
        "fix.colon": "Change to `{mended}`",
    }
    roles = (CellRole.MESSAGE, CellRole.ANSWER)
    wants = Topic.UNDEFINED

    def check(self, subject: Subject) -> Iterator[Problem]:
        header = subject.cell.header
        if subject.definition is not None or header is None or header.id is None:
            return
        cell_id = header.id.text
        if shape_fault(cell_id) or escaped_definition(subject.document, subject.placed):
            return
        if next(untyped_definitions(subject.document, cell_id), None) is not None:
            return
        if waiting_definition(subject.document, subject.placed) is not None:
            return
        if is_open(subject.cell) and f"[^{cell_id}]:" in subject.cell.text:
            return  # The fence hides it: MSG110.
        is_message = subject.cell.kind is CellKind.MESSAGE
        key = "message" if is_message else "message.output"
        if _line_without_colon(subject.cell) is not None:
            key = "message.colon"
        yield self.problem(subject.label, header.id.span, key, id=cell_id)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        yield defining(document, document.cell(problem.label))


def defining(document: Document, placed: Placed) -> Fix:
    """What defines a cell that has an id, and nothing else that could be its definition."""
    found = _line_without_colon(placed.cell)
    if found is not None:
        span, mended = found
        return Fix.of("fix.colon", Edit(span.shift(placed.start_offset), mended), mended=mended)
    line = likely_definition(document, placed, placed.cell.id or "")
    safe = _is_certain(document, placed, line)
    inserted = insert_definition(document, placed, line)
    return Fix.of("fix.insert", inserted, safe=safe, definition=line)


def _line_without_colon(cell: Cell) -> tuple[Span, str] | None:
    """The line at home that surely would be the cell's definition with a colon."""
    found = line_without_colon(cell.text, cell.body.start, cell.id or "")
    read = None if found is None else parse_definition(found[1], 0, len(found[1]))
    if read is None or read.type is None or read.problems:
        return None
    # After a footnote's mark, any other words in brackets are more likely just that.
    is_message = cell.kind is CellKind.MESSAGE
    is_type = read.type in MESSAGE_TYPES if is_message else " " not in read.type
    return found if is_type else None


def _is_certain(document: Document, placed: Placed, line: str) -> bool:
    """Whether the cell is read as that already, and nothing else can be its definition."""
    if placed.cell.kind is not CellKind.MESSAGE or not line.endswith("[markdown]"):
        return False
    if len(document.entries("header", placed.cell.id or "")) > 1:
        return False
    if marking(document, placed) is not None:
        return False
    return not is_open(document.cell_number(document.cell_count - 1).cell)

"""A cell has an id but no definition.

## What it does
Looks for cells whose header has an id while no line `[^id]: [type] …` exists anywhere
outside fences.

Four things look alike and are told apart: a definition that a formatter has escaped is
MSG109, one whose head is half-written or that has no type is MSG108, one that is below
the header with another id is MSG102, and an id that no definition could have, because
it is misshapen, is MSG111.

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

A line below the header that lacks only its colon, as in `[^q1] [markdown]`, gets the
colon, also where a full-width one was typed.

## Fix safety
Inserting `[markdown]` on a message cell is safe: that is what the cell is read as
anyway. On an output cell the fix is a guess, and not safe. Nor is it where outputs say
that the cell is code, where another cell has the same id, or where a fence that nothing
closes may hide the definition. Adding a colon is not safe: the line was read as content.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.definitions import parse_definition
from msgls.formats.msgmd.edits import insert_definition, is_open
from msgls.formats.msgmd.meaning import MESSAGE_TYPES
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.msgmd.ids import (
    likely_definition,
    shape_fault,
    untyped_definitions,
    waiting_definition,
)
from msgls.rules.msgmd.msg109_formatter_damage import mended_home
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell, CellKind
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span

_BLANK_LINES = lazy_pattern(r"[ \t\r\n]*")
# A full-width colon is what Chinese input methods write.
_HEAD_WITHOUT_COLON = lazy_pattern(
    r"[ ]{0,3}\[\^(?P<id>[^\[\]\r\n]+)\](?:[ \t]*[:\uff1a])?[ \t]*(?=\[)"
)


class HeaderWithoutDefinition(CellRule):
    """See the module."""

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
        if _line_without_colon(subject.cell) is not None:
            key = "message.colon"
        yield self.problem(subject.order, header.id.span, key, id=cell_id)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """Insert the line at home, or the colon that a line there lacks."""
        document = snapshot.document
        yield defining(document, document.cell(problem.order))


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
    """The line at home that would be the cell's definition with a colon, and how it reads then."""
    text = cell.text
    blank = _BLANK_LINES.match(text, cell.body.start)
    span = Span(*line_bounds(text, cell.body.start if blank is None else blank.end()))
    head = _HEAD_WITHOUT_COLON.match(text, *span)
    if head is None or head.group("id") != cell.id:
        return None
    rest = text[head.end() : span.end].rstrip(" \t")
    mended = f"[^{cell.id}]: {rest}"
    read = parse_definition(mended, 0, len(mended))
    if read is None or read.type is None or not read.is_typed or read.problems:
        return None
    # Behind a footnote's mark, any other words in brackets are more likely just that.
    is_message = cell.kind is CellKind.MESSAGE
    is_type = read.type in MESSAGE_TYPES if is_message else " " not in read.type
    return (span, mended) if is_type else None


def _is_certain(document: Document, placed: Placed, line: str) -> bool:
    """Whether the cell is read as that already, and nothing else can be its definition."""
    if placed.cell.kind is not CellKind.MESSAGE or not line.endswith("[markdown]"):
        return False
    if len(document.entries("header", placed.cell.id or "")) > 1:
        return False
    return not is_open(document.cell_number(document.cell_count - 1).cell)

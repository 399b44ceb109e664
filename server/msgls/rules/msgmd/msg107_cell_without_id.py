"""A cell has no id.

## What it does
Looks for headers without `[^id]` at their end. Where a definition stands right below
that no other cell has, the id is known, and MSG102 puts it into the header.

## Why it matters
Without an id a cell has no definition: nothing can say who answered, when, or whether
the model should see it, and no tool call can belong to it. It is still a message.

## Example
```markdown
# %% A question

Why is the sky blue?
```
Use instead:
```markdown
# %% A question[^m1]

[^m1]: [markdown]

Why is the sky blue?
```

## Fix safety
Not safe: the cell gets an id and a definition, and an answer also an author, which is
a guess.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import insert_definition
from msgls.formats.msgmd.meaning import next_free_id
from msgls.model.cells import Cell
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject, Surroundings
from msgls.rules.msgmd.ids import (
    cells_before,
    give_id,
    likely_definition,
    waiting_definition,
)
from msgls.text.spans import Edit


class CellWithoutId(CellRule):
    """See the module."""

    code = "MSG107"
    name = "cell-without-id"
    severity = Severity.HINT

    def check(self, subject: Subject) -> Iterator[Problem]:
        """A header that ends without brackets."""
        if subject.cell.id is not None:
            return
        header = subject.cell.header
        if header is not None and waiting_definition(subject.document, subject.placed) is None:
            yield self.problem(subject.order, header.marker)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Give it an id: that of a definition right below which lacks a header, else a new one."""
        placed = document.cell(problem.order)
        yield giving_id(document, placed, ids_wanted(document, placed, 0))


def giving_id(document: Document, placed: Placed, others: int) -> Fix:
    """What gives a cell an id; as many free ones as ``others`` are left to others."""
    waiting = _waiting_id(document, placed)
    cell_id = waiting or _free_id(document, others)
    edit = give_id(placed, cell_id)
    if waiting is None:
        line = likely_definition(document, placed, cell_id)
        edit = Edit(edit.span, edit.text + insert_definition(document, placed, line).text)
    return Fix.of("fix.give", edit, id=cell_id)


def _free_id(document: Document, others: int) -> str:
    first = next_free_id(document)
    # Where ids behind it are taken, too, two may get the same: then one is fixed after the other.
    return next_free_id(document, first=int(first[1:]) + others) if others else first


def ids_wanted(document: Document, placed: Placed, offset: int) -> int:
    """How many new ids are wanted before an offset in a cell; those far away are not counted.

    By cells that lack one, and by lines that are nearly headers. Who leaves these ids to them
    gets one that fits the order of the cells, and all can be fixed at once.
    """
    wanted = _wanted_in(document, placed, offset) if offset else 0
    for before in cells_before(document, placed.order):
        wanted += _wanted_in(document, before, before.cell.length)
    return wanted


def _wanted_in(document: Document, placed: Placed, end: int) -> int:
    lines = _nearly_headers(placed.cell) if placed.cell.near_misses else ()
    lacks_one = placed.cell.header is not None and placed.cell.id is None
    lacks_one = lacks_one and _waiting_id(document, placed) is None
    return bisect_left(lines, end) + lacks_one


# Of a cell with many of them, each is asked about in turn.
@lru_cache(maxsize=8)
def _nearly_headers(cell: Cell) -> tuple[int, ...]:
    """Where the lines start that would be headers without an id."""
    return tuple([miss.span.start for miss in cell.near_misses if "[^" not in miss.mended])


def _waiting_id(document: Document, placed: Placed) -> str | None:
    home = placed.cell.home
    if home is None or not home.is_typed or document.entries("header", home.id.text):
        return None
    return home.id.text or None

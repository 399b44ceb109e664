"""A fenced block is not closed, and hides what follows.

## What it does
Looks for a fence (three or more back-quotes or tildes) that no line closes. It runs to
the end of the file, as in any Markdown. A fence in a list ends with its item and is not
reported.

It also looks for a fence that only a block of a later cell closes: by the opening line
of that block or, if that line names a language, by its closing line. The cells in
between are read as text. Only real cells count, with a header and a definition of their
own; a block that quotes such cells and has its own closing line is fine.

## Why it matters
Inside a fence a marker line is text. Every cell that follows is hidden: a program that
reads the file sees one long message instead of many.

## Example
````markdown
# %%% The answer[^a1]

[^a1]: [assistant]

```python
print(42)

# %% Another question[^q2]

[^q2]: [markdown]

Why 42?
````
Use instead:
````markdown
# %%% The answer[^a1]

[^a1]: [assistant]

```python
print(42)
```

# %% Another question[^q2]

[^q2]: [markdown]

Why 42?
````

## Fix safety
Not safe: the fence is closed before the first marker that it hides, and the hidden
cells become cells again. Only the author knows whether the markers were meant as text.
A fence that hides no marker is closed at the end of the file.
"""

from collections.abc import Iterator
from itertools import zip_longest

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.content import fences_of
from msgls.formats.msgmd.definitions import parse_definition
from msgls.formats.msgmd.lexer import QUOTED_HEADER
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell, Fence
from msgls.text.lines import line_bounds, line_starts
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span
from msgls.text.work import Work, done

# Each reads the rest of the cell again.
_MOST_TRIED = 10
# So many are looked through for cells between two pauses.
_PORTION = 20
_HOME = lazy_pattern(r"[ \t\r\n]*\[\^(?P<id>[^\[\]\r\n]+)\]:")


class UnclosedFence(CellRule):
    code = "MSG110"
    name = "unclosed-fence"
    severity = Severity.ERROR
    texts = {
        "message.swallowed": (
            "this fence is closed only by a block of a later cell, so a cell is read as its text"
        ),
        "message.swallowed.many": (
            "this fence is closed only by a block of a later cell, "
            "so {count} cells are read as its text"
        ),
        "message.none": "this fence is never closed",
        "message.one": "this fence is never closed, and hides a cell marker",
        "message.many": "this fence is never closed, and hides {count} cell markers",
        "fix.marker": "Close the fence before the next cell marker",
        "fix.end": "Close the fence at the end of the file",
    }
    wants = Topic.OPEN_FENCE
    reads = ("fences",)

    def check(self, subject: Subject) -> Iterator[Problem | None]:
        """The first fence that swallows cells; else the last one, if the file ends in it."""
        swallowing = yield from _swallowing(subject.document, subject.cell)
        if swallowing is not None:
            opening, markers = swallowing
            key = "message.swallowed" if len(markers) == 1 else "message.swallowed.many"
            yield self.problem(subject.label, opening.fence, key, count=str(len(markers)))
            return
        fence = _open_fence(subject.cell)
        if fence is None:
            return
        hidden = len(subject.cell.hidden_markers)
        key = {0: "message.none", 1: "message.one"}.get(hidden, "message.many")
        yield self.problem(subject.label, fence.fence, key, count=str(hidden))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        cell = placed.cell
        fence, hidden = _open_fence(cell), cell.hidden_markers
        swallowing = done(_swallowing(document, cell))
        if swallowing is not None:
            fence, hidden = swallowing
        if fence is None:
            return
        end = hidden[0].start if hidden else len(cell.text)
        visible = max(len(cell.text[:end].rstrip(" \t\r\n")), fence.fence.end)
        # Blanks at the end of that line stay with it, and so do the blank lines below.
        at = line_bounds(cell.text, visible)[1]
        newline = document.newline
        closing = newline + fence.fence.of(cell.text)
        # A marker reads better with a blank line above it.
        if at == end or (hidden and len(line_starts(cell.text[at:end])) == 2):
            closing += newline
        span = Span(at, at).shift(placed.start_offset)
        yield Fix.of("fix.marker" if hidden else "fix.end", Edit(span, closing))


def _swallowing(document: Document, cell: Cell) -> Work[tuple[Fence, tuple[Span, ...]] | None]:
    """The first fence that a block of a later cell closes, and the markers in it.

    Were it closed before the first marker, the line that closes it would open or end a block of
    that cell, and all blocks from there on would be closed. A block that quotes cells leaves one
    open then.
    """
    if not any("%%" in part for part in cell.parts):
        return None
    tried = 0
    for number, (fence, following) in enumerate(zip_longest(cell.fences, cell.fences[1:])):
        if not number % _PORTION:
            yield
        if fence.close is None or fence.in_list:
            continue
        markers = tuple(_real_cells(document, fence.content, cell.text))
        if markers and tried < _MOST_TRIED:
            tried += 1
            start = markers[0].start
            blocks = fences_of(cell.text[start:])
            close = fence.close.start - start
            ends = any(block.close is not None and block.close.start == close for block in blocks)
            opens = any(block.span.start == close for block in blocks)
            # What was to close the later block opens the next one: no word follows it.
            opens &= following is not None and following.info.start == following.info.end
            if (ends or opens) and all(b.close is not None or b.in_list for b in blocks):
                return fence, markers
    return None


def _real_cells(document: Document, content: Span, text: str) -> Iterator[Span]:
    """The headers in a block that the first line below them defines, and that no cell has."""
    for header in QUOTED_HEADER.finditer(text, *content):
        home = _HOME.match(text, header.end(), content.end)
        cell_id = header.group("id")
        if home is None or home.group("id") != cell_id or document.entries("header", cell_id):
            continue
        definition = parse_definition(text, *line_bounds(text, home.start("id")))
        if definition is not None and definition.is_typed and not definition.problems:
            yield Span(*header.span())


def _open_fence(cell: Cell) -> Fence | None:
    # Cheap first: most cells have no fence, and a large file has many cells.
    if not any("```" in part or "~~~" in part for part in cell.parts) or not cell.fences:
        return None
    last = cell.fences[-1]
    return last if last.close is None and not last.in_list else None

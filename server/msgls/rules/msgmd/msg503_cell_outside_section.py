"""A cell comes before the section that holds the conversation.

## What it does
In a plain `.md` with a section for its conversation, looks for cell markers before that
section's heading.

## Why it matters
Only what follows the heading is recorded. A cell before it looks like a message but is
not one: the model never sees it.

## Example
```markdown
# %% A question[^q1]

[^q1]: [markdown]

How old is the universe?

## Discussion
```
Use instead:
```markdown
## Discussion

# %% A question[^q1]

[^q1]: [markdown]

How old is the universe?
```

## Fix safety
Not safe: the cell becomes part of the conversation. It moves to the end of the section,
or before the first cell there that belongs to it.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import blank_line_after, is_open
from msgls.formats.msgmd.section import PlacedHeading, headings_after, section_headings
from msgls.rules.base import DocumentRule, Fix, Problem, Related, Severity
from msgls.text.spans import Edit, Span

# Far enough to see whether a blank line is there.
_LOOK_BACK = 1_000


class CellOutsideSection(DocumentRule):
    code = "MSG503"
    name = "cell-outside-section"
    severity = Severity.ERROR
    texts = {
        "message": "this cell is before the section `{name}`, so it is not recorded",
        "related": "the section `{name}` starts here",
        "fix.move": "Move the cell into the section `{name}`",
    }
    on_cells = True
    depends = ("heading",)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        """Each marker before the section; without a section, that is MSG501."""
        document = snapshot.document
        headings = section_headings(document)
        if not headings:
            return
        section = headings[0]
        args = {"name": section.heading.text}
        related = (Related(section.placed.label, section.heading.span, "related", args),)
        for placed in document.cells():
            if placed.label > section.placed.label:
                break
            header = placed.cell.header
            if header is not None:
                yield Problem(self.code, placed.label, header.span, "message", args, related)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        section = section_headings(document)[0]
        placed = document.cell(problem.label)
        last = document.cell_number(document.cell_count - 1)
        taken = _own_part(placed, section)
        text = taken.shift(-placed.start_offset).of(placed.cell.text)
        if is_open(placed.cell):
            return
        newline = document.newline
        text = text.rstrip(" \t\r\n") + newline
        at = _before_descendants(document, section, placed)
        if at is None:
            after = next(headings_after(document, section), None)
            if after is not None and section.placed.label == last.label:
                # No cell is recorded yet, and another section follows.
                at = after.span.start
        if at is not None:
            above = document.store.slice(Span(max(at - _LOOK_BACK, 0), at))
            edit = Edit(Span(at, at), blank_line_after(above, newline) + text + newline)
        elif is_open(last.cell):
            return
        else:
            at = last.span.end
            edit = Edit(Span(at, at), blank_line_after(last.cell.text, newline) + text)
        number = document.number_of(placed.label)
        above = document.cell_number(number - 1).cell.text if number else ""
        closed_up = Edit(taken, blank_line_after(above, newline))
        yield Fix.of("fix.move", closed_up, edit, name=section.heading.text)


def _own_part(placed: Placed, section: PlacedHeading) -> Span:
    """The cell, up to a heading that would end the section if it were moved along."""
    for heading in placed.cell.headings:
        if heading.level <= section.heading.level or heading == section.heading:
            return Span(placed.start_offset, placed.start_offset + heading.span.start)
    return placed.span


def _before_descendants(document: Document, section: PlacedHeading, placed: Placed) -> int | None:
    """Where the first recorded cell is that answers this one, directly or not."""
    if not placed.cell.id:
        return None
    prefix = placed.cell.id + "."
    number = document.number_of(section.placed.label) + 1
    for following in range(number, document.cell_count):
        other = document.cell_number(following)
        if (other.cell.id or "").startswith(prefix):
            return other.start_offset
    return None

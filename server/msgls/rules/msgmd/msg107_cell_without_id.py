"""A cell has no id.

## What it does
Looks for headers without `[^id]` at their end. If the line below is a definition that
belongs to no other cell, the id is known, and the fix of MSG102 puts it into the
header. An id that is not at the end of its header, as in `# %% A[^q1] title`, is not
the id of the cell.

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
Not safe: the cell gets an id and a definition, and an answer also an author, which is a
guess. An id inside the title is moved to the end of the header.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import insert_definition
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.msgmd.ids import give_id, id_in_title, likely_definition, waiting_definition
from msgls.rules.msgmd.overview import overview, waiting_id
from msgls.rules.topics import Topic
from msgls.text.spans import Edit


class CellWithoutId(CellRule):
    code = "MSG107"
    name = "cell-without-id"
    severity = Severity.HINT
    texts = {
        "message.inside": (
            "`[^{id}]` is not at the end of the header, so it is not the id of this cell"
        ),
        "message": ("this cell has no id: add `[^id]` at the end of the header"),
        "fix.give": "Give it the id `{id}` and a definition",
    }
    wants = Topic.NO_ID

    def check(self, subject: Subject) -> Iterator[Problem]:
        if subject.cell.id is not None:
            return
        header = subject.cell.header
        if header is not None and waiting_definition(subject.document, subject.placed) is None:
            written = misplaced_id(subject.document, subject.placed)
            if written is None:
                yield self.problem(subject.label, header.marker)
            else:
                yield self.problem(subject.label, header.marker, "message.inside", id=written)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """Give it an id: that of a definition right below which lacks a header, else a new one."""
        document = snapshot.document
        placed = document.cell(problem.label)
        yield giving_id(document, placed, overview(document).fresh_id(problem.label))


def misplaced_id(document: Document, placed: Placed) -> str | None:
    """The id that is in the title and not at the end, where no other cell has it."""
    written = id_in_title(placed)
    if written is None or document.entries("header", written):
        return None
    return None if document.entries("footnote", written) else written


def giving_id(document: Document, placed: Placed, fresh_id: str) -> Fix:
    """What gives a cell an id: that of the definition right below it, else ``fresh_id``."""
    waiting = waiting_id(document, placed)
    cell_id = waiting or misplaced_id(document, placed) or fresh_id
    edit = give_id(placed, cell_id)
    if waiting is None and not document.entries("definition", cell_id):
        line = likely_definition(document, placed, cell_id)
        edit = Edit(edit.span, edit.text + insert_definition(document, placed, line).text)
    return Fix.of("fix.give", edit, id=cell_id)

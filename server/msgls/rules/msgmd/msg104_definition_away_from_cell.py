"""The definition of a cell is somewhere else in the file.

## What it does
Looks for cells whose definition is not the first non-blank line below the header. Such
a definition counts wherever it is outside fences: some programs write all definitions
at the end of the file.

## Why it matters
Readers have to search for what the cell is, and whoever moves or deletes the cell
leaves its definition behind.

## Example
```markdown
# %% A question[^q1]

Why is the sky blue?

[^q1]: [markdown]
```
Use instead:
```markdown
# %% A question[^q1]

[^q1]: [markdown]

Why is the sky blue?
```

## Fix safety
Safe: the line is moved below its header, and no message changes. It is not safe where
something else takes effect once the line is gone: another definition, or a frontmatter.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import move_definition_home
from msgls.formats.msgmd.meaning import definition_of, own_home
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject
from msgls.rules.definitions import cell_of
from msgls.rules.topics import Topic
from msgls.syntax.cells import Definition


class DefinitionAwayFromCell(CellRule):
    code = "MSG104"
    name = "definition-away-from-cell"
    severity = Severity.HINT
    texts = {
        "message": "the definition of `{id}` is not at its cell: move it below the header",
        "related": "the cell `{id}`",
        "fix.move": "Move the definition below the header of `{id}`",
    }
    wants = Topic.AWAY

    def check(self, subject: Subject) -> Iterator[Problem]:
        """A definition that counts and is not at home; of two cells with one id, it is MSG103."""
        definition, header = subject.definition, subject.cell.header
        if definition is None or definition is own_home(subject.cell):
            return
        if header is None or header.id is None:
            return
        cell_id = header.id.text
        if len(subject.document.entries("header", cell_id)) > 1:
            return
        yield Problem(
            self.code,
            subject.definition_label,
            definition.span,
            args={"id": cell_id},
            related=(Related(subject.label, header.id.span, "related", {"id": cell_id}),),
            subject=subject.label,
        )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = cell_of(document, problem)
        found = definition_of(document, placed)
        if found is not None:
            edits = move_definition_home(document, placed, found[1], found[0])
            safe = not _uncovers(document, *found)
            yield Fix("fix.move", tuple(edits), safe, problem.args)


def _uncovers(document: Document, definition: Definition, holder: Placed) -> bool:
    """Whether something counts only when the line is gone: a definition below, a frontmatter."""
    said = document.entries("definition", holder.cell.id or "")
    if sum(len(entry.payloads) for entry in said) > 1:
        return True
    text, (start, end) = holder.cell.text, definition.span
    is_first = not holder.start_offset and not text[:start].strip("\ufeff")
    return is_first and text[end:].lstrip("\r\n").startswith("---")

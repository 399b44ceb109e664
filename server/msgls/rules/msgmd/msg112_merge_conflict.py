"""The file contains an unresolved merge conflict.

## What it does
Looks for `<<<<<<<` and then `>>>>>>>` at the start of lines outside fences, in one cell
or through several, and in the frontmatter. Between them is `=======`, unless someone
has removed it by hand. A `=======` by itself underlines a heading and is fine.

## Why it matters
Both sides of the merge are in the file, one after the other, together with the conflict
markers: the model reads all of it, and ids occur twice.

## Example
```markdown
<<<<<<< HEAD
How old is the universe?
=======
How old is the universe, and how do we know?
>>>>>>> more-questions
```
Use instead:
```markdown
How old is the universe, and how do we know?
```

## Fix safety
Not safe: each of the two fixes removes one side. Without `=======` there is no fix:
only the author knows which line belongs to which side.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.conflicts import Conflict, Mark, conflicts
from msgls.formats.msgmd.edits import remove_line
from msgls.rules.base import DocumentRule, Fix, Problem, Related, Severity
from msgls.text.spans import Edit, Span


class MergeConflict(DocumentRule):
    code = "MSG112"
    name = "merge-conflict"
    severity = Severity.ERROR
    texts = {
        "message": "unresolved merge conflict: both sides are in the file",
        "message.marks": "unresolved merge conflict: its markers are still in the file",
        "related.theirs": "the other side starts here",
        "related.end": "the other side ends here",
        "fix.ours": "Keep ours, the upper side",
        "fix.ours.named": "Keep ours, the upper side (`{side}`)",
        "fix.theirs": "Keep theirs, the lower side",
        "fix.theirs.named": "Keep theirs, the lower side (`{side}`)",
    }
    on_cells = True
    depends = ("conflict",)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        for conflict in conflicts(snapshot.document):
            related: tuple[Related, ...] = (Related(*conflict.end, "related.end"),)
            key = "message.marks"
            if conflict.theirs is not None:
                key, related = "message", (Related(*conflict.theirs, "related.theirs"), *related)
            label, span = conflict.ours
            yield Problem(self.code, label, span, key, related=related, data=conflict)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        conflict: Conflict = problem.data
        if conflict.theirs is None:
            return
        ours = _line(document, conflict.ours)
        base = _line(document, conflict.base or conflict.theirs)
        theirs = _line(document, conflict.theirs)
        end = _line(document, conflict.end)
        upper, lower = _label(document, conflict.ours), _label(document, conflict.end)
        yield Fix.of(
            "fix.ours.named" if upper else "fix.ours",
            Edit(ours, ""),
            Edit(Span(base.start, end.end), ""),
            side=upper,
        )
        yield Fix.of(
            "fix.theirs.named" if lower else "fix.theirs",
            Edit(Span(ours.start, theirs.end), ""),
            Edit(end, ""),
            side=lower,
        )


def _line(document: Document, mark: Mark) -> Span:
    """The whole line, absolute, with its line break."""
    placed = document.cell(mark.label)
    return remove_line(placed.cell.text, *mark.span).shift(placed.start_offset)


def _label(document: Document, mark: Mark) -> str:
    """What git calls that side."""
    return mark.span.of(document.cell(mark.label).cell.text)[7:].strip(" ")

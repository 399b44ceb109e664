r"""A Markdown formatter has put backslashes into a definition.

## What it does
Looks for `\[^id\]: [type] …`, below the header with that id or anywhere else, which would
be the cell's definition without the backslashes.

## Why it matters
Formatters that do not know footnotes escape the brackets. The line is then text: the
cell has lost its type and its attributes, and the model reads them as content. Only
what hides the cell still counts. `msgls init --protect` keeps such tools away from these
files.

## Example
```markdown
# %%% The answer[^a1]

\[^a1\]: [assistant] time="2025-05-30T00:00:00+08:00"
```
Use instead:
```markdown
# %%% The answer[^a1]

[^a1]: [assistant] time="2025-05-30T00:00:00+08:00"
```

## Fix safety
Safe: as it stands, only what hides the cell can be read, and it stays hidden.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.definitions import unescaped
from msgls.formats.msgmd.meaning import escaped_definition
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject
from msgls.rules.topics import Topic
from msgls.text.spans import Edit


class FormatterDamage(CellRule):
    code = "MSG109"
    name = "formatter-damage"
    severity = Severity.WARNING
    texts = {
        "message": "a formatter has escaped the definition of `{id}`: it is read as text",
        "related": "the cell `{id}`",
        "fix.repair": "Change to `{mended}`",
    }
    wants = Topic.UNDEFINED | Topic.NO_ID

    def check(self, subject: Subject) -> Iterator[Problem]:
        """An escaped definition where no other one counts; of two cells with one id, once."""
        document, header = subject.document, subject.cell.header
        if subject.definition is not None or header is None or header.id is None:
            return
        found = escaped_definition(document, subject.placed)
        if found is None:
            return
        (definition, holder), cell_id = found, header.id.text
        if holder.label == subject.label:
            yield self.problem(holder.label, definition.span, id=cell_id)
        elif document.entries("header", cell_id)[0].label == subject.label:
            yield Problem(
                self.code,
                holder.label,
                definition.span,
                args={"id": cell_id},
                related=(Related(subject.label, header.id.span, "related", {"id": cell_id}),),
                subject=subject.label,
            )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        placed = snapshot.document.cell(problem.label)
        mended = unescaped(problem.span.of(placed.cell.text))
        span = problem.span.shift(placed.start_offset)
        yield Fix.of("fix.repair", Edit(span, mended), safe=True, mended=mended)

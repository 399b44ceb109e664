r"""A Markdown formatter has put backslashes into a definition.

## What it does
Looks for `\[^id\]: …` right below the header with that id, where it would be the cell's
definition if the backslashes were not there.

## Why it matters
Formatters that do not know footnotes escape the brackets. The line is then text: the
cell has lost its type and its attributes, and the model reads them as content. A cell
that was hidden by them is sent.
`msgls init --protect` keeps such tools away from these files.

## Example
```markdown
# %%% The answer[^a1]

\[^a1\]: [gpt] time="2025-05-30T00:00:00+08:00"
```
Use instead:
```markdown
# %%% The answer[^a1]

[^a1]: [gpt] time="2025-05-30T00:00:00+08:00"
```

## Fix safety
Safe: as it stands, the definition cannot be read at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.definitions import parse_definition
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.topics import Topic
from msgls.syntax.cells import Cell, DefinitionHead
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit

# What formatters escape; `\"` and `\\` are escapes of our own, and stay.
_ESCAPED = lazy_pattern(r"\\([\[\]_*<>`#~.!-])")


class FormatterDamage(CellRule):
    """See the module."""

    code = "MSG109"
    name = "formatter-damage"
    severity = Severity.WARNING
    texts = {
        "message": "a formatter has escaped the definition of `{id}`: it is read as text",
        "fix.repair": "Change to `{mended}`",
    }
    wants = Topic.UNDEFINED | Topic.NO_ID

    def check(self, subject: Subject) -> Iterator[Problem]:
        """An escaped definition at home, where no other one counts."""
        if subject.definition is not None:
            return
        mended, home = mended_home(subject.cell), subject.cell.home
        if mended is not None and home is not None:
            yield self.problem(subject.order, home.span, id=home.id.text)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """Take the backslashes away."""
        placed = snapshot.document.cell(problem.order)
        mended = mended_home(placed.cell)
        if mended is not None:
            span = problem.span.shift(placed.start_offset)
            yield Fix.of("fix.repair", Edit(span, mended), safe=True, mended=mended)


def mended_home(cell: Cell) -> str | None:
    """The escaped definition at a cell's home as it was, if there is one."""
    home = cell.home
    if home is None or home.head is not DefinitionHead.DAMAGED or home.id.text != cell.id:
        return None
    mended = _ESCAPED.sub(r"\1", home.span.of(cell.text))
    read = parse_definition(mended, 0, len(mended))
    return mended if read is not None and read.is_typed and read.id.text == cell.id else None

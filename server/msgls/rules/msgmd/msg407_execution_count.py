"""The runs of a code cell are not numbered 1, 2, 3.

## What it does
Counts the execution outputs of each code cell in the order of the document, and looks
for a number that is there twice or comes where another one is due. A cell whose
definition is missing or wrong is counted too, where its id says that it is a run. What
stands before its code is MSG305, and not counted.

## Why it matters
The number says which run of the code an output comes from. Two with one number have one
id, and a number that is left out looks like an output that was lost.

## Example
```markdown
# %%% First run[^c1.1]

[^c1.1]: [python] status="failure"

# %%% Second run[^c1.3]

[^c1.3]: [python] status="success"
```
Use instead:
```markdown
# %%% Second run[^c1.2]

[^c1.2]: [python] status="success"
```

## Fix safety
Not safe: all runs of the cell are numbered anew, in the order in which they stand.
"""

from __future__ import annotations

from msgls.formats.msgmd.meaning import CellRole
from msgls.rules.base import Severity
from msgls.rules.msgmd.numbering import Numbering


class ExecutionCount(Numbering):
    """See the module."""

    code = "MSG407"
    name = "execution-count"
    severity = Severity.WARNING
    role = CellRole.RUN

"""The number of a run repeats, or is lower than that of a run before it.

## What it does
Looks at the numbers of each code cell's runs in the order of the document: they must
grow. They are execution counts, as notebooks have them: one kernel counts the runs of
all cells, so a number need not start at 1, and others may be left out. A further output
of a run has a number of its own after that of the run (`c1.4.2`), and is not counted. A
cell whose definition is missing or wrong is counted, where its id says that it is a
run. What comes before its code is MSG305, and not counted.

## Why it matters
The number says which run of the code an output comes from. Two with one number have one
id, and a number that goes down says that the later output is the older one.

## Example
```markdown
# %%% First run[^c1.1]

[^c1.1]: [python] status="failure"

# %%% Second run[^c1.1]

[^c1.1]: [python] status="success"
```
Use instead:
```markdown
# %%% Second run[^c1.2]

[^c1.2]: [python] status="success"
```

## Fix safety
Not safe: the run gets the next number, and so do those after it as far as they must.
"""

from __future__ import annotations

from msgls.formats.base import CellRole
from msgls.rules.base import Severity
from msgls.rules.msgmd.numbering import Numbering


class ExecutionCount(Numbering):
    """See the module."""

    code = "MSG407"
    name = "execution-count"
    severity = Severity.WARNING
    texts = {
        "message.repeated": (
            "the code `{parent}` already has a run {number}: {due} is expected here"
        ),
        "message.order": (
            "run {number} of the code `{parent}` follows a later run: {due} is expected here"
        ),
        "related": "the previous run",
        "fix.renumber": "Renumber the runs of `{parent}` in ascending order",
    }
    role = CellRole.RUN
    may_skip = True

"""The number of a run repeats, or is lower than that of a run before it.

## What it does
Looks at the numbers of each code cell's runs in the order of the file: they must
increase. They are execution counts, as in notebooks: the kernel counts the runs of all
cells together, so the numbers of one cell need not start at 1, and may have gaps. A
further output of a run has a number of its own after that of the run (`c1.4.2`), and is
not counted. A cell whose definition is missing or wrong is counted too if its id says
that it is a run. A run before its code is MSG305, and is not counted.

## Why it matters
The number says which run of the code an output comes from. Two runs with the same
number have the same id, and a lower number means that the later output is the older
one.

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
Not safe: the run gets the next number, and later runs are renumbered where they must
be.
"""

from msgls.formats.base import CellRole
from msgls.rules.base import Severity
from msgls.rules.msgmd.numbering import Numbering


class ExecutionCount(Numbering):
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

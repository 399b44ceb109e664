"""The results of a call are not numbered 1, 2, 3.

## What it does
Counts the results of each tool call in the order of the file, and reports a number that
is repeated, skips one or is out of order. A cell whose definition is missing or wrong
is counted too if its id says that it is a result of that call. A result before its call
is MSG305, and is not counted.

## Why it matters
The results of a call are put together in the order of their numbers. Two results with
the same number have the same id, and a skipped number looks like a lost result.

## Example
```markdown
# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>

# %%% First part[^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="success"

# %%% Second part[^a1.9f3d.3]

[^a1.9f3d.3]: [tool] status="success"
```
Use instead:
```markdown
# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>

# %%% First part[^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="success"

# %%% Second part[^a1.9f3d.2]

[^a1.9f3d.2]: [tool] status="success"
```

## Fix safety
Not safe: all results of the call are renumbered, in the order in which they appear.
"""

from msgls.formats.base import CellRole
from msgls.rules.base import Severity
from msgls.rules.msgmd.numbering import Numbering


class ResultNumber(Numbering):
    code = "MSG304"
    name = "result-number"
    severity = Severity.WARNING
    texts = {
        "message.repeated": (
            "the call `{parent}` already has a result {number}: {due} is expected here"
        ),
        "message.order": (
            "result {number} of the call `{parent}` is out of order: {due} is expected here"
        ),
        "related": "the previous result",
        "fix.renumber": "Renumber the results of `{parent}` from 1",
    }
    role = CellRole.RESULT

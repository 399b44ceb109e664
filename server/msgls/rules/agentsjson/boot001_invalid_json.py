"""The file is not valid JSON.

## What it does
Reads the file as strict JSON: no comments, no comma before a closing bracket, no `NaN`.
Each place where it breaks is reported, and the rest of the file is read all the same. Only a
file in which some agent has a boot message is checked.

## Why it matters
A host that cannot read the file knows none of its agents.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {,}}}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {}}]}
```

## Fix safety
There is no fix: what was meant, only the author knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.formats.agentsjson.cells import AgentsCell
from msgls.rules.agentsjson.boots import AgentsRule
from msgls.rules.base import Problem, Severity
from msgls.text.phrases import as_phrase


class InvalidJson(AgentsRule):
    """See the module."""

    code = "BOOT001"
    name = "invalid-json"
    severity = Severity.ERROR
    texts = {
        "message": "this is not valid JSON: {reason}",
    }

    def check_file(self, order: int, cell: AgentsCell) -> Iterator[Problem]:
        """Every place where the text breaks."""
        for error in cell.errors:
            yield self.problem(order, error.span, reason=as_phrase(error.reason))

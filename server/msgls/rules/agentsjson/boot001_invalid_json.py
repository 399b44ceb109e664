"""The file is not valid JSON.

## What it does
Reads the file as strict JSON: no comments, no comma before a closing bracket, no `NaN`.
Every error is reported, and the rest of the file is read all the same. Only a file in
which some agent has a boot message is checked. In VS Code, whose own JSON support
reports these errors, the rule is off.

## Why it matters
The host application, which loads the file, finds no agents in it.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {
  "bootMessage": {"message": "Hello!", "meta": {"isVirtual": true},}}}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {
  "bootMessage": {"message": "Hello!", "meta": {"isVirtual": true}}}}]}
```

## Fix safety
There is no fix: only the author knows what was meant.
"""

from collections.abc import Iterator

from msgls.formats.agentsjson.cells import AgentsCell
from msgls.rules.agentsjson.base import AgentsRule
from msgls.rules.base import Problem, Severity
from msgls.text.phrases import as_phrase


class InvalidJson(AgentsRule):
    code = "BOOT001"
    name = "invalid-json"
    severity = Severity.ERROR
    texts = {
        "message": "this is not valid JSON: {reason}",
    }

    def check_file(self, label: int, cell: AgentsCell) -> Iterator[Problem]:
        for error in cell.errors:
            yield self.problem(label, error.span, reason=as_phrase(error.reason))

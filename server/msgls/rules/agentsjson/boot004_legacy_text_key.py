"""The text of a boot message uses the old key.

## What it does
Looks for a boot message that has a string as `text`, and no `message`.

## Why it matters
The key was renamed. A current host application looks for `message`, and shows an empty
bubble.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {
  "bootMessage": {"text": "Hello!", "meta": {"isVirtual": true}}}}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {
  "bootMessage": {"message": "Hello!", "meta": {"isVirtual": true}}}}]}
```

## Fix safety
Safe: the text stays, and so does what it means here.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.agentsjson.cells import Agent
from msgls.rules.agentsjson.base import IN_AGENT, AgentsRule
from msgls.rules.base import Fix, Problem, Severity
from msgls.text.spans import Edit


class LegacyTextKey(AgentsRule):
    code = "BOOT004"
    name = "legacy-text-key"
    severity = Severity.WARNING
    texts = {
        "message": "the text of a boot message is called `message` now",
        "fix.rename": "Change to `message`",
    }

    def check_agent(self, agent: Agent) -> Iterator[Problem]:
        boot = agent.boot_message
        text = None if boot is None else boot.member("text")
        if boot is None or text is None or text.value.kind != "string":
            return
        if boot.member("message") is None:
            yield self.problem(IN_AGENT, text.key_span)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        yield Fix.of("fix.rename", Edit(problem.span, '"message"'), safe=True)

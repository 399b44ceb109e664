"""Resetting the context does not show the boot message.

## What it does
Reports `"skipBotMessage": true` in a task `ResetContext` of an agent that has a boot
message. The task may be one of the agent's operations or of its tasks.

## Why it matters
After a reset, the boot message shows the user where the new conversation begins. If it
is skipped, the user sees nothing.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js",
  "metadata": {"bootMessage": {"message": "Hello!", "meta": {"isVirtual": true}}},
  "operations": [{"task": {"name": "ResetContext", "skipBotMessage": true}}]}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js",
  "metadata": {"bootMessage": {"message": "Hello!", "meta": {"isVirtual": true}}},
  "operations": [{"task": {"name": "ResetContext", "skipBotMessage": false}}]}]}
```

## Fix safety
Safe: no message changes, and the boot message is shown again.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.agentsjson.cells import Agent
from msgls.rules.agentsjson.base import IN_AGENT, AgentsRule
from msgls.rules.base import Fix, Problem, Severity
from msgls.text.spans import Edit

_RESET = "ResetContext"


class ResetSkipsBoot(AgentsRule):
    code = "BOOT006"
    name = "reset-skips-boot"
    severity = Severity.WARNING
    texts = {
        "message": "the boot message is not shown after a reset: `skipBotMessage` must be `false`",
        "fix.set": "Change to `false`",
    }

    def check_agent(self, agent: Agent) -> Iterator[Problem]:
        if agent.boot is None or agent.boot.value.kind == "null":
            return
        for value in agent.value.walk():
            name, skips = value.member("name"), value.member("skipBotMessage")
            if name is None or skips is None or skips.value.kind != "true":
                continue
            if agent.string(name.value) == _RESET:
                yield self.problem(IN_AGENT, skips.value.span)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        yield Fix.of("fix.set", Edit(problem.span, "false"), safe=True)

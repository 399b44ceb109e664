"""A task that a boot message offers has no `task`.

## What it does
Reports an entry in the `availableTasks` of a boot message that has no `task`. The
`task` says what is done when the user chooses the entry.

## Why it matters
The host application reads the `task` when it shows the message, and fails if there is
none.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {
  "message": "Hello!", "meta": {"isVirtual": true},
  "availableTasks": [{"name": "Help"}]}}}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {
  "message": "Hello!", "meta": {"isVirtual": true},
  "availableTasks": [{"name": "Help", "task": {"name": "ShowHelp", "type": "action"}}]}}}]}
```

## Fix safety
Not safe: only the author knows which task is meant. A misspelled key is changed to
`task`; otherwise a `task` with an empty name is inserted, which the author must fill
in.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.agentsjson.cells import Agent
from msgls.rules.agentsjson.base import IN_AGENT, AgentsRule, head_of, insert, misspelt, object_at
from msgls.rules.base import Fix, Problem, Severity
from msgls.text.spans import Edit


class TaskWithoutTask(AgentsRule):
    code = "BOOT005"
    name = "task-without-task"
    severity = Severity.ERROR
    texts = {
        "message": "this task has no `task`: the host application fails when it shows the message",
        "fix.insert": "Insert a `task`",
        "fix.rename": "Change `{written}` to `task`",
    }

    def check_agent(self, agent: Agent) -> Iterator[Problem]:
        """Every task without one; in a broken part of the text it may be unread."""
        for entry in agent.available_tasks():
            if entry.task is None and not agent.is_broken(entry.value):
                span, data = head_of(agent, entry.value), entry.value.span.start
                yield Problem(self.code, IN_AGENT, span, data=data)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        _, offered, start = object_at(document, problem.data)
        meant = misspelt(offered, "task")
        if meant is not None:
            edit = Edit(meant.key_span.shift(start), '"task"')
            yield Fix.of("fix.rename", edit, written=meant.key)
            return
        task = {"name": "", "type": "action"}
        yield Fix.of("fix.insert", insert(document, problem.data, "task", task, last=True))

"""Two tasks that a boot message offers have the same name.

## What it does
Compares the `availableTasks` of each boot message: the `name` that the user sees, and
the `name` inside `task`. Of two that are equal, the later one is reported.

## Why it matters
The user cannot tell two entries with the same name apart. The name inside `task` says
what is done, so two tasks with the same name do the same.

## Example
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {
  "message": "Hello!", "meta": {"isVirtual": true}, "availableTasks": [
    {"name": "Help", "task": {"name": "ShowHelp"}},
    {"name": "Help", "task": {"name": "ShowTips"}}]}}}]}
```
Use instead:
```json
{"agents": [{"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {
  "message": "Hello!", "meta": {"isVirtual": true}, "availableTasks": [
    {"name": "Help", "task": {"name": "ShowHelp"}},
    {"name": "Tips", "task": {"name": "ShowTips"}}]}}}]}
```

## Fix safety
There is no fix: only the author knows which of the two should be renamed.
"""

from collections.abc import Iterator

from msgls.formats.agentsjson.cells import Agent
from msgls.formats.jsontree import JsonValue, Member
from msgls.rules.agentsjson.base import IN_AGENT, AgentsRule
from msgls.rules.base import Problem, Related, Severity
from msgls.text.spans import Span


class DuplicateTaskName(AgentsRule):
    code = "BOOT008"
    name = "duplicate-task-name"
    severity = Severity.WARNING
    texts = {
        "message.shown": "the user is already offered a task `{name}`",
        "message.task": "a task named `{name}` is already in this list",
        "related": "`{name}` is first used here",
    }

    def check_agent(self, agent: Agent) -> Iterator[Problem]:
        shown: dict[str, Span] = {}
        done: dict[str, Span] = {}
        for entry in agent.available_tasks():
            task = None if entry.task is None else entry.task.value.member("name")
            found = [
                *self._again(agent, entry.name, shown, "message.shown"),
                *self._again(agent, task, done, "message.task"),
            ]
            # A copy of a whole task is one mistake.
            yield from found[:1]

    def _again(
        self, agent: Agent, member: Member | None, seen: dict[str, Span], key: str
    ) -> Iterator[Problem]:
        value: JsonValue | None = None if member is None else member.value
        name = None if value is None else agent.string(value)
        if value is None or not name:
            return
        earlier = seen.setdefault(name, value.span)
        if earlier is not value.span:
            args = {"name": name}
            related = (Related(IN_AGENT, earlier, "related", args),)
            yield Problem(self.code, IN_AGENT, value.span, key, args, related)

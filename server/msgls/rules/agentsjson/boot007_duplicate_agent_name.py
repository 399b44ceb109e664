"""Two agents have the same name.

## What it does
Reports an agent whose name an earlier agent in the file already has. Only a file in
which some agent has a boot message is checked.

## Why it matters
Agents are found by their names, also from message files. Of two with the same name,
only one can be found.

## Example
```json
{"agents": [
  {"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {"message": "Hello!",
    "meta": {"isVirtual": true}}}},
  {"name": "Helper", "path": "./other.js"}]}
```
Use instead:
```json
{"agents": [
  {"name": "Helper", "path": "./helper.js", "metadata": {"bootMessage": {"message": "Hello!",
    "meta": {"isVirtual": true}}}},
  {"name": "Other", "path": "./other.js"}]}
```

## Fix safety
There is no fix: only the author knows which of the two should be renamed.
"""

from collections.abc import Iterator

from msgls.formats.agentsjson.cells import AgentsCell
from msgls.rules.agentsjson.base import AgentsRule
from msgls.rules.base import Problem, Related, Severity
from msgls.text.spans import Span


class DuplicateAgentName(AgentsRule):
    code = "BOOT007"
    name = "duplicate-agent-name"
    severity = Severity.WARNING
    texts = {
        "message": "an agent named `{name}` already exists",
        "related": "the agent `{name}` is first defined here",
    }

    def check_file(self, label: int, cell: AgentsCell) -> Iterator[Problem]:
        first: dict[str, Span] = {}
        for agent, start, _ in cell.agents:
            name, member = agent.name, agent.value.member("name")
            if not name or member is None:
                continue
            span = member.value.span.shift(start)
            earlier = first.setdefault(name, span)
            if earlier is not span:
                args = {"name": name}
                related = (Related(label, earlier, "related", args),)
                yield Problem(self.code, label, span, "message", args, related)

"""Two agents have the same name.

## What it does
Looks for a name that occurs twice below `agents:`, and for two cells that define a
temporary agent of the same name. A temporary agent may have the name of an agent in the
frontmatter: from there on, it changes that agent.

## Why it matters
A name must identify one agent. If two agents have the same name, the later one is used,
and the earlier one cannot be reached.

## Example
```markdown
---
agents:
  writer: {models: [gpt-4o]}
  writer: {models: [o3]}
---
```
Use instead:
```markdown
---
agents:
  writer: {models: [gpt-4o]}
  thinker: {models: [o3]}
---
```

## Fix safety
There is no fix: only the author knows which of the two should be removed or renamed.
"""

from collections.abc import Iterator

from msgls.formats.msgmd.agents import agent_attribute, temporary_agents
from msgls.formats.msgmd.meaning import definition_of
from msgls.rules.base import Problem, Related, Severity, Subject
from msgls.rules.definitions import problem_at, reported_definition
from msgls.rules.msgmd.agents import AgentRule


class DuplicateAgent(AgentRule):
    code = "MSG014"
    name = "duplicate-agent"
    severity = Severity.ERROR
    texts = {
        "message": "an agent named `{name}` already exists",
        "related": "the agent `{name}` is defined here first",
    }

    def check(self, subject: Subject) -> Iterator[Problem]:
        frontmatter = self.frontmatter(subject)
        for problem in () if frontmatter is None else frontmatter.agent_problems:
            if problem.kind == "duplicate-agent":
                args = {"name": problem.key}
                first = problem.related or problem.span
                related = (Related(subject.label, first, "related", args),)
                yield Problem(self.code, subject.label, problem.span, "message", args, related)
        if subject.value("definition") == "agent":
            yield from self._in_cells(subject)

    def _in_cells(self, subject: Subject) -> Iterator[Problem]:
        document = subject.document
        name = agent_attribute(document, subject.placed)
        if name is None or reported_definition(subject) is None:
            return
        first = next(iter(temporary_agents(document, name.value)), subject.placed)
        found, other = definition_of(document, first), agent_attribute(document, first)
        # The very same id twice is MSG103.
        if first.cell.id == subject.cell.id or found is None or other is None:
            return
        related = (Related(found[1].label, other.value_span, "related", {"name": name.value}),)
        yield problem_at(self, subject, name.value_span, "message", related, name=name.value)

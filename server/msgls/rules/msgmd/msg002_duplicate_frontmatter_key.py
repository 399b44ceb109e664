"""A YAML mapping contains the same key twice.

## What it does
Looks for a repeated key in one mapping of the frontmatter, or of the YAML block of a
temporary agent. Two agents of the same name are MSG014.

## Why it matters
YAML cannot keep both: the last one is used, and the other one is silently lost.

## Example
```markdown
---
default_agent: writer
default_agent: critic
agents:
  writer: {models: [gpt-4o]}
  critic: {models: [gpt-4o]}
---
```
Use instead:
```markdown
---
default_agent: critic
agents:
  writer: {models: [gpt-4o]}
  critic: {models: [gpt-4o]}
---
```

## Fix safety
There is no fix: only the author knows which of the two was meant.
"""

from collections.abc import Iterator

from msgls.rules.base import Problem, Related, Severity, Subject
from msgls.rules.msgmd.agents import AgentRule


class DuplicateFrontmatterKey(AgentRule):
    code = "MSG002"
    name = "duplicate-frontmatter-key"
    severity = Severity.WARNING
    texts = {
        "message": "duplicate key `{key}`: this value replaces the earlier one",
        "related": "the key `{key}` is first used here",
    }

    def check(self, subject: Subject) -> Iterator[Problem]:
        for read, base in self.readings(subject):
            for problem in read.problems:
                if problem.kind == "duplicate-key":
                    args, span = {"key": problem.detail}, problem.span.shift(base)
                    first = (problem.related or problem.span).shift(base)
                    related = (Related(subject.label, first, "related", args),)
                    yield Problem(self.code, subject.label, span, "message", args, related)

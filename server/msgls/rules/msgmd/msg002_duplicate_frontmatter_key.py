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

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgls.rules.base import Problem, Related, Severity, Subject
from msgls.rules.msgmd.agents import AgentRule

if TYPE_CHECKING:
    from msgls.formats.msgmd.yamltree import FrontmatterProblem


class DuplicateFrontmatterKey(AgentRule):
    code = "MSG002"
    name = "duplicate-frontmatter-key"
    severity = Severity.WARNING
    texts = {
        "message": "duplicate key `{key}`: this value replaces the earlier one",
        "related": "the key `{key}` is first used here",
    }

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Keys that are repeated in the frontmatter or in the cell's own block."""
        for read, base in self.readings(subject):
            yield from self._duplicates(subject.label, read.problems, base)

    def _duplicates(
        self, label: int, problems: tuple[FrontmatterProblem, ...], base: int
    ) -> Iterator[Problem]:
        for problem in problems:
            if problem.kind == "duplicate-key":
                args = {"key": problem.detail}
                first = problem.related or problem.span
                related = (Related(label, first.shift(base), "related", args),)
                span = problem.span.shift(base)
                yield Problem(self.code, label, span, "message", args, related)

"""A YAML mapping contains the same key twice.

## What it does
Looks for equal keys in one mapping of the frontmatter, and in the block of a
temporary agent. Two agents of the same name are MSG014.

## Why it matters
YAML cannot keep both: the last one is used, and the other one is silently lost.

## Example
```markdown
---
default_agent: writer
default_agent: critic
---
```
Use instead:
```markdown
---
default_agent: critic
---
```

## Fix safety
There is no fix: only the author knows which of the two was meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgls.formats.base import CellRole
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.rules.base import CellRule, Problem, Related, Severity, Subject
from msgls.rules.topics import Topic

if TYPE_CHECKING:
    from msgls.formats.msgmd.yamltree import FrontmatterProblem


class DuplicateFrontmatterKey(CellRule):
    """See the module."""

    code = "MSG002"
    name = "duplicate-frontmatter-key"
    severity = Severity.WARNING
    texts = {
        "message": "duplicate key `{key}`: this value replaces the earlier one",
        "related": "the key `{key}` is first used here",
    }
    roles = (CellRole.PREAMBLE, CellRole.MESSAGE, CellRole.CODE)
    wants = Topic.PREAMBLE | Topic.AGENT

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Keys that stand again, in the frontmatter or in the cell's own block."""
        if subject.role is CellRole.PREAMBLE:
            if subject.cell.frontmatter is not None:
                frontmatter = frontmatter_of(subject.document)
                if frontmatter is not None and frontmatter.closed:
                    yield from self._duplicates(subject.order, frontmatter.problems, 0)
        elif subject.value("definition") == "agent":
            block = subject.cell.agent_block
            if block is not None:
                from msgls.formats.msgmd.frontmatter import parse_agent_block

                found = parse_agent_block(block.of(subject.cell.text)).problems
                yield from self._duplicates(subject.order, found, block.start)

    def _duplicates(
        self, order: int, problems: tuple[FrontmatterProblem, ...], base: int
    ) -> Iterator[Problem]:
        for problem in problems:
            if problem.kind == "duplicate-key":
                args = {"key": problem.detail}
                first = problem.related or problem.span
                related = (Related(order, first.shift(base), "related", args),)
                span = problem.span.shift(base)
                yield Problem(self.code, order, span, "message", args, related)

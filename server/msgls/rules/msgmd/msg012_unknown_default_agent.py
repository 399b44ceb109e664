"""The default agent does not exist.

## What it does
Looks at the name in `default_agent` in the frontmatter. It must be an agent of the
frontmatter, a temporary agent of the file, a model of one of them, or an agent of the
nearest `agents.json`.

## Why it matters
The default agent answers a message that names no other agent. If it does not exist,
nobody can answer.

## Example
```markdown
---
default_agent: writter
agents:
  writer: {models: [gpt-4o]}
---
```
Use instead:
```markdown
---
default_agent: writer
agents:
  writer: {models: [gpt-4o]}
---
```

## Fix safety
Not safe: only the author knows which agent was meant. There is a fix for each agent
that exists, the most similar name first.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.agents import temporary_agents
from msgls.formats.msgmd.meaning import frontmatter_of, is_registered
from msgls.formats.msgmd.yamledits import yaml_scalar
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.text.similar import closest
from msgls.text.spans import Edit


class UnknownDefaultAgent(CellRule):
    code = "MSG012"
    name = "unknown-default-agent"
    severity = Severity.ERROR
    texts = {
        "message": "the default agent `{name}` does not exist: register it, or choose another",
        "fix.choose": "Make `{name}` the default agent",
    }
    roles = (CellRole.PREAMBLE,)

    def check(self, subject: Subject) -> Iterator[Problem]:
        if subject.cell.frontmatter is None:
            return
        frontmatter = frontmatter_of(subject.document)
        # Of a block that breaks off, nobody knows which agents it would have had.
        if frontmatter is None or not frontmatter.closed or not frontmatter.complete:
            return
        default = frontmatter.default_agent
        if default is not None and not is_registered(subject.document, default.text):
            yield self.problem(subject.label, default.span, name=default.text)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        span = problem.span.shift(document.cell(problem.label).start_offset)
        names = _agents(document)
        near = closest(problem.args["name"], names, limit=len(names))
        for name in dict.fromkeys([*near, *names]):
            yield Fix.of("fix.choose", Edit(span, yaml_scalar(name)), name=name)


def _agents(document: Document) -> list[str]:
    """The file's agents in order, then those from outside."""
    frontmatter = frontmatter_of(document)
    names = [] if frontmatter is None else [agent.name for agent in frontmatter.agents]
    others = {*document.index.names("agent")} - {*names}
    temporary = {name: temporary_agents(document, name) for name in others}
    names += sorted(
        [name for name, cells in temporary.items() if cells],
        key=lambda name: (temporary[name][0].label, name),
    )
    return list(dict.fromkeys([*names, *sorted(document.agents_around)]))

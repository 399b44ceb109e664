"""An agent has an unknown attribute.

## What it does
Looks for attributes of an agent, in the frontmatter and in the YAML block of a
temporary agent, other than `models`, `context_window`, `max_output_tokens`,
`reasoning`, `use_temperature`, `temperature` and `system_prompt`.

## Why it matters
An unknown attribute has no effect, and is nearly always a typo: with `temprature: 0`
the agent runs at its usual temperature.

## Example
```markdown
---
agents:
  writer:
    models: [gpt-4o]
    temprature: 0
---
```
Use instead:
```markdown
---
agents:
  writer:
    models: [gpt-4o]
    temperature: 0
---
```

## Fix safety
Not safe: with the right name the value takes effect, and the agent behaves differently.
A single name in `model` becomes a list in `models`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgls.document.snapshot import Snapshot
from msgls.formats.agents import AGENT_ATTRIBUTES
from msgls.formats.base import Placed
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.msgmd.agents import AgentRule, read_block
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import AgentProblem, YamlEntry


class UnknownAgentAttribute(AgentRule):
    code = "MSG011"
    name = "unknown-agent-attribute"
    severity = Severity.WARNING
    texts = {
        "message": "unknown agent attribute `{attribute}`",
        "message.near": "unknown agent attribute `{attribute}`: did you mean `{near}`?",
        "fix.rename": "Change to `{near}`",
    }

    def check(self, subject: Subject) -> Iterator[Problem]:
        frontmatter, block = self.frontmatter(subject), self.block(subject)
        for agent in () if frontmatter is None else frontmatter.agents:
            yield from self._unknown(subject.label, agent.problems, agent.attributes, 0)
        if block is not None:
            read, base = block
            yield from self._unknown(subject.label, read.agent_problems, read.attributes, base)

    def _unknown(
        self,
        label: int,
        problems: Iterable[AgentProblem],
        attributes: Iterable[YamlEntry],
        base: int,
    ) -> Iterator[Problem]:
        for problem in problems:
            if problem.kind != "unknown-attribute":
                continue
            near = _candidates(problem.key, {attribute.key for attribute in attributes}, base > 0)
            span = problem.span.shift(base)
            if near:
                args = {"attribute": problem.key, "near": near[0]}
                yield Problem(self.code, label, span, "message.near", args, data=tuple(near))
            else:
                yield self.problem(label, span, attribute=problem.key)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        placed = snapshot.document.cell(problem.label)
        span = problem.span.shift(placed.start_offset)
        for near in problem.data or ():
            edits = [Edit(span, near)]
            if near == "models":
                edits += _listed(placed, problem.span)
            yield Fix.of("fix.rename", *edits, near=near)


def _listed(placed: Placed, key: Span) -> Iterator[Edit]:
    """The brackets that make the one model of the attribute at ``key`` a list."""
    for entry, base in _entries(placed):
        value = entry.value
        if entry.key_span.shift(base) != key or value.kind != "scalar" or value.is_null:
            continue
        start, end = value.span.shift(base + placed.start_offset)
        if not value.is_alias:
            yield Edit(Span(start, start), "[")
            yield Edit(Span(end, end), "]")


def _entries(placed: Placed) -> Iterator[tuple[YamlEntry, int]]:
    """The attributes of all agents that a cell registers or defines, and what they count from."""
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    cell = placed.cell
    block = read_block(cell)
    if cell.frontmatter is not None:
        start = cell.frontmatter.start
        for agent in parse_frontmatter(cell.frontmatter.of(cell.text), True).agents:
            yield from [(entry, start) for entry in agent.attributes]
    elif block is not None:
        yield from [(entry, block[1]) for entry in block[0].attributes]


def _candidates(key: str, taken: set[str], is_temporary: bool) -> list[str]:
    """Known attributes that are nearly spelled so, without those that the agent has already."""
    refused = {"system_prompt"} if is_temporary else set()
    return closest(key, [a for a in AGENT_ATTRIBUTES if a not in taken | refused])

"""An attribute of an agent has an invalid value.

## What it does
Checks the agents of the frontmatter and the YAML block of a temporary agent: `models`
is a list of at least one name, `context_window` and `max_output_tokens` are positive
whole numbers, `reasoning` and `use_temperature` are `true` or `false`, `temperature` is
a number from 0 to 2, `system_prompt` is text. `agents` itself must be a mapping or a
list, and `default_agent` a name. A block that is not valid YAML is reported too.

## Why it matters
A program that starts the agent fails on such a value, or treats it as something else:
`"8000"` in quotes is a string, not a number.

## Example
```markdown
---
agents:
  writer:
    models: gpt-4o
    temperature: 3
---
```
Use instead:
```markdown
---
agents:
  writer:
    models: [gpt-4o]
    temperature: 1.5
---
```

## Fix safety
There is no fix: only the author knows the right value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.msgmd.agents import AgentRule
from msgls.text.phrases import as_phrase

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import AgentProblem

_ATTRIBUTES = frozenset(
    {
        "models",
        "context_window",
        "max_output_tokens",
        "reasoning",
        "use_temperature",
        "temperature",
        "system_prompt",
        "default_agent",
    }
)


class InvalidAgent(AgentRule):
    code = "MSG010"
    name = "invalid-agent"
    severity = Severity.ERROR
    texts = {
        "message.models": "`models` must be a list of model names, at least one",
        "message.model": "the name of a model must be text",
        "message.context_window": "`context_window` must be a positive whole number",
        "message.max_output_tokens": "`max_output_tokens` must be a positive whole number",
        "message.reasoning": "`reasoning` must be `true` or `false`",
        "message.use_temperature": "`use_temperature` must be `true` or `false`",
        "message.temperature": "`temperature` must be a number from 0 to 2",
        "message.system_prompt": "`system_prompt` must be text",
        "message.default_agent": "`default_agent` must be the name of an agent",
        "message.agents": (
            "`agents` must be a mapping of names to attributes, or a list with a `name` in each"
        ),
        "message.agent": "the agent `{attribute}` must be a mapping of attributes",
        "message.name": "this agent has no name",
        "message.block": "the block of an agent must consist of `key: value` pairs",
        "message.yaml": "the block of the agent is not valid YAML: {detail}",
    }

    def check(self, subject: Subject) -> Iterator[Problem]:
        for read, base in self.readings(subject):
            # Those of the frontmatter have rules of their own.
            for problem in read.problems if base else ():
                span = problem.span.shift(base)
                if problem.kind == "invalid-yaml":
                    detail = as_phrase(problem.detail)
                    yield self.problem(subject.label, span, "message.yaml", detail=detail)
                elif problem.kind == "not-a-mapping":
                    yield self.problem(subject.label, span, "message.block")
            for found in read.agent_problems:
                key = _key(found)
                if key is not None:
                    span = found.span.shift(base)
                    yield self.problem(subject.label, span, key, attribute=found.key)


def _key(problem: AgentProblem) -> str | None:
    """Which text says what is expected there."""
    if problem.kind == "missing-name":
        return "message.name"
    if problem.kind == "not-a-mapping":
        return "message.agents" if problem.key == "agents" else "message.agent"
    if problem.kind != "invalid-value" or problem.key not in _ATTRIBUTES:
        return None
    if problem.key == "models" and problem.expected == "text":
        return "message.model"
    return f"message.{problem.key}"

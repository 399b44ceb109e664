"""An agent answers that nobody registered.

## What it does
Looks at every answer. Its type is the name of an agent: one in the frontmatter, a
temporary one that a cell further up defines, a model of one of them, or one that
`agents.json` registers. Where the id is that of a run, such as `c1.1`, the type is
rather a language that is not known: that is MSG111.

## Why it matters
What is not registered has no models, no context window and no system prompt. More
often than not the name is just misspelt, and the answer is taken for somebody
else's.

## Example
```markdown
---
agents:
  helper: {}
---

# %%% An answer[^a1]

[^a1]: [hleper]
```
Use instead:
```markdown
# %%% An answer[^a1]

[^a1]: [helper]
```

## Fix safety
Not safe: whether the name is misspelt or the agent is missing, only the author
knows. One fix registers the agent in the frontmatter; the others take the name of an
agent that is registered. Where the type is `markdown`, `code` or `raw`, another fix makes
the cell a message, with `%%`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.formats.msgmd.meaning import (
    MESSAGE_TYPES,
    TOOL,
    CellRole,
    definition_of,
    is_registered,
)
from msgls.formats.msgmd.register import register_agent
from msgls.model.cells import CellKind
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject, Surroundings
from msgls.rules.definitions import cell_of, problem_at, reported_definition
from msgls.rules.msgmd.ids import is_unknown_run
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span


class UnregisteredAgent(CellRule):
    """See the module."""

    code = "MSG202"
    name = "unregistered-agent"
    severity = Severity.WARNING
    roles = (CellRole.ANSWER,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        """A name that cannot answer here."""
        if subject.definition is None or subject.definition.type is None:
            return ()
        name = subject.definition.type
        if name in subject.surroundings.other_agents:
            return ()
        if can_answer(subject.document, name, subject.order):
            return ()
        if is_unknown_run(subject.cell.id or "") and not is_registered(subject.document, name):
            return ()
        definition = reported_definition(subject)
        if definition is None or definition.type_span is None:
            return ()
        related = _defined_later(subject.document, name)
        key = "message.early" if related else "message"
        if not related and name in MESSAGE_TYPES:
            key = "message.type"
        return (problem_at(self, subject, definition.type_span, key, related, name=name),)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Take the name of a registered agent, or register this one."""
        name = problem.args["name"]
        placed = cell_of(document, problem)
        span = problem.span.shift(document.cell(problem.order).start_offset)
        header = placed.cell.header
        is_dotted = "." in (placed.cell.id or "")
        if problem.key == "message.type" and header is not None and not is_dotted:
            end = header.percents.end + placed.start_offset
            yield Fix.of("fix.message", Edit(Span(end - 1, end), ""))
        candidates = [
            agent
            for agent in agents_registered(document, surroundings)
            if agent in surroundings.other_agents or can_answer(document, agent, placed.order)
        ]
        if is_dotted:
            candidates.append(TOOL)
        for agent in closest(name, candidates):
            yield Fix("fix.name", (Edit(span, agent),), False, {"name": agent})
        edit = register_agent(document, name)
        if edit is not None:
            yield Fix("fix.register", (edit,), False, {"name": name})


def can_answer(document: Document, name: str, order: int) -> bool:
    """Whether ``name`` is registered for the cell with that label.

    A temporary agent can answer from its definition on, and so can its models.
    """
    if any(entry.order < order for entry in document.entries("model", name)):
        return True
    for entry in document.entries("agent", name):
        for cell_id in entry.payloads:
            if cell_id is None:
                return True
            for header in document.entries("header", str(cell_id)):
                if header.order < order and CellKind.MESSAGE.value in header.payloads:
                    return True
    return False


def agents_registered(document: Document, surroundings: Surroundings) -> list[str]:
    """Every name that is registered somewhere, sorted."""
    inside = {name for relation, name in document.index if relation in ("agent", "model")}
    return sorted(inside | surroundings.other_agents)


def _defined_later(document: Document, name: str) -> tuple[Related, ...]:
    """The cells that define ``name``; asked only where none of them stands further up."""
    found: list[Related] = []
    for entry in document.entries("agent", name):
        for cell_id in entry.payloads:
            for header in document.entries("header", str(cell_id)):
                found += _related(document, header.order)
    return tuple(found[:1])


def _related(document: Document, order: int) -> Iterator[Related]:
    placed = document.cell(order)
    definition = definition_of(document, placed)
    is_message = placed.cell.kind is CellKind.MESSAGE
    if is_message and definition is not None and definition[1].order == order:
        name = definition[0].get("name")
        if name is not None:
            yield Related(order, name.value_span, "related", {"name": name.value})

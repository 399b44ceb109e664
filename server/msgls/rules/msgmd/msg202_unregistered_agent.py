"""An answer comes from an agent that is not registered.

## What it does
Looks at the type of every answer. It must be a registered agent: one in the
frontmatter, a temporary agent defined further up, a model of one of them, or an agent
of the nearest `agents.json`. Each name is reported once, at its first answer, and its
other answers are shown as related. If no agent is registered at all, `assistant` needs
no registration. If the id is that of a run, such as `c1.1`, the type is more likely an
unknown language: that is MSG111.

## Why it matters
An unregistered agent has no models, no context window and no system prompt. More often
than not the name is just misspelled, and the answer is taken for another agent's.

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
---
agents:
  helper: {}
---

# %%% An answer[^a1]

[^a1]: [helper]
```

## Fix safety
Not safe: only the author knows whether the name is misspelled or the agent is missing.
One fix registers the agent in the frontmatter, one defines it as a temporary agent in a
cell before its first answer, and the others change the name to that of a registered
agent. If it is the first one of the file, and `assistant` has answered, that is
registered with it. If the type is `markdown`, `code` or `raw`, another fix makes the
cell a message, with `%%`.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.edits import insert_before
from msgls.formats.msgmd.meaning import (
    MESSAGE_TYPES,
    TOOL,
    can_answer,
    definition_of,
)
from msgls.formats.msgmd.register import register_agent, register_default, temporary_agent
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject
from msgls.rules.definitions import cell_of, problem_at, reported_definition
from msgls.rules.msgmd.unregistered import is_unregistered, unregistered_answers
from msgls.syntax.cells import CellKind
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span

# The fixes register it for all, so a list of hundreds would not help.
_MOST_RELATED = 20


class UnregisteredAgent(CellRule):
    code = "MSG202"
    name = "unregistered-agent"
    severity = Severity.WARNING
    texts = {
        "message": "`{name}` is not a registered agent",
        "message.type": (
            "`{name}` is a message type, but an output names its agent: did you mean `%%`?"
        ),
        "message.early": "`{name}` answers before it is defined",
        "related": "`{name}` is defined here",
        "related.again": "`{name}` also answers here",
        "fix.name": "Change to `{name}`",
        "fix.temporary": "Define `{name}` as a temporary agent in a cell before this one",
        "fix.message": "Make it a message, with `%%`",
        "fix.register": "Register `{name}` in the frontmatter",
    }
    roles = (CellRole.ANSWER,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        name = subject.meaning.type
        if name is None or not is_unregistered(subject.document, subject.meaning):
            return ()
        definition = reported_definition(subject)
        if definition is None or definition.type_span is None:
            return ()
        if name in MESSAGE_TYPES:
            span = definition.type_span
            return (problem_at(self, subject, span, "message.type", name=name),)
        answers = list(islice(unregistered_answers(subject.document, name), _MOST_RELATED + 1))
        if answers and answers[0].placed.label != subject.label:
            return ()
        defined = _defined_later(subject.document, name)
        key = "message.early" if defined else "message"
        related = (*defined, *[_again(answer) for answer in answers[1:]])
        return (problem_at(self, subject, definition.type_span, key, related, name=name),)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        name = problem.args["name"]
        placed = cell_of(document, problem)
        span = problem.span.shift(document.cell(problem.label).start_offset)
        header = placed.cell.header
        is_dotted = "." in (placed.cell.id or "")
        if problem.key == "message.type" and header is not None and not is_dotted:
            end = header.percents.end + placed.start_offset
            yield Fix.of("fix.message", Edit(Span(end - 1, end), ""))
        candidates = [
            agent
            for agent in agents_registered(document)
            if can_answer(document, agent, placed.label)
        ]
        if is_dotted:
            candidates.append(TOOL)
        for agent in closest(name, candidates):
            yield Fix.of("fix.name", Edit(span, agent), name=agent)
        edit = register_agent(document, name)
        if edit is not None:
            yield Fix.of("fix.register", edit, name=name)
        if problem.key == "message" and not is_dotted:
            edit = insert_before(document, placed, temporary_agent(document, name))
            yield Fix.of("fix.temporary", *register_default(document), edit, name=name)


def _again(meaning: Meaning) -> Related:
    """Where the type of another answer is."""
    holder = meaning.holder or meaning.placed
    definition = meaning.definition
    assert definition is not None, "an answer without a definition names no agent"
    span = definition.type_span or definition.span
    return Related(holder.label, span, "related.again", {"name": meaning.type or ""})


def agents_registered(document: Document) -> list[str]:
    """Every name that is registered somewhere, sorted."""
    return sorted(document.agents_around.union(document.index.names("agent", "model")))


def _defined_later(document: Document, name: str) -> tuple[Related, ...]:
    """The cells that define ``name``; asked only where none of them is further up."""
    found: list[Related] = []
    for entry in document.entries("agent", name):
        for cell_id in entry.payloads:
            for header in document.entries("header", str(cell_id)):
                found += _related(document, header.label)
    return tuple(found[:1])


def _related(document: Document, label: int) -> Iterator[Related]:
    placed = document.cell(label)
    definition = definition_of(document, placed)
    is_message = placed.cell.kind is CellKind.MESSAGE
    if is_message and definition is not None and definition[1].label == label:
        name = definition[0].get("name")
        if name is not None:
            yield Related(label, name.value_span, "related", {"name": name.value})

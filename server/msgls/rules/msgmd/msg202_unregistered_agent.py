"""An answer comes from an agent that is not registered.

## What it does
Looks at every answer. Its type is the name of an agent: one in the frontmatter, a
temporary one that a cell further up defines, a model of one of them, or one that
`agents.json` registers. Each name is reported once, at its first answer, and the other
answers are named beside it. Where no agent is registered, neither in the file nor
around it, `assistant` needs no registration. Where the id is that of a run, such as
`c1.1`, the type is rather a language that is not known: that is MSG111.

## Why it matters
What is not registered has no models, no context window and no system prompt. More often
than not the name is just misspelled, and the answer is treated as somebody else's.

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
Not safe: whether the name is misspelled or the agent is missing, only the author knows.
One fix registers the agent in the frontmatter, one records a temporary agent in a cell
before its first answer; the others take the name of an agent that is registered. Where
the type is `markdown`, `code` or `raw`, another fix makes the cell a message, with
`%%`.
"""

from __future__ import annotations

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
    is_registered,
    meaning_of,
)
from msgls.formats.msgmd.register import register_agent, temporary_agent
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject
from msgls.rules.definitions import cell_of, problem_at, reported_definition
from msgls.rules.msgmd.ids import is_unknown_run
from msgls.rules.msgmd.stale import MOST_OF_TYPE
from msgls.syntax.cells import CellKind
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span

# The fixes register it for all; a list of hundreds helps nobody.
_MOST_RELATED = 20


class UnregisteredAgent(CellRule):
    """See the module."""

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
        """A name that cannot answer here."""
        name = subject.meaning.type
        if name is None or not _is_stranger(subject.document, subject.meaning):
            return ()
        definition = reported_definition(subject)
        if definition is None or definition.type_span is None:
            return ()
        if name in MESSAGE_TYPES:
            span = definition.type_span
            return (problem_at(self, subject, span, "message.type", name=name),)
        answers = list(islice(strangers(subject.document, name), _MOST_RELATED + 1))
        if answers and answers[0].placed.order != subject.order:
            return ()
        defined = _defined_later(subject.document, name)
        key = "message.early" if defined else "message"
        related = (*defined, *[_again(answer) for answer in answers[1:]])
        return (problem_at(self, subject, definition.type_span, key, related, name=name),)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """Take the name of a registered agent, or register this one."""
        document = snapshot.document
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
            for agent in agents_registered(document)
            if can_answer(document, agent, placed.order)
        ]
        if is_dotted:
            candidates.append(TOOL)
        for agent in closest(name, candidates):
            yield Fix("fix.name", (Edit(span, agent),), False, {"name": agent})
        edit = register_agent(document, name)
        if edit is not None:
            yield Fix("fix.register", (edit,), False, {"name": name})
        if problem.key == "message" and not is_dotted:
            edit = insert_before(document, placed, temporary_agent(document, name))
            yield Fix("fix.temporary", (edit,), False, {"name": name})


def _is_stranger(document: Document, meaning: Meaning) -> bool:
    """Whether a cell is the answer of somebody who cannot answer there."""
    name, cell_id = meaning.type, meaning.cell.id or ""
    if name is None or meaning.role is not CellRole.ANSWER:
        return False
    if can_answer(document, name, meaning.placed.order):
        return False
    return not is_unknown_run(cell_id) or is_registered(document, name)


def strangers(document: Document, name: str) -> Iterator[Meaning]:
    """The answers of ``name`` that it cannot give, in order; those far down are not looked for."""
    for entry in document.entries("typed", name)[:MOST_OF_TYPE]:
        for cell_id in entry.payloads[:MOST_OF_TYPE]:
            for header in document.entries("header", str(cell_id)):
                meaning = meaning_of(document, document.cell(header.order))
                if meaning.type == name and _is_stranger(document, meaning):
                    yield meaning


def _again(meaning: Meaning) -> Related:
    """Where the type of another answer stands."""
    holder = meaning.holder or meaning.placed
    definition = meaning.definition
    assert definition is not None, "an answer without a definition names nobody"
    span = definition.type_span or definition.span
    return Related(holder.order, span, "related.again", {"name": meaning.type or ""})


def agents_registered(document: Document) -> list[str]:
    """Every name that is registered somewhere, sorted."""
    inside = {name for relation, name in document.index if relation in ("agent", "model")}
    return sorted(inside | document.agents_around)


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

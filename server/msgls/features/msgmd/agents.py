"""The agents that a message file involves, and which of them is the default.

Owns the list of all of them: registered in the frontmatter, defined by a cell, registered by
``agents.json``, or only found as the author of an answer. Setting the default edits only
``default_agent`` in the frontmatter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.agents import Agent, Origin
from msgls.features.commands import RefusedError
from msgls.features.msgmd.appending import check_name
from msgls.features.msgmd.cells import insert_below
from msgls.formats.base import CellRole
from msgls.formats.msgmd.agents import agent_attribute, block_settings, temporary_agents
from msgls.formats.msgmd.edits import insert_before
from msgls.formats.msgmd.frontmatter import Frontmatter, parse_frontmatter
from msgls.formats.msgmd.meaning import frontmatter_of, meaning_of
from msgls.formats.msgmd.register import register_agent, register_default, temporary_agent
from msgls.formats.msgmd.yamledits import yaml_scalar
from msgls.rules.msgmd.unregistered import unregistered_answers
from msgls.syntax.cells import CellKind
from msgls.text.spans import Edit, Span, apply_edits

_KEY = "default_agent"
_BOM = "\ufeff"


def involved_agents(snapshot: Snapshot) -> list[Agent]:
    """Every agent, each once: those of the file first."""
    document = snapshot.document
    frontmatter = frontmatter_of(document)
    default = None if frontmatter is None else frontmatter.default_agent_name
    answers, first_lines = _answers(document)
    found: dict[str, Agent] = {}
    for agent in _defined(document, frontmatter):
        known = found.get(agent.name)
        if known is None:
            found[agent.name] = agent
        elif agent.models:
            found[agent.name] = known._replace(models=agent.models)
    for name in sorted(document.agents_around):
        found.setdefault(name, Agent(name, Origin.AGENTS_FILE))
    models = {model for agent in found.values() for model in agent.models}
    for name, line in first_lines.items():
        origin = Origin.MODEL if name in models else Origin.ANSWERS
        found.setdefault(name, Agent(name, origin, line=line))
    return [
        agent._replace(answers=answers[agent.name], is_default=agent.name == default)
        for agent in found.values()
    ]


def _defined(document: Document, frontmatter: Frontmatter | None) -> Iterator[Agent]:
    for entry in () if frontmatter is None else frontmatter.agents:
        line = document.position_of(entry.name_span.start).line
        yield Agent(entry.name, Origin.FRONTMATTER, tuple(entry.values.models), line)
    for placed in document.cells():
        attribute = agent_attribute(document, placed)
        if attribute is not None:
            models = tuple(block_settings(placed).models)
            yield Agent(attribute.value, Origin.CELL, models, placed.start_line)


def _answers(document: Document) -> tuple[Counter[str], dict[str, int]]:
    """How often each agent answers, and on which line first."""
    counted: Counter[str] = Counter()
    first_lines: dict[str, int] = {}
    for placed in document.cells():
        if placed.cell.kind is not CellKind.OUTPUT:
            continue
        meaning = meaning_of(document, placed)
        if meaning.role is CellRole.ANSWER and meaning.type is not None:
            counted[meaning.type] += 1
            first_lines.setdefault(meaning.type, placed.start_line)
    return counted, first_lines


def add_agent(
    snapshot: Snapshot, name: str, models: Sequence[str], temporary: bool, offset: int | None = None
) -> list[Edit]:
    """The edits that add an agent: to the frontmatter, or in a cell for this conversation."""
    document = snapshot.document
    check_name(name)
    frontmatter = frontmatter_of(document)
    registered = [agent.name for agent in frontmatter.agents] if frontmatter is not None else []
    if name in registered or temporary_agents(document, name):
        raise RefusedError("an agent named `{name}` already exists", name=name)
    if not temporary:
        edit = register_agent(document, name, models)
        if edit is None:
            raise RefusedError("the frontmatter cannot be read, so it cannot be changed")
        return [edit]
    text = temporary_agent(document, name, models)
    answer = next(unregistered_answers(document, name), None)
    if answer is not None:
        return [*register_default(document), insert_before(document, answer.placed, text)]
    return [*register_default(document), insert_below(document, offset, text)]


def set_default(snapshot: Snapshot, name: str) -> list[Edit] | None:
    """The edit that makes ``name`` the default; ``None`` if the YAML cannot be edited."""
    document = snapshot.document
    first = document.first_cell()
    newline = document.newline
    span = None if first is None else first.cell.frontmatter
    if first is None or span is None:
        at = 1 if first is not None and first.cell.text.startswith(_BOM) else 0
        line = f"{_KEY}: {yaml_scalar(name)}"
        return [Edit(Span(at, at), newline.join(["---", line, "---", "", ""]))]
    text = span.of(first.cell.text)
    before = parse_frontmatter(text, first.cell.frontmatter_closed)
    if not before.closed or not before.complete:
        return None
    if before.default_agent is not None and before.default_agent.text == name:
        return []
    edit = _edit(before, text, name, newline)
    after = parse_frontmatter(apply_edits(text, [edit]), True)
    # Parsed again: if the edit does not have the intended effect, the frontmatter is left alone.
    same = [agent.name for agent in after.agents] == [agent.name for agent in before.agents]
    problems = len(after.problems) <= len(before.problems)
    if not same or not problems or after.default_agent_name != name:
        return None
    return [Edit(edit.span.shift(span.start), edit.text)]


def _edit(frontmatter: Frontmatter, text: str, name: str, newline: str) -> Edit:
    entries = [entry for entry in frontmatter.entries if entry.key == _KEY]
    if not entries:
        at = frontmatter.body.start
        return Edit(Span(at, at), f"{_KEY}: {yaml_scalar(name)}{newline}")
    value = entries[-1].value_span
    apart = " " if value.start == value.end and text[value.start - 1] == ":" else ""
    return Edit(value, apart + yaml_scalar(name))

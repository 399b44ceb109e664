"""The outline of ``agents.json``: agents, each with its boot message, and that with its tasks."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.markup import one_line
from msgls.features.outline import Symbol, SymbolKind
from msgls.formats.agentsjson.cells import (
    Agent,
    AgentsCell,
    PlacedAgent,
    TaskPlace,
    name_member,
    tasks,
)
from msgls.formats.agentsjson.greetings import TEXT_KEYS
from msgls.formats.base import Placed
from msgls.formats.jsontree import JsonValue
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase
from msgls.text.spans import Span


def symbols(snapshot: Snapshot, placed: Placed) -> Iterator[Symbol]:
    """The agents, each with its boot message and the tasks of that."""
    cell = placed.cell
    for number, agent in enumerate(cell.agents if isinstance(cell, AgentsCell) else (), 1):
        if agent.agent.value.kind == "object":
            for symbol in _agent(agent, number):
                end = agent.start + symbol.end
                yield symbol._replace(selection=symbol.selection.shift(agent.start), end=end)


def _agent(placed: PlacedAgent, number: int) -> Iterator[Symbol]:
    agent = placed.agent
    member = name_member(agent)
    selection = Span(0, 1) if member is None else member.value.inside
    name = one_line(agent.name or "").strip() or Phrase("agent {number}", number=number)
    path = agent.value.member("path")
    detail = _short((None if path is None else agent.string(path.value)) or "")
    yield Symbol(name, detail, SymbolKind.AGENT, selection, len(agent.text), 1)
    boot = agent.boot
    if boot is None or agent.boot_message is None:
        return
    said = _short(boot_text(agent))
    name = Phrase("boot message")
    yield Symbol(name, said, SymbolKind.MESSAGE, boot.key_span, boot.span.end, 2)
    for task_number, task in enumerate(tasks(agent), 1):
        yield _task(agent, task, task_number)


def _task(agent: Agent, task: TaskPlace, number: int) -> Symbol:
    kind = task.task.member("type")
    said = (None if kind is None else agent.string(kind.value)) or ""
    words = [task.name if task.name != task.shown else "", said.lower()]
    name = one_line(task.shown).strip() or Phrase("task {number}", number=number)
    detail = _short(" · ".join([word for word in words if word]))
    end = task.around.span.end
    return Symbol(name, detail, SymbolKind.CALL, _selection(task.around), end, 3)


def _selection(around: JsonValue) -> Span:
    name = around.member("name")
    if name is not None and name.value.kind == "string":
        return name.value.inside
    return Span(around.span.start, min(around.span.start + 1, around.span.end))


def boot_text(agent: Agent) -> str:
    """The text of an agent's boot message."""
    boot = agent.boot_message
    members = [] if boot is None else [boot.member(key) for key in TEXT_KEYS]
    said = [agent.string(member.value) for member in members if member is not None]
    return next((text for text in said if text), "")


def _short(text: str) -> str:
    return shorten(one_line(text.strip()))

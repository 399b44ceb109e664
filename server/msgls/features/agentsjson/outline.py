"""The outline of ``agents.json``: agents, below each its boot message, and below that its tasks."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.agentsjson.places import cell_of
from msgls.features.markup import one_line
from msgls.features.outline import NodeKind, OutlineNode
from msgls.formats.agentsjson.cells import Agent, AgentsCell, Placed
from msgls.formats.agentsjson.greetings import TEXT_KEYS
from msgls.formats.agentsjson.tasks import TaskPlace, name_member, tasks
from msgls.formats.base import Placed as PlacedCell
from msgls.formats.jsontree import JsonValue
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

_LONGEST_DETAIL = 80


def outline(snapshot: Snapshot) -> list[OutlineNode]:
    """The agents, in order."""
    document = snapshot.document
    first, cell = document.first_cell(), cell_of(document)
    if first is None or cell is None:
        return []
    return [_agent(first, cell, placed) for placed in cell.agents if _is_object(placed)]


def _is_object(placed: Placed) -> bool:
    return placed.agent.value.kind == "object"


def _agent(first: PlacedCell, cell: AgentsCell, placed: Placed) -> OutlineNode:
    agent, start = placed.agent, placed.start
    member = name_member(agent)
    selection = Span(0, 1) if member is None else member.value.inside
    name = one_line(agent.name or "").strip()
    if not name:
        name = Phrase("agent {number}", number=cell.agents.index(placed) + 1)
    path = agent.value.member("path")
    node = OutlineNode(
        name,
        _short((None if path is None else agent.string(path.value)) or ""),
        NodeKind.AGENT,
        first,
        selection.shift(start),
        (first, placed.span.end),
    )
    boot = None if agent.boot is None or agent.boot_message is None else _boot(first, placed)
    node.children = [] if boot is None else [boot]
    return node


def _boot(first: PlacedCell, placed: Placed) -> OutlineNode | None:
    agent, start = placed.agent, placed.start
    if agent.boot is None:
        return None
    node = OutlineNode(
        Phrase("boot message"),
        _short(boot_text(agent)),
        NodeKind.MESSAGE,
        first,
        agent.boot.key_span.shift(start),
        (first, start + agent.boot.span.end),
    )
    node.children = [
        _task(first, agent, task, start, number) for number, task in enumerate(tasks(agent), 1)
    ]
    return node


def _task(first: PlacedCell, agent: Agent, task: TaskPlace, start: int, number: int) -> OutlineNode:
    kind = task.task.member("type")
    said = (None if kind is None else agent.string(kind.value)) or ""
    words = [task.name if task.name != task.shown else "", said.lower()]
    return OutlineNode(
        one_line(task.shown).strip() or Phrase("task {number}", number=number),
        _short(" · ".join([word for word in words if word])),
        NodeKind.CALL,
        first,
        _selection(task.around).shift(start),
        (first, start + task.around.span.end),
    )


def _selection(around: JsonValue) -> Span:
    name = around.member("name")
    if name is not None and name.value.kind == "string":
        return name.value.inside
    return Span(around.span.start, min(around.span.start + 1, around.span.end))


def boot_text(agent: Agent) -> str:
    """What an agent greets with, as far as it says it."""
    boot = agent.boot_message
    members = [] if boot is None else [boot.member(key) for key in TEXT_KEYS]
    said = [agent.string(member.value) for member in members if member is not None]
    return next((text for text in said if text), "")


def _short(text: str) -> str:
    line = one_line(text.strip())
    return line if len(line) <= _LONGEST_DETAIL else line[: _LONGEST_DETAIL - 1] + "…"

"""Hover in ``agents.json``: what a key means, what an agent is, what a task does."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.agentsjson.outline import boot_text
from msgls.features.agentsjson.shapes import agent_around, cell_of, key_parts, text_around
from msgls.features.hover import Hover
from msgls.features.markup import Block, Code, Part, Strong, item, paragraph
from msgls.formats.agentsjson.cells import Agent, TaskPlace, tasks
from msgls.formats.jsoncursor import KEY, VALUE, spot_at
from msgls.syntax.names import NameKind
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

_MOST_LINES, _MOST_CHARACTERS = 12, 1_000


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """An agent or a task at its name; else the key under the cursor, or the key of its value."""
    cell = cell_of(snapshot.document)
    if cell is None:
        return None
    placed = agent_around(cell, offset)
    for name in cell.names:
        if name.kind is NameKind.AGENT and name.reach.contains(offset) and placed is not None:
            return Hover(name.span, tuple(agent_parts(placed.agent)))
    text, start, path = text_around(cell, placed)
    spot = spot_at(text, offset - start, is_typing=False)
    key = spot.text if spot.wants == KEY else spot.key
    if not spot.is_token or key is None:
        return None
    parts = tuple(key_parts((*path, *spot.path, key)))
    if placed is not None and spot.wants == VALUE:
        parts = tuple(_task_at(placed.agent, spot.span)) or parts
    return Hover(spot.span.shift(start), parts) if parts else None


def agent_parts(agent: Agent) -> Iterator[Part]:
    """What an agent is: its program, and how it greets."""
    yield paragraph(Strong(Phrase("Agent")), " ", Code(agent.name or ""))
    path = agent.value.member("path")
    where = None if path is None else agent.string(path.value)
    if where:
        yield item(Phrase("Program: "), Code(where))
    if agent.boot_message is None:
        yield item(Phrase("No boot message"))
        return
    text = boot_text(agent)
    if text:
        yield paragraph(Phrase("Boot message:"))
        yield Block(_beginning(text))
    offered = [task for task in tasks(agent) if not task.is_next and task.shown]
    if offered:
        yield paragraph(Phrase("Available tasks:"))
        yield from (item(task.shown) for task in offered)


def _task_at(agent: Agent, span: Span) -> Iterator[Part]:
    for task in tasks(agent):
        if task.name_value is not None and task.name_value.span == span:
            yield from _task_parts(agent, task)


def _task_parts(agent: Agent, task: TaskPlace) -> Iterator[Part]:
    yield paragraph(Strong(Phrase("Task")), " ", Code(task.name))
    if task.is_next:
        yield item(Phrase("Runs by itself, after the boot message"))
    elif task.shown and task.shown != task.name:
        yield item(Phrase("Shown as: "), task.shown)
    for key, label in (("type", Phrase("Type: ")), ("message", Phrase("Message: "))):
        member = task.task.member(key)
        said = None if member is None else agent.string(member.value)
        if said:
            yield item(label, said.lower() if key == "type" else said)


def _beginning(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    short = "\n".join(lines[:_MOST_LINES])[:_MOST_CHARACTERS]
    return short if short == "\n".join(lines) else short + " …"

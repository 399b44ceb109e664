"""Hover in ``agents.json``: what a key means, what an agent is, what a task does."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.agentsjson.outline import boot_text
from msgls.features.agentsjson.shapes import Place, agent_name_at, key_parts, place_at
from msgls.features.hover import Hover
from msgls.features.markup import Block, Code, Part, Strong, item, paragraph
from msgls.formats.agentsjson.cells import Agent, TaskPlace, tasks
from msgls.text.phrases import Phrase

_MOST_LINES, _MOST_CHARACTERS = 12, 1_000


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """An agent or a task at its name; else the key under the cursor, or the key of its value."""
    document = snapshot.document
    place = place_at(document, offset)
    if place is None:
        return None
    name = agent_name_at(document, offset)
    if name is not None and place.placed is not None:
        return Hover(name.span, tuple(agent_parts(place.placed.agent)))
    value = place.value
    if place.key_span is not None:
        parts, span = tuple(key_parts(place.path)), place.key_span
    elif value is None or value.kind in ("object", "array", "missing"):
        return None
    else:
        parts = tuple(_task_at(place)) or tuple(key_parts(place.path))
        span = value.span.shift(place.start)
    return Hover(span, parts) if parts else None


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


def _task_at(place: Place) -> Iterator[Part]:
    agent = None if place.placed is None else place.placed.agent
    for task in () if agent is None else tasks(agent):
        if agent is not None and task.name_value is place.value:
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

"""The tasks that the boot message of an agent offers or starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.formats.agentsjson.cells import Agent
from msgls.formats.jsontree import JsonValue, Member


class TaskPlace(NamedTuple):
    """A task of a boot message; spans are relative to its agent."""

    name: str
    shown: str
    """What the user sees of it, or its name again."""
    around: JsonValue
    """The available task, or the task itself."""
    task: JsonValue
    name_value: JsonValue | None
    is_next: bool
    """Whether it runs by itself."""


def name_member(agent: Agent) -> Member | None:
    """The name of an agent, if it has one."""
    member = agent.value.member("name")
    return member if member is not None and agent.name else None


def tasks(agent: Agent) -> Iterator[TaskPlace]:
    """The available tasks of an agent's boot message, then the next ones."""
    for entry in agent.available_tasks():
        task = entry.value if entry.task is None else entry.task.value
        shown = None if entry.name is None else agent.string(entry.name.value)
        member = None if entry.task is None else task.member("name")
        name = (None if member is None else agent.string(member.value)) or ""
        name_value = None if member is None else member.value
        yield TaskPlace(name, shown or name, entry.value, task, name_value, False)
    boot = agent.boot_message
    following = None if boot is None else boot.member("nextTasks")
    for task in () if following is None else following.value.items:
        member = task.member("name")
        name = (None if member is None else agent.string(member.value)) or ""
        if task.kind == "object":
            name_value = None if member is None else member.value
            yield TaskPlace(name, name, task, task, name_value, True)

"""Keys of ``agents.json`` that are misspelt, or stand in the wrong object.

Owns which keys the objects of a boot message know and where each key belongs. Keys that are like
none of these are fine: real files hold many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgls.formats.agentsjson.cells import BOOT, Agent
from msgls.formats.jsontree import JsonValue, Member
from msgls.text.similar import closest

_TASK = {
    "name": "",
    "type": "",
    "message": "",
    "meta": "",
    "host_utils": "",
    "skipUserMessage": "",
    "skipBotMessage": "",
}
_KNOWN: Mapping[str, Mapping[str, str]] = {
    "agent": {"name": "", "path": "", "metadata": "metadata", "settings": "", "operations": ""},
    "metadata": {BOOT: "boot"},
    "boot": {
        "message": "",
        "text": "",
        "isHtml": "",
        "meta": "marks",
        "availableTasks": "offered",
        "nextTasks": "task",
    },
    "marks": {"isBootMessage": "", "isVirtual": ""},
    "offered": {"name": "", "task": "task"},
    "task": _TASK,
}
"""The keys of each kind of object, and the kind of what is below each."""

HOMES: Mapping[str, str] = {
    BOOT: "metadata",
    "isBootMessage": "bootMessage.meta",
    "isVirtual": "bootMessage.meta",
    "isHtml": "bootMessage",
    "availableTasks": "bootMessage",
    "nextTasks": "bootMessage",
    "skipUserMessage": "task",
    "skipBotMessage": "task",
}
"""Where a key belongs whose name says what it is; words such as `name` are everybody's."""


class OddKey(NamedTuple):
    """A key that its object does not know."""

    holder: JsonValue
    member: Member
    near: str
    """The key of that object that is written nearly like it; nothing where it is misplaced."""
    home: str
    """Where it belongs; nothing where it is misspelt."""


def odd_keys(agent: Agent) -> Iterator[OddKey]:
    """Every key of an agent that is misspelt or misplaced."""
    for kind, value in _objects("agent", agent.value):
        known = _KNOWN[kind]
        present = {member.key for member in value.members}
        for member in value.members:
            if member.key in known:
                continue
            if member.key in HOMES:
                yield OddKey(value, member, "", HOMES[member.key])
                continue
            near = closest(member.key, [key for key in known if key not in present], limit=1)
            if near:
                yield OddKey(value, member, near[0], "")


def misspelt(value: JsonValue, key: str) -> Member | None:
    """The member of an object that ``key`` was meant by, where it has no such member."""
    for member in value.members:
        if member.key not in HOMES and closest(member.key, [key], limit=1, most=2):
            return member
    return None


def _objects(kind: str, value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """An object and those below it that the models know, each with its kind."""
    if value.kind == "array":
        for item in value.items:
            yield from _objects(kind, item)
    if value.kind != "object":
        return
    yield kind, value
    for member in value.members:
        below = _KNOWN[kind].get(member.key)
        if below:
            yield from _objects(below, member.value)

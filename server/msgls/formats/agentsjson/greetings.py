"""The agents of a parsed ``agents.json`` and what they greet with, as a message file takes it.

Read from plain data and without the models, since every file that is checked asks for it;
what has another shape than it should is passed over.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgls.formats.agents import Greeting

TEXT_KEYS = ("message", "text")
"""The key of the text of a boot message, and the one that it had once."""


class Registered(NamedTuple):
    """The agents that one file registers, in its order."""

    agents: tuple[str, ...]
    greetings: tuple[Greeting, ...] = ()


def registered_in(content: object) -> Registered | None:
    """The agents that parsed data registers; ``None`` if it is not a list of agents."""
    agents = content.get("agents") if isinstance(content, Mapping) else None
    if not isinstance(agents, list):
        return None
    named = [agent for agent in agents if isinstance(agent, Mapping) and _text(agent.get("name"))]
    # Of two with one name the first is meant, as hosts look for it.
    by_name = {agent["name"]: agent for agent in reversed(named)}
    names = tuple(dict.fromkeys([agent["name"] for agent in named]))
    greetings = [_greeting(name, by_name[name]) for name in names]
    return Registered(names, tuple([found for found in greetings if found is not None]))


def _greeting(name: str, agent: Mapping[str, Any]) -> Greeting | None:
    metadata = agent.get("metadata")
    boot = metadata.get("bootMessage") if isinstance(metadata, Mapping) else None
    if not isinstance(boot, Mapping):
        return None
    said = [text for key in TEXT_KEYS if (text := _text(boot.get(key)))]
    tasks = tuple(_tasks(boot.get("availableTasks")))
    return Greeting(name, said[0] if said else "", tasks) if said or tasks else None


def _tasks(tasks: object) -> Iterator[str]:
    for offered in tasks if isinstance(tasks, list) else ():
        if not isinstance(offered, Mapping):
            continue
        task = offered.get("task")
        name = _text(offered.get("name")) or (
            _text(task.get("name")) if isinstance(task, Mapping) else ""
        )
        if name:
            yield name


def _text(value: object) -> str:
    """A text that says something; nothing for all else."""
    return value if isinstance(value, str) and value.strip() else ""

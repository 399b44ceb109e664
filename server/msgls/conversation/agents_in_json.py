"""The agents of a conversation in the ``meta`` of its first message in JSON.

Owns the two keys of that ``meta``: ``agents``, a list of objects with the attributes
of an agent in camelCase, and ``defaultAgent``.
"""

from collections.abc import Mapping
from typing import Any

from msgls.conversation.parts import Wire
from msgls.formats.agents import AGENT_ATTRIBUTES, Agent, AgentSettings, read_agent_settings

AGENTS, DEFAULT_AGENT = "agents", "defaultAgent"
_TEMPORARY = "temporary"


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join([word.capitalize() for word in others])


_WIRE_NAMES = {_camel(name): name for name in AGENT_ATTRIBUTES}


def agents_to_wire(agents: tuple[Agent, ...], default: str | None) -> Wire:
    """The ``meta`` keys for the agents; empty without agents."""
    if not agents:
        return {}
    default_agent = {DEFAULT_AGENT: default} if default is not None else {}
    return {AGENTS: [_agent_to_wire(agent) for agent in agents], **default_agent}


def _agent_to_wire(agent: Agent) -> Wire:
    defaults = AgentSettings()
    wire: Wire = {"name": agent.name}
    for name, attribute in _WIRE_NAMES.items():
        value = getattr(agent.settings, attribute)
        if value != getattr(defaults, attribute):
            wire[name] = list(value) if isinstance(value, tuple) else value
    return wire | ({_TEMPORARY: True} if agent.is_temporary else {})


def agents_from_wire(meta: Mapping[str, Any]) -> tuple[tuple[Agent, ...], str | None] | None:
    """The agents and the default agent; ``None`` if ``agents`` is not a list of agents of ours."""
    given, default = meta.get(AGENTS), meta.get(DEFAULT_AGENT)
    if not isinstance(given, list) or not given or not isinstance(default, str | None):
        return None
    agents = []
    for wire in given:
        if not isinstance(wire, dict) or not wire.keys() <= {"name", _TEMPORARY, *_WIRE_NAMES}:
            return None
        name = wire.get("name")
        values = {_WIRE_NAMES[key]: value for key, value in wire.items() if key in _WIRE_NAMES}
        settings, problems = read_agent_settings(values)
        if not isinstance(name, str) or problems:
            return None
        agents.append(Agent(name, settings, wire.get(_TEMPORARY) is True))
    return tuple(agents), default

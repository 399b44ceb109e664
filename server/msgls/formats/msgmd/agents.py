"""The agents of a message file: registered in its frontmatter, or defined by a cell.

Owns the answer to "which agent has that name, and what may it do", on top of
any ``View``. What is written in an agent's attributes is read by ``frontmatter``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgls.formats.agents import Agent, AgentSettings
from msgls.formats.base import Placed, View
from msgls.formats.msgmd.meaning import definition_of, frontmatter_of
from msgls.syntax.cells import Attribute, CellKind
from msgls.text.spans import Span

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import AgentEntry, Frontmatter, YamlEntry


class PlacedSpan(NamedTuple):
    """A span, relative to the cell with that label."""

    label: int
    span: Span


class DefaultAgent(NamedTuple):
    """The default agent, as far as it limits what the model sees."""

    name: str
    context_window: int
    max_output_tokens: int
    system_prompt: str
    place: PlacedSpan
    """Where its ``context_window`` is said, else its name."""

    @property
    def budget(self) -> int:
        """How many tokens are left for what the model sees."""
        return max(0, self.context_window - self.max_output_tokens)


def agent_attribute(view: View, placed: Placed) -> Attribute | None:
    """The ``name`` that makes a message cell a temporary agent, or nothing if it is not one."""
    if placed.cell.kind is not CellKind.MESSAGE:
        return None
    found = definition_of(view, placed)
    if found is None or found[0].value("definition") != "agent":
        return None
    name = found[0].get("name")
    return name if name is not None and name.value else None


def temporary_agents(view: View, name: str) -> list[Placed]:
    """The cells that define a temporary agent of that name, in order."""
    labels = {
        header.label
        for entry in view.entries("agent", name)
        for cell_id in entry.payloads
        if cell_id is not None
        for header in view.entries("header", str(cell_id))
    }
    found = []
    for placed in map(view.cell, sorted(labels)):
        attribute = agent_attribute(view, placed)
        if attribute is not None and attribute.value == name:
            found.append(placed)
    return found


def agents_of(view: View) -> tuple[tuple[Agent, ...], str | None]:
    """The agents that a file registers or defines, in that order, and the default one."""
    frontmatter = frontmatter_of(view)
    agents: list[Agent] = []
    default = None
    if frontmatter is not None:
        agents = [Agent(agent.name, agent.values) for agent in frontmatter.agents]
        default = frontmatter.default_agent_name
    for placed in view.cells():
        name = agent_attribute(view, placed)
        if name is not None:
            agents.append(Agent(name.value, block_settings(placed), True))
    if default is None and agents:
        default = agents[0].name
    return tuple(agents), default


def block_settings(placed: Placed) -> AgentSettings:
    """What the block of a temporary agent says."""
    block = placed.cell.agent_block
    if block is None:
        return AgentSettings()
    from msgls.formats.msgmd.frontmatter import parse_agent_block

    return parse_agent_block(block.of(placed.cell.text)).values


def default_agent(view: View) -> DefaultAgent | None:
    """The default agent, where it says how much it can take; nothing else is looked for."""
    frontmatter = frontmatter_of(view)
    name = None if frontmatter is None else frontmatter.default_agent_name
    first = view.first_cell()
    if frontmatter is None or name is None or first is None:
        return None
    sources = list(_settings(view, frontmatter, first, name))
    window, place = None, PlacedSpan(first.label, Span(0, 0))
    most_output, prompt = 0, ""
    # A cell that defines the agent again changes what the frontmatter says, from there on.
    for label, settings, attributes, fallback, base in sources:
        if settings.context_window is not None:
            window = settings.context_window
            written = [a.value_span.shift(base) for a in attributes if a.key == "context_window"]
            place = PlacedSpan(label, written[-1] if written else fallback)
        most_output = settings.max_output_tokens or most_output
        prompt = settings.system_prompt or prompt
    return None if window is None else DefaultAgent(name, window, most_output, prompt, place)


class _Source(NamedTuple):
    """One place that says something of an agent."""

    label: int
    settings: AgentSettings
    attributes: tuple[YamlEntry, ...]
    fallback: Span
    base: int


def _settings(view: View, frontmatter: Frontmatter, first: Placed, name: str) -> Iterator[_Source]:
    registered = _registered(frontmatter, name)
    if registered is not None:
        yield _Source(
            first.label, registered.values, registered.attributes, registered.name_span, 0
        )
    for placed in temporary_agents(view, name):
        block = placed.cell.agent_block
        if block is not None:
            from msgls.formats.msgmd.frontmatter import parse_agent_block

            read = parse_agent_block(block.of(placed.cell.text))
            yield _Source(placed.label, read.values, read.attributes, block, block.start)


def _registered(frontmatter: Frontmatter, name: str) -> AgentEntry | None:
    """The agent of that name (of two, the last one counts), else one that has such a model."""
    for agent in reversed(frontmatter.agents):
        if agent.name == name:
            return agent
    return next((agent for agent in frontmatter.agents if name in agent.values.models), None)

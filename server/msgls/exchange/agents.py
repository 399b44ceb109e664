"""The agent that a document is sent to: its prompt, and what is asked of its service.

Owns the choice among all that is said of one agent. Message files have agents; other
formats have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgls.document.document import Document
from msgls.exchange.requests import Asked
from msgls.formats.msgmd import MessageFile
from msgls.text.spans import Span

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import AgentEntry, Frontmatter
    from msgls.model.agents import AgentSettings


class SeeingAgent(NamedTuple):
    """Who is to see a document."""

    name: str | None = None
    """Nothing where the document names nobody."""
    system_prompt: str = ""
    prompt_span: Span | None = None
    """Where the prompt stands, absolute."""
    context_window: int | None = None
    asked: Asked = Asked()

    @property
    def budget(self) -> int | None:
        """How many tokens are left for what it sees; nothing where nobody says."""
        if self.context_window is None:
            return None
        return max(0, self.context_window - (self.asked.max_output_tokens or 0))


def seeing_agent(document: Document, name: str | None = None) -> SeeingAgent:
    """The agent of that name, else the default one."""
    if not isinstance(document.format, MessageFile):
        return SeeingAgent(name)
    from msgls.formats.msgmd.meaning import frontmatter_of

    frontmatter = frontmatter_of(document)
    if name is None and frontmatter is not None:
        name = frontmatter.default_agent_name
    if name is None:
        return SeeingAgent()
    registered = None if frontmatter is None else _registered(frontmatter, name)
    settings = [] if registered is None else [registered.values]
    # A cell that defines the agent again changes what the frontmatter says, from there on.
    settings += _temporary(document, name)
    prompt, window = "", None
    for values in settings:
        prompt = values.system_prompt or prompt
        window = values.context_window or window
    span = _prompt_span(registered) if registered is not None and prompt else None
    is_model = registered is not None and registered.name != name
    asked = _asked(settings, name if is_model else None)
    return SeeingAgent(name, prompt, span, window, asked)


def _registered(frontmatter: Frontmatter, name: str) -> AgentEntry | None:
    """The agent of that name (of two, the last one counts), else one that has such a model."""
    named = [agent for agent in frontmatter.agents if agent.name == name]
    if named:
        return named[-1]
    return next((agent for agent in frontmatter.agents if name in agent.values.models), None)


def _temporary(document: Document, name: str) -> list[AgentSettings]:
    from msgls.formats.msgmd.agents import temporary_agents
    from msgls.formats.msgmd.frontmatter import parse_agent_block

    cells = [placed.cell for placed in temporary_agents(document, name)]
    blocks = [cell.agent_block.of(cell.text) for cell in cells if cell.agent_block is not None]
    return [parse_agent_block(block).values for block in blocks]


def _prompt_span(agent: AgentEntry) -> Span:
    """The frontmatter stands at the very start, so its spans are absolute."""
    written = [entry.value_span for entry in agent.attributes if entry.key == "system_prompt"]
    return written[-1] if written else agent.name_span


def _asked(settings: Sequence[AgentSettings], model: str | None) -> Asked:
    most, heat = None, None
    models: tuple[str, ...] = ()
    for values in settings:
        most = values.max_output_tokens or most
        models = values.models or models
        heat = values.temperature if values.temperature is not None else heat
        heat = heat if values.use_temperature else None
    return Asked(model or (models[0] if models else None), most, heat)

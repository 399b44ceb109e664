"""The agent that a conversation is sent to: its system prompt, context window and settings.

Owns the choice of an agent, and the request options that follow from its attributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgls.conversation.requests import RequestOptions
from msgls.document.document import Document
from msgls.formats.agents import Agent, AgentSettings
from msgls.formats.msgmd import MessageFile
from msgls.text.spans import Span

if TYPE_CHECKING:
    from msgls.conversation.conversation import Conversation
    from msgls.formats.msgmd.frontmatter import AgentEntry, Frontmatter


class SeeingAgent(NamedTuple):
    """The agent that a conversation is sent to, with its settings resolved."""

    name: str | None = None
    """``None`` if no agent is named."""
    system_prompt: str = ""
    prompt_span: Span | None = None
    """The span of the prompt in the document, absolute."""
    context_window: int | None = None
    options: RequestOptions = RequestOptions()

    @property
    def budget(self) -> int | None:
        """How many tokens are left for the conversation; ``None`` if unknown."""
        if self.context_window is None:
            return None
        return max(0, self.context_window - (self.options.max_output_tokens or 0))


def agent_in(conversation: Conversation, name: str | None = None) -> SeeingAgent:
    """The agent called ``name``, or else the default agent, from the agents of a conversation."""
    name = name or conversation.default_agent
    return SeeingAgent() if name is None else _resolved(name, conversation.agents)


def seeing_agent(document: Document, name: str | None = None) -> SeeingAgent:
    """The agent called ``name``, or else the default agent, from the frontmatter of a document.

    Takes the same time however long the document is: it is called at every keystroke.
    """
    if not isinstance(document.format, MessageFile):
        return SeeingAgent(name)
    from msgls.formats.msgmd.meaning import frontmatter_of

    frontmatter = frontmatter_of(document)
    if name is None and frontmatter is not None:
        name = frontmatter.default_agent_name
    if name is None:
        return SeeingAgent()
    entries = () if frontmatter is None else frontmatter.agents
    agents = [Agent(agent.name, agent.values) for agent in entries]
    agents += _temporary(document, name)
    seeing = _resolved(name, agents)
    return seeing._replace(prompt_span=prompt_span(frontmatter, seeing))


def prompt_span(frontmatter: Frontmatter | None, agent: SeeingAgent) -> Span | None:
    """The span of an agent's system prompt in the frontmatter."""
    if frontmatter is None or agent.name is None or not agent.system_prompt:
        return None
    named = [entry for entry in frontmatter.agents if entry.name == agent.name]
    named = named[-1:] or [e for e in frontmatter.agents if agent.name in e.values.models][:1]
    return _prompt_span(named[0]) if named else None


def _resolved(name: str, agents: Sequence[Agent]) -> SeeingAgent:
    own = [agent for agent in agents if agent.name == name and not agent.is_temporary][-1:]
    # The name may be that of a model: then the agent with that model is meant.
    registered = own or [a for a in agents if name in a.settings.models and not a.is_temporary][:1]
    # Cells that define the agent again override its settings in the frontmatter.
    temporary = [agent for agent in agents if agent.name == name and agent.is_temporary]
    found = AgentSettings()
    for agent in [*registered, *temporary]:
        given = {key: v for key, v in agent.settings._asdict().items() if v not in (None, (), "")}
        found = found._replace(**given)
        if not found.use_temperature:
            found = found._replace(temperature=None)
    model = name if registered and not own else next(iter(found.models), None)
    if model is None and temporary:
        model = name
    options = RequestOptions(model, found.max_output_tokens, found.temperature, found.reasoning)
    return SeeingAgent(name, found.system_prompt or "", None, found.context_window, options)


def _temporary(document: Document, name: str) -> Iterable[Agent]:
    from msgls.formats.msgmd.agents import block_settings, temporary_agents

    for placed in temporary_agents(document, name):
        yield Agent(name, block_settings(placed), True)


def _prompt_span(agent: AgentEntry) -> Span:
    """The frontmatter stands at the very start, so its spans are absolute."""
    written = [entry.value_span for entry in agent.attributes if entry.key == "system_prompt"]
    return written[-1] if written else agent.name_span

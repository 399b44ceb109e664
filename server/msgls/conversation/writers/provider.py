"""The request that is sent to a provider: agent, settings, and the messages that the model sees.

Owns what leaves for a model. It is made from a ``Context``, so it contains nothing hidden; and of
a message it contains only run, role, parts and time: ``meta``, which may hold the rest of the file
that the message was read from, is not sent.
"""

from collections.abc import Mapping, Sequence

from msgls.conversation.agents import SeeingAgent
from msgls.conversation.messages import Message
from msgls.conversation.parts import Wire

_SENT = ("runId", "role", "parts", "timestamp")


def provider_request(
    agent: SeeingAgent, name: str, messages: Sequence[Message], *, continues: bool = False
) -> Wire:
    """The request to ``agent``, whose answer is written as that of ``name``."""
    options = agent.options
    settings: Mapping[str, object] = {
        "temperature": options.temperature,
        "max_output_tokens": options.max_output_tokens,
        "reasoning": options.reasoning,
    }
    request: Wire = {
        "agent": name,
        "model": options.model,
        "settings": {key: value for key, value in settings.items() if value is not None},
        "messages": [_sent(message) for message in messages],
    }
    return request | ({"continue": True} if continues else {})


def _sent(message: Message) -> Wire:
    wire = message.to_wire()
    return {key: wire[key] for key in _SENT}

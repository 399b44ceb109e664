"""The request that a provider is sent: who is asked, with which settings, what the model sees.

Owns what leaves for a model. It is made of a ``Context``, so nothing hidden is in it; and of a
message only role, parts and time are said: what else is known of one, such as the rest of the
file that it came from, stays here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgls.conversation.agents import SeeingAgent
from msgls.conversation.messages import Message

Wire = dict[str, Any]

_SENT = ("runId", "role", "parts", "timestamp")


def provider_request(
    agent: SeeingAgent, name: str, messages: Sequence[Message], *, continues: bool = False
) -> Wire:
    """The request to ``agent``, who answers under ``name``."""
    asked = agent.asked
    settings: Mapping[str, object] = {
        "temperature": asked.temperature,
        "max_output_tokens": asked.max_output_tokens,
        "reasoning": asked.reasoning,
    }
    request: Wire = {
        "agent": name,
        "model": asked.model,
        "settings": {key: value for key, value in settings.items() if value is not None},
        "messages": [_sent(message) for message in messages],
    }
    return request | ({"continue": True} if continues else {})


def _sent(message: Message) -> Wire:
    wire = message.to_wire()
    return {key: wire[key] for key in _SENT}

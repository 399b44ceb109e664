"""The options of a request to a chat service: model, length, temperature.

Owns the few options that all services share, and the key under which a conversation keeps
the other keys of the request that it was read from.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgls.conversation.conversation import Conversation
from msgls.text.patterns import HALVES

REQUEST_META = "request"
"""The key of the first message's ``meta`` with the other keys of a request, by service."""

NO_MODEL = "MODEL"
"""A placeholder for the model in a request, if none is known."""

IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The types of images that services take as data."""


def has_no_model(request: str) -> bool:
    """Whether the text of a request has the placeholder instead of a model."""
    return request.startswith(f'{{\n  "model": "{NO_MODEL}"')


class RequestOptions(NamedTuple):
    """The options of a request; ``None`` for one that is not set."""

    model: str | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    reasoning: bool | None = None


NO_OPTIONS = RequestOptions()


def json_text(value: object) -> str:
    """Indented JSON; if it has characters that UTF-8 cannot encode, it is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not text.isascii() and HALVES.search(text):
        text = json.dumps(value, indent=2)
    return text + "\n"


def carried_request(conversation: Conversation, service: str) -> Mapping[str, Any]:
    """The other keys of the request that a conversation was read from, if it was to ``service``."""
    first = conversation.messages[0].meta if conversation.messages else None
    request = (first or {}).get(REQUEST_META)
    found = request.get(service) if isinstance(request, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def holds_request_only(key: str, value: object, service: str) -> bool:
    """Whether a key of ``meta`` holds keys of a request to ``service`` and nothing else."""
    return key == REQUEST_META and isinstance(value, Mapping) and value.keys() <= {service}

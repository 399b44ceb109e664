"""What a request says besides its messages: which model, how long, which temperature.

Owns the few settings that all services share, and where a conversation carries those
that it came with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgls.conversation.conversation import Conversation
from msgls.text.patterns import HALVES

REQUEST_META = "request"
"""The key of the first message's meta that holds the rest of a request, by service."""

NO_MODEL = "MODEL"
"""The model's name in a request where none is known."""

"""The type of an image of which only the address is known."""
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The types of images that services take as data."""


def is_unnamed(request: str) -> bool:
    """Whether the text of a request says the stand-in for a model."""
    return request.startswith(f'{{\n  "model": "{NO_MODEL}"')


class Asked(NamedTuple):
    """The options of a request; ``None`` where not given."""

    model: str | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    reasoning: bool | None = None


NOTHING_ASKED = Asked()


def json_text(value: object) -> str:
    """JSON as people read it; what UTF-8 cannot say is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not text.isascii() and HALVES.search(text):
        text = json.dumps(value, indent=2)
    return text + "\n"


def carried(conversation: Conversation, service: str) -> Mapping[str, Any]:
    """The rest of the request that a conversation came from, if it was one of ``service``."""
    first = conversation.messages[0].meta if conversation.messages else None
    request = (first or {}).get(REQUEST_META)
    found = request.get(service) if isinstance(request, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def is_carried(key: str, value: object, service: str) -> bool:
    """Whether this piece of meta is the rest of a request of ``service`` and nothing else."""
    return key == REQUEST_META and isinstance(value, Mapping) and value.keys() <= {service}

"""Go to definition in a message: from a UUID to the message that has it."""

from __future__ import annotations

from msgls.document.document import Document
from msgls.features.chatbuilder.places import gives, uuid_at, uuid_fields
from msgls.features.definition import Jump, Target
from msgls.features.elsewhere import Elsewhere
from msgls.formats.chatbuilder.fields import UUID
from msgls.rules.base import ALONE, Surroundings


def definition(document: Document, offset: int, surroundings: Surroundings = ALONE) -> Jump | None:
    """To this message, and to every other one that has the UUID at ``offset``."""
    uuid = uuid_at(document, offset)
    if uuid is None:
        return None
    targets = tuple(introduced(document, uuid.name))
    others = surroundings.others_with(UUID, uuid.name)
    elsewhere = tuple([Elsewhere(path, uuid.name) for path in others])
    return Jump(uuid.span, targets, elsewhere) if targets or elsewhere else None


def introduced(document: Document, name: str) -> list[Target]:
    """The line that gives this message its UUID."""
    fields = [field for field in uuid_fields(document, name) if gives(field)]
    return [Target(field.value_span, field.line) for field in fields]

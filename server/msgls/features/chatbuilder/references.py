"""Find references in a message: who has a UUID, and who comes from it."""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.features.chatbuilder.places import gives, uuid_at, uuid_fields
from msgls.features.elsewhere import Elsewhere
from msgls.formats.chatbuilder.fields import PARENT, UUID
from msgls.rules.base import ALONE, Surroundings
from msgls.text.spans import Span


def references(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> list[Span]:
    """The places of this message."""
    uuid = uuid_at(document, offset)
    return [] if uuid is None else mentions(document, uuid.name, declared)


def elsewhere(
    document: Document, offset: int, declared: bool = True, surroundings: Surroundings = ALONE
) -> Iterable[Elsewhere]:
    """The other messages whose headers say the UUID at ``offset``."""
    uuid = uuid_at(document, offset)
    if uuid is None:
        return []
    keys = (UUID, PARENT) if declared else (PARENT,)
    paths = [path for key in keys for path in surroundings.others_with(key, uuid.name)]
    return [Elsewhere(path, uuid.name) for path in dict.fromkeys(paths)]


def mentions(document: Document, name: str, declared: bool = True) -> list[Span]:
    """Where the header says a UUID; without the line that gives it unless ``declared``."""
    fields = uuid_fields(document, name)
    return [field.value_span for field in fields if declared or not gives(field)]

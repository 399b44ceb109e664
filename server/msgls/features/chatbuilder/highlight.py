"""Highlight in a message: a UUID, wherever the header says it."""

from __future__ import annotations

from collections.abc import Collection

from msgls.document.document import Document
from msgls.features.chatbuilder.places import gives, uuid_at, uuid_fields
from msgls.features.highlight import Highlight


def highlights(
    document: Document, offset: int, other_agents: Collection[str] = ()
) -> list[Highlight]:
    """The places, in order; one in the body lights up alone, for the body may be long."""
    uuid = uuid_at(document, offset)
    if uuid is None:
        return []
    places = {field.value_span: gives(field) for field in uuid_fields(document, uuid.name)}
    places.setdefault(uuid.span, False)
    return [Highlight(span, given) for span, given in sorted(places.items())]

"""The names that the header of a message says: UUIDs, whose case means nothing."""

from __future__ import annotations

from msgls.formats.chatbuilder.fields import UUID, is_uuid
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.syntax.names import Name, NameKind, Use


def names_in(header: MessageHeader) -> tuple[Name, ...]:
    """Every UUID of a header, in order."""
    return tuple(
        [
            Name(
                NameKind.UUID,
                field.value.lower(),
                field.value_span,
                Use.DECLARES if field.key == UUID else Use.USES,
                field.value_span,
            )
            for field in header.fields
            if is_uuid(field.value)
        ]
    )

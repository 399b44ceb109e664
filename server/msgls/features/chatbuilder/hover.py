"""Hover in a message: fields, roles, UUIDs, silenced rules."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.chatbuilder.describe import field_parts, role_parts, uuid_parts
from msgls.features.chatbuilder.places import field_at, gives, uuid_at, uuid_fields
from msgls.features.describe import rule_parts
from msgls.features.hover import Hover
from msgls.features.markup import Part
from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.fields import ROLE
from msgls.formats.chatbuilder.header import Field
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_CODE = lazy_pattern(r"(?<![A-Za-z])[A-Za-z]+[0-9]+")


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What can be said of the place at ``offset``."""
    document = snapshot.document
    uuid = uuid_at(document, offset)
    if uuid is not None:
        is_own = any(gives(field) for field in uuid_fields(document, uuid.name))
        parts = tuple(uuid_parts(snapshot, uuid.name, is_own))
        return Hover(uuid.span, parts)
    field = field_at(document, offset)
    for span, found in () if field is None else _of(document, field, offset):
        said = tuple(found)
        if said:
            return Hover(span, said)
    return None


def _of(document: Document, field: Field, offset: int) -> Iterator[tuple[Span, Iterator[Part]]]:
    """What may be said there, the nearest thing first."""
    if field.key == OWN_KEY:
        for match in _CODE.finditer(field.value):
            span = Span(*match.span()).shift(field.value_span.start)
            if span.contains(offset):
                yield span, rule_parts(match.group().upper())
    if field.key == ROLE and field.value and field.value_span.contains(offset):
        yield field.value_span, role_parts(field.value)
    # Not on the `;` before it.
    said = Span(field.key_span.start, field.line.end)
    if said.contains(offset):
        yield said, field_parts(field.key)

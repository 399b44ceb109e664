"""Hover in a message: fields, roles, UUIDs, suppressed rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.chatbuilder.folder import shown
from msgls.features.chatbuilder.places import field_at, uuid_at, uuid_fields
from msgls.features.counting import plural
from msgls.features.describe import rule_parts
from msgls.features.hover import Hover
from msgls.features.markup import Code, Part, Run, Strong, item, joined, paragraph
from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.fields import CREATED, PARENT, REQUIRED, ROLE, ROLES, UUID
from msgls.formats.chatbuilder.header import Field
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Span

_CODE = lazy_pattern(r"(?<![A-Za-z])[A-Za-z]+[0-9]+")


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover at ``offset``."""
    document = snapshot.document
    uuid = uuid_at(document, offset)
    if uuid is not None:
        is_own = any(field.key == UUID for field in uuid_fields(document, uuid.name))
        parts = tuple(uuid_parts(snapshot, uuid.name, is_own))
        return Hover(uuid.span, parts)
    field = field_at(document, offset)
    for span, found in () if field is None else _of(document, field, offset):
        said = tuple(found)
        if said:
            return Hover(span, said)
    return None


def _of(document: Document, field: Field, offset: int) -> Iterator[tuple[Span, Iterator[Part]]]:
    """The candidates for the hover, the nearest first: a span, and the text for it."""
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


# -- What fields, roles and UUIDs mean, in words.


_MOST_FILES = 8

_MEANINGS = {
    UUID: Phrase("The id of this message, which no other message has."),
    "Component": Phrase("What kind of message it is."),
    "Version": Phrase("The version of the message. It is increased when the message changes."),
    "Description": Phrase("What the message is about, in a few words."),
    "Language": Phrase("The language that the message is written in."),
    CREATED: Phrase("When the message was made."),
    "Authors": Phrase("Who wrote the message, each with a version."),
    PARENT: Phrase("The message that this one comes from."),
    "visibility": Phrase("The recipient of the message."),
    ROLE: Phrase("The author of the message. Programs that read the file require it."),
    OWN_KEY: Phrase("Rules that are suppressed in this file."),
}
_VALUES: dict[str, tuple[Run, ...]] = {
    UUID: (Phrase("a UUID, such as `{value}`", value="32d9afc7-aeac-4a67-ba94-0c92678604a1"),),
    "Component": (Phrase("a name, such as `UserMessage`"),),
    "Version": (Phrase("a semantic version, such as `1.0.0`"),),
    "Description": (Phrase("any text"),),
    "Language": (Phrase("the name of a language, such as `markdown`"),),
    CREATED: (Phrase("a time of ISO 8601, such as `2025-04-21T18:15:00.000Z`"),),
    "Authors": (Phrase("`Name (vX.Y.Z)`, several with commas between them"),),
    PARENT: (Phrase("the `{field}` of another message, or `N/A`", field=UUID),),
    "visibility": (Phrase("any word"),),
    ROLE: tuple(joined([Code(role) for role in ROLES])),
    OWN_KEY: (Phrase("`ignore` and the codes of rules, such as `ignore CBM005`"),),
}
_ROLE_MEANINGS = {
    "user": Phrase("The person who asks."),
    "assistant": Phrase("The model that answers."),
    "system": Phrase("The instructions that the model gets before the conversation."),
}


def field_parts(key: str) -> Iterator[Part]:
    """The description of a field; nothing if it is unknown."""
    if key not in _MEANINGS:
        return
    kind = Phrase("Field")
    if key in REQUIRED:
        kind = Phrase("Field that every message should have")
    yield paragraph(Strong(kind), " ", Code(key))
    yield paragraph(_MEANINGS[key])
    yield item(Phrase("Value: "), *_VALUES[key])


def role_parts(role: str) -> Iterator[Part]:
    """The description of a role; nothing if it is unknown."""
    if role in _ROLE_MEANINGS:
        yield paragraph(Strong(Phrase("Role")), " ", Code(role))
        yield paragraph(_ROLE_MEANINGS[role])


def uuid_parts(snapshot: Snapshot, name: str, is_own: bool) -> Iterator[Part]:
    """Which messages have a UUID, and which come from the message that has it."""
    document = snapshot.document
    holders = snapshot.surroundings.others_with(UUID, name)
    children = snapshot.surroundings.others_with(PARENT, name)
    yield paragraph(Strong("UUID"), " ", Code(name))
    if is_own:
        yield paragraph(Phrase("This message has it."))
        if holders:
            one = Phrase("1 other message does:")
            many = Phrase("{count:,} other messages do:")
            yield paragraph(plural(len(holders), one, many))
    elif holders:
        one = Phrase("1 other message has it:")
        yield paragraph(plural(len(holders), one, Phrase("{count:,} other messages have it:")))
    else:
        yield paragraph(Phrase("No message has it here."))
    yield from _files(document, holders)
    if children:
        one = Phrase("1 message comes from it:")
        yield paragraph(plural(len(children), one, Phrase("{count:,} messages come from it:")))
        yield from _files(document, children)


def _files(document: Document, paths: Sequence[str]) -> Iterator[Part]:
    names = [shown(document, path) for path in paths]
    for name in names[:_MOST_FILES]:
        yield item(Code(name))
    if len(names) > _MOST_FILES:
        yield item(Phrase("and {count:,} more", count=len(names) - _MOST_FILES))

"""What fields, roles and UUIDs mean, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgls.document.document import Document
from msgls.features.chatbuilder.folder import shown
from msgls.features.counting import counted
from msgls.features.markup import Code, Part, Run, Strong, item, joined, paragraph
from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.fields import CREATED, PARENT, REQUIRED, ROLE, ROLES, UUID
from msgls.rules.base import Surroundings

_MOST_FILES = 8

_MEANINGS = {
    UUID: "Which message this is. No other message has the same one.",
    "Component": "What kind of message it is.",
    "Version": "The version of the message. It is counted on when the message changes.",
    "Description": "What the message is about, in a few words.",
    "Language": "The language that the message is written in.",
    CREATED: "When the message was made.",
    "Authors": "Who wrote the message, each with a version.",
    PARENT: "The message that this one comes from.",
    "visibility": "Who is to see the message.",
    ROLE: "Whose message it is. A program that reads the file cannot do without.",
    OWN_KEY: "Rules that are silent in this file.",
}
_VALUES: dict[str, tuple[Run, ...]] = {
    UUID: ("a UUID, such as ", Code("32d9afc7-aeac-4a67-ba94-0c92678604a1")),
    "Component": ("a name, such as ", Code("UserMessage")),
    "Version": ("a semantic version, such as ", Code("1.0.0")),
    "Description": ("any text",),
    "Language": ("the name of a language, such as ", Code("markdown")),
    CREATED: ("a time of ISO 8601, such as ", Code("2025-04-21T18:15:00.000Z")),
    "Authors": (Code("Name (vX.Y.Z)"), ", several with commas between them"),
    PARENT: ("the ", Code(UUID), " of another message, or ", Code("N/A")),
    "visibility": ("any word",),
    ROLE: tuple(joined([Code(role) for role in ROLES])),
    OWN_KEY: (Code("ignore"), " and the codes of rules, such as ", Code("ignore CBM005")),
}
_ROLE_MEANINGS = {
    "user": "The person who asks.",
    "assistant": "The model that answers.",
    "system": "What the model is told before the conversation.",
}


def field_parts(key: str) -> Iterator[Part]:
    """What a field means; nothing for one that nobody knows."""
    if key not in _MEANINGS:
        return
    kind = "Field"
    if key in REQUIRED:
        kind = "Field that every message should have"
    yield paragraph(Strong(kind), " ", Code(key))
    yield paragraph(_MEANINGS[key])
    yield item("Value: ", *_VALUES[key])


def role_parts(role: str) -> Iterator[Part]:
    """What a role means; nothing for a word that is none."""
    if role in _ROLE_MEANINGS:
        yield paragraph(Strong("Role"), " ", Code(role))
        yield paragraph(_ROLE_MEANINGS[role])


def uuid_parts(
    document: Document, name: str, is_own: bool, surroundings: Surroundings
) -> Iterator[Part]:
    """Which messages have a UUID, and which come from the message that has it."""
    holders = surroundings.others_with(UUID, name)
    children = surroundings.others_with(PARENT, name)
    yield paragraph(Strong("UUID"), " ", Code(name))
    if is_own:
        yield paragraph("This message has it.")
        if holders:
            yield paragraph(f"So {_have(len(holders))}:")
    elif holders:
        yield paragraph(f"{_have(len(holders)).capitalize()} it:")
    else:
        yield paragraph("No message has it here.")
    yield from _files(document, holders)
    if children:
        comes = "comes" if len(children) == 1 else "come"
        yield paragraph(f"{counted(len(children), 'message')} {comes} from it:")
        yield from _files(document, children)


def _have(count: int) -> str:
    return f"{counted(count, 'other message')} {'has' if count == 1 else 'have'}"


def _files(document: Document, paths: Sequence[str]) -> Iterator[Part]:
    names = [shown(document, path) for path in paths]
    for name in names[:_MOST_FILES]:
        yield item(Code(name))
    if len(names) > _MOST_FILES:
        yield item(f"and {len(names) - _MOST_FILES:,} more")

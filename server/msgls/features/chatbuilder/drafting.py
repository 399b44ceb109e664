"""The message that comes after all others of a folder.

Owns what it says before anybody has written it: the fields that the folder is used to, each
with a new value, and the role whose turn it is.
"""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.chatbuilder.folder import Standing, beside
from msgls.features.commands import NewFile
from msgls.formats.chatbuilder.fields import (
    EXTRA,
    PARENT,
    REQUIRED,
    ROLE,
    ROLES,
    UUID,
    is_uuid,
    new_value,
)
from msgls.formats.chatbuilder.header import MessageHeader, parse_header
from msgls.formats.chatbuilder.roles import likely_roles
from msgls.rules.chatbuilder.headers import newline_of

USER, ASSISTANT, _ = ROLES


def next_message(snapshot: Snapshot, header: MessageHeader, found: Standing) -> NewFile:
    """The file, with the cursor where the message is to be written."""
    role = _next_role(snapshot, header, found)
    newline = newline_of(snapshot.document)
    lines = [f"; {key}: {value}" for key, value in _fields(header, found, role).items()]
    if lines:
        lines.append(";")
    lines.append(f"; {ROLE}: {role}")
    text = newline.join(lines) + newline * 3
    return NewFile(found.following, text, len(text))


def _next_role(snapshot: Snapshot, header: MessageHeader, found: Standing) -> str:
    """Whoever did not speak last."""
    last = header.known_role if found.is_last else None
    if not found.is_last:
        path = beside(snapshot.document, found.names[-1])
        said = (role for role in ROLES if path in snapshot.surroundings.others_with(ROLE, role))
        last = next(said, None)
    if last is not None:
        return ASSISTANT if last == USER else USER
    # By its number alone.
    return likely_roles(parse_header("", False), found.following)[0]


def _fields(header: MessageHeader, found: Standing, role: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for key, field in header.first.items():
        if key in REQUIRED:
            values[key] = new_value(key, role, f"A message from the {role}")
        elif key in EXTRA and field.value:
            values[key] = field.value
    if PARENT in values:
        own = header.get(UUID)
        is_known = found.is_last and own is not None and is_uuid(own.value)
        values[PARENT] = own.value if is_known and own is not None else "N/A"
    return values

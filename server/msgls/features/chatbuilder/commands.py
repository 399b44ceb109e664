"""The commands of messages: their arguments, and what they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.actions import CommandAction
from msgls.features.chatbuilder.folder import PARTS, Standing, beside, bumped, standing
from msgls.features.chatbuilder.places import header_of
from msgls.features.command_table import Command
from msgls.features.commands import (
    Call,
    CellChange,
    InvalidArgument,
    NewFile,
    OtherFile,
    RefusedError,
    Run,
    go_beside,
)
from msgls.features.converting import convert_to
from msgls.formats.base import Placed
from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.fields import (
    EXTRA,
    PARENT,
    REQUIRED,
    ROLE,
    ROLES,
    UUID,
    is_uuid,
    is_version,
    new_value,
)
from msgls.formats.chatbuilder.header import MessageHeader, parse_header
from msgls.formats.chatbuilder.roles import likely_roles
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Edit, Span


def _header(call: Call) -> MessageHeader:
    header = header_of(call.document)
    if header is None:
        raise RefusedError("this file is empty")
    return header


def _standing(call: Call) -> Standing:
    found = standing(call.snapshot)
    if found is None:
        raise RefusedError(
            "the name of this file is not a number, so it has no position in its folder"
        )
    return found


def _bump_version(call: Call) -> CellChange:
    """``part`` is ``patch``, ``minor`` or ``major``; without it, ``patch``."""
    part = call.text("part") or PARTS[0]
    if part not in PARTS:
        raise InvalidArgument("`{name}` must be one of: {all}", name="part", all=joined(PARTS))
    version = _header(call).get("Version")
    if version is None:
        raise RefusedError("this message has no version")
    if not is_version(version.value):
        raise RefusedError("`{value}` is not a semantic version", value=version.value)
    return CellChange((Edit(version.value_span, bumped(version.value, part)),))


def _insert_next(call: Call) -> NewFile:
    return next_message(call.snapshot, _header(call), _standing(call))


def _go_to_next(call: Call) -> OtherFile:
    name = _standing(call).next
    if name is None:
        raise RefusedError("no message comes after this one in its folder")
    return OtherFile(name)


def _go_to_previous(call: Call) -> OtherFile:
    name = _standing(call).previous
    if name is None:
        raise RefusedError("no message comes before this one in its folder")
    return OtherFile(name)


RUNS: Mapping[Command, Run] = {
    # To another section of the body, or to the start of the message.
    **go_beside(Phrase("there is no other section"), lambda placed: placed.start_offset),
    table.BUMP_VERSION: _bump_version,
    table.INSERT_NEXT_MESSAGE: _insert_next,
    table.GO_TO_NEXT_MESSAGE: _go_to_next,
    table.GO_TO_PREVIOUS_MESSAGE: _go_to_previous,
    table.CONVERT_TO: convert_to,
}


# -- The message that comes after all others of a folder.
# Owns what a new message starts with: the fields that others in the folder have, each with a new
# value, and the role whose turn it is.


USER, ASSISTANT, _ = ROLES


def next_message(snapshot: Snapshot, header: MessageHeader, found: Standing) -> NewFile:
    """The file, with the cursor where the message is to be written."""
    role = _next_role(snapshot, header, found)
    newline = snapshot.document.newline
    lines = [f"; {key}: {value}" for key, value in _fields(header, found, role).items()]
    if lines:
        lines.append(";")
    lines.append(f"; {ROLE}: {role}")
    text = newline.join(lines) + newline * 3
    return NewFile(found.following, text, len(text))


def _next_role(snapshot: Snapshot, header: MessageHeader, found: Standing) -> str:
    """The role that did not speak last."""
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


# -- Code actions in a message: its version, the messages around it, the suppression of rules.


_IGNORING = lazy_pattern(r"ignore[ \t]+[A-Za-z0-9, \t-]+")


def ignoring(snapshot: Snapshot, placed: Placed, code: str) -> Edit | None:
    """The field that suppresses a rule: in the header, where it holds for the file."""
    document = snapshot.document
    header = header_of(document)
    if header is None or not header.lines:
        return None
    for field in header.fields:
        if field.key == OWN_KEY and _IGNORING.fullmatch(field.value):
            return Edit(Span(field.value_span.end, field.value_span.end), f", {code}")
    newline = document.newline
    line = f"; {OWN_KEY}: ignore {code}"
    above = [field for field in header.fields if field.key != ROLE]
    if above:
        end = above[-1].line.end
        return Edit(Span(end, end), newline + line)
    start = header.lines[0].span.start
    is_set_apart = header.lines[0].is_lone
    apart = "" if is_set_apart else ";" + newline
    return Edit(Span(start, start), line + newline + apart)


def cell_actions(snapshot: Snapshot, offset: int) -> Iterator[CommandAction]:
    """The actions for a message; its version is changed in the header."""
    header = header_of(snapshot.document)
    if header is None:
        return
    if offset <= header.end:
        yield from _bumping(header)
    found = standing(snapshot)
    if found is None:
        return
    title = Phrase("Create the next message in this folder (`{file}`)", file=found.following)
    yield CommandAction(table.INSERT_NEXT_MESSAGE, title)
    if found.previous is not None:
        title = Phrase("Go to the previous message (`{file}`)", file=found.previous)
        yield CommandAction(table.GO_TO_PREVIOUS_MESSAGE, title)
    if found.next is not None:
        title = Phrase("Go to the next message (`{file}`)", file=found.next)
        yield CommandAction(table.GO_TO_NEXT_MESSAGE, title)


def _bumping(header: MessageHeader) -> Iterator[CommandAction]:
    version = header.get("Version")
    if version is None or not is_version(version.value):
        return
    for part in PARTS:
        title = Phrase(
            "Bump version to {version} ({part})", version=bumped(version.value, part), part=part
        )
        yield CommandAction(table.BUMP_VERSION, title, {"part": part})

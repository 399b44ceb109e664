"""The commands of messages: what each of them takes, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from msgls.features import command_table as table
from msgls.features.chatbuilder.drafting import next_message
from msgls.features.chatbuilder.folder import Standing, standing
from msgls.features.chatbuilder.places import header_of
from msgls.features.chatbuilder.versions import PARTS, bumped
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
from msgls.formats.chatbuilder.fields import is_version
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Edit


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


def _go_beside(step: int) -> Run:
    """To the start of another section of the body, or of the message itself."""
    return go_beside(step, Phrase("there is no other section"), lambda placed: placed.start_offset)


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
    table.GO_TO_NEXT: _go_beside(1),
    table.GO_TO_PREVIOUS: _go_beside(-1),
    table.BUMP_VERSION: _bump_version,
    table.INSERT_NEXT_MESSAGE: _insert_next,
    table.GO_TO_NEXT_MESSAGE: _go_to_next,
    table.GO_TO_PREVIOUS_MESSAGE: _go_to_previous,
    table.CONVERT_TO: convert_to,
}

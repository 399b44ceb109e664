"""Code actions in a message: its version, the messages around it, how a rule is silenced."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.actions import CommandAction
from msgls.features.chatbuilder.folder import standing
from msgls.features.chatbuilder.places import header_of
from msgls.features.chatbuilder.versions import PARTS, bumped
from msgls.formats.base import Placed
from msgls.formats.chatbuilder.cells import OWN_KEY
from msgls.formats.chatbuilder.fields import ROLE, is_version
from msgls.formats.chatbuilder.header import MessageHeader
from msgls.rules.chatbuilder.headers import newline_of
from msgls.text.patterns import lazy_pattern
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

_IGNORING = lazy_pattern(r"ignore[ \t]+[A-Za-z0-9, \t-]+")


def ignoring(snapshot: Snapshot, placed: Placed, code: str) -> Edit | None:
    """The field that silences a rule: in the header, where it holds for the file."""
    document = snapshot.document
    header = header_of(document)
    if header is None or not header.lines:
        return None
    for field in header.fields:
        if field.key == OWN_KEY and _IGNORING.fullmatch(field.value):
            return Edit(Span(field.value_span.end, field.value_span.end), f", {code}")
    newline = newline_of(document)
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
    """What can be done with a message; its version is the header's business."""
    header = header_of(snapshot.document)
    if header is None:
        return
    if offset <= header.end:
        yield from _bumping(header)
    found = standing(snapshot)
    if found is None:
        return
    title = Phrase("New next message in this folder (`{file}`)", file=found.following)
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

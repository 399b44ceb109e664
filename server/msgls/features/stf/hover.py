"""Hover in a Simple Text Format file: commands, arguments, roles, ids, tools and files.

Owns the choice of what is said where; the words are in ``describe``. Costs one cell and some
look-ups, however large the document is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.describe import rule_parts
from msgls.features.hover import Hover
from msgls.features.markup import Code, Part, Strong, item, paragraph
from msgls.features.stf.describe import (
    argument_parts,
    call_parts,
    command_parts,
    message_parts,
    role_parts,
)
from msgls.features.stf.meaning import Answered, named_call
from msgls.features.stf.places import Place, PlaceKind, place_at
from msgls.formats.stf.calls import IdKind, IdPlace, calls_in
from msgls.formats.stf.commands import END, relative_path
from msgls.text.phrases import Phrase


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What can be said of the place at ``offset``."""
    document = snapshot.document
    place = place_at(document, offset)
    if place is None:
        return None
    parts = tuple(_of(snapshot, place, offset))
    return Hover(place.span, parts) if parts else None


def _of(snapshot: Snapshot, place: Place, offset: int) -> Iterable[Part]:
    document = snapshot.document
    match place.kind:
        case PlaceKind.COMMAND:
            return _of_command(snapshot, place, offset)
        case PlaceKind.END:
            return _of_end(document, place)
        case PlaceKind.KEY:
            return argument_parts(place.text, None if place.command is None else place.command.spec)
        case PlaceKind.VALUE:
            return _of_value(place)
        case PlaceKind.ID:
            return () if place.id is None else _of_id(snapshot, place, place.id)
        case PlaceKind.TOOL:
            return _of_call(document, place, offset)
        case PlaceKind.PATH:
            return _of_path(place)
        case PlaceKind.RULE:
            return rule_parts(place.text)
        case PlaceKind.ESCAPE:
            return _of_escape(place)


def _of_command(snapshot: Snapshot, place: Place, offset: int) -> Iterator[Part]:
    command = place.command
    if command is not None and command is place.cell.opening:
        yield from message_parts(snapshot, place.placed)
    elif command is not None and command.spec is not None and command.spec.name == "call":
        yield from _of_call(snapshot.document, place, offset)
    yield from command_parts(place.text, place.cell.dialect)


def _of_end(document: Document, place: Place) -> Iterator[Part]:
    yield from command_parts(END, place.cell.dialect)
    if place.command is not None:
        start = place.placed.start_offset + place.command.span.start
        line = document.position_of(start).line + 1
        opening = place.cell.dialect + place.command.word
        yield item(
            Phrase("Of the block that `{command}` opens on line {line}", command=opening, line=line)
        )


def _of_value(place: Place) -> Iterator[Part]:
    argument, spec = place.argument, None if place.command is None else place.command.spec
    if argument is None:
        return
    if argument.key == "role" and argument.value is not None:
        yield from role_parts(argument.value)
    else:
        yield from argument_parts(argument.key, spec)


def _of_id(snapshot: Snapshot, place: Place, identifier: IdPlace) -> Iterator[Part]:
    document = snapshot.document
    if identifier.kind is IdKind.MESSAGE:
        yield from message_parts(snapshot, place.placed)
        return
    if identifier.kind is IdKind.RESULT:
        found = named_call(document, identifier.text, place.placed.order)
    else:
        own = [call for call in calls_in(place.cell) if call.span.covers(identifier.written)]
        found = Answered(place.placed, own[0]) if own else None
    if found is not None:
        yield from call_parts(document, found)
    else:
        yield paragraph(Strong(Phrase("Id of a call")), " ", Code(identifier.text))
        yield paragraph(Phrase("No call in this file has it."))


def _of_call(document: Document, place: Place, offset: int) -> Iterator[Part]:
    at = offset - place.placed.start_offset
    for call in calls_in(place.cell):
        if call.span.contains(at):
            yield from call_parts(document, Answered(place.placed, call))
            return


def _of_path(place: Place) -> Iterator[Part]:
    yield paragraph(Strong(Phrase("Embedded file")), " ", Code(place.text))
    if relative_path(place.text) is None:
        yield paragraph(Phrase("A URL or an absolute path: it is not checked."))
    else:
        yield paragraph(Phrase("Relative to the folder of this file."))


def _of_escape(place: Place) -> Iterator[Part]:
    prefix = place.cell.dialect
    yield paragraph(Strong(Phrase("Literal")), " ", Code(prefix))
    yield paragraph(
        Phrase("A data line that starts with one `{prefix}` and is not a command.", prefix=prefix)
    )

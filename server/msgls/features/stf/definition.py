"""Go to definition in a Simple Text Format file: from a result to its call, and back."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.definition import Jump, Target
from msgls.features.stf.meaning import Answered, answers, call_answered, cell_of, named_call
from msgls.features.stf.outline import head_of
from msgls.features.stf.places import Place, PlaceKind, place_at
from msgls.formats.base import Placed
from msgls.formats.stf.calls import IdKind, calls_in
from msgls.rules.base import ALONE, Surroundings
from msgls.text.lines import line_bounds
from msgls.text.spans import Span


def definition(document: Document, offset: int, surroundings: Surroundings = ALONE) -> Jump | None:
    """Where the id or the command at ``offset`` leads."""
    place = place_at(document, offset)
    if place is None:
        return None
    targets = tuple(dict.fromkeys(_targets(document, place, offset)))
    return Jump(place.span, targets) if targets else None


def _targets(document: Document, place: Place, offset: int) -> Iterator[Target]:
    if place.id is not None and place.id.kind is IdKind.RESULT:
        found = named_call(document, place.id.text, place.placed.order)
        if found is not None:
            yield _call_target(found)
        return
    at = offset - place.placed.start_offset
    call = next((call for call in calls_in(place.cell) if call.span.contains(at)), None)
    if call is not None and place.kind is not PlaceKind.PATH:
        for answer in answers(document, place.placed, call):
            yield _result_target(answer)
    elif place.kind is PlaceKind.COMMAND and place.command is place.cell.opening:
        found = call_answered(document, place.placed)
        if found is not None:
            yield _call_target(found)


def _call_target(found: Answered) -> Target:
    base = found.placed.start_offset
    start, end = line_bounds(found.placed.cell.text, found.call.selection.start)
    around = Span(min(start, found.call.span.start), max(end, found.call.span.end))
    return Target(found.call.selection.shift(base), around.shift(base))


def _result_target(placed: Placed) -> Target:
    cell = cell_of(placed)
    head = Span(0, 0) if cell is None else head_of(cell)
    return Target(head.shift(placed.start_offset), placed.span)

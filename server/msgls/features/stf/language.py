"""The language of Simple Text Format files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import stf
from msgls.features.definition import Target, line_at
from msgls.features.language import Language, delegate
from msgls.features.linked import Linked
from msgls.features.names import PlacedName, places
from msgls.features.stf import outline, rename
from msgls.features.stf.meaning import (
    FURTHEST,
    answers,
    call_answered,
    cell_of,
    named_call,
    results_of,
    role_of,
)
from msgls.features.stf.outline import head_of
from msgls.features.stf.places import PlaceKind, place_at
from msgls.formats.base import Placed
from msgls.formats.stf.cells import CallPlace
from msgls.formats.stf.commands import ROLES
from msgls.syntax.names import NameKind, Use
from msgls.text.spans import Span

if TYPE_CHECKING:
    from msgls.features.command_table import Command
    from msgls.features.commands import Run

_WORD_PATTERN = r"[^\s\"'{}\\]+"


class SimpleText(Language):
    """Messages that commands start, with calls and their results."""

    nothing_to_rename = rename.NOTHING

    symbols = delegate(lambda: outline.symbols)
    rename = delegate(lambda: rename.rename)
    ignoring = delegate(lambda: stf.commands.ignoring)
    cell_actions = delegate(lambda: stf.commands.cell_actions)
    check_agent = delegate(lambda: stf.cells.check_agent)
    append_cell = delegate(lambda: stf.cells.append_cell)
    complete = delegate(lambda: stf.completion.complete)
    opens = delegate(lambda: stf.completion.opens)
    documentation = delegate(lambda: stf.completion.documentation)
    format_document = delegate(lambda: stf.formatting.format_document)
    format_range = delegate(lambda: stf.formatting.format_range)
    hints = delegate(lambda: stf.hints.hints)
    hover = delegate(lambda: stf.hover.hover)
    lenses = delegate(lambda: stf.hints.lenses)
    lens_text = delegate(lambda: stf.hints.lens_text)
    escaped = delegate(lambda: stf.formatting.escaped)

    def counterparts(self, document: Document, found: PlacedName) -> list[Span] | None:
        """From a result to its call (the nearest of several), and from a call to its results."""
        placed, name = found
        if name.use is Use.ANSWERS:
            return _call(named_call(document, name.text, placed.label))
        call = _call_at(placed, name.span.start)
        return [] if call is None else _answers(document, placed, call)

    def jump(self, document: Document, offset: int) -> tuple[Span, list[Target]] | None:
        """From anywhere in a call to its results, and from the command of a result to its call."""
        place = place_at(document, offset)
        if place is None or place.kind is PlaceKind.PATH:
            return None
        call = _call_at(place.placed, offset - place.placed.start_offset)
        spans: list[Span] = []
        if call is not None:
            spans = _answers(document, place.placed, call)
        elif place.kind is PlaceKind.COMMAND and place.command is place.cell.opening:
            spans = _call(call_answered(document, place.placed))
        return place.span, [Target(span, line_at(document, span)) for span in spans]

    def groups(self, document: Document, number: int, offset: int) -> Iterable[Span]:
        """The turn: a message of the user with all answers to it."""
        first = last = number
        while first > max(0, number - FURTHEST) and _replies(document, first):
            first -= 1
        end = min(document.cell_count, number + FURTHEST)
        while last + 1 < end and _replies(document, last + 1):
            last += 1
        return [Span(document.cell_number(first).span.start, document.cell_number(last).span.end)]

    def linked(self, document: Document, found: PlacedName) -> Linked | None:
        """The id of a call and the ``call_id`` of its results. Not from a ``call_id``.

        A ``call_id`` is edited to answer another call.
        """
        name, label = found.name, found.placed.label
        if name.kind is not NameKind.CALL or name.use is not Use.DECLARES:
            return None
        labels = results_of(document, name.text, label)
        said = places(document, found)
        follow = [p.span for p in said if p.name.use is Use.ANSWERS and p.placed.label in labels]
        return Linked(tuple(sorted([found.span, *follow])), _WORD_PATTERN)

    def cell_types(self) -> Mapping[str, str]:
        return dict.fromkeys(ROLES, "")

    def commands(self) -> Mapping[Command, Run]:
        return stf.commands.RUNS

    def answers(
        self, snapshot: Snapshot, placed: Placed, span: Span
    ) -> Iterator[tuple[Placed, int]]:
        """The results of a call, also those without a ``call_id``."""
        call = _call_at(placed, span.start)
        for answer in () if call is None else answers(snapshot.document, placed, call):
            yield answer, 0

    def askers(
        self, snapshot: Snapshot, placed: Placed, span: Span
    ) -> Iterator[tuple[Placed, int]]:
        is_call = _call_at(placed, span.start) is not None
        found = None if is_call else call_answered(snapshot.document, placed)
        if found is not None:
            yield found.placed, found.call.span.start


def _call_at(placed: Placed, at: int) -> CallPlace | None:
    return next((call for call in cell_of(placed).calls if call.span.contains(at)), None)


def _call(found: tuple[Placed, CallPlace] | None) -> list[Span]:
    return [] if found is None else [found[1].selection.shift(found[0].start_offset)]


def _answers(document: Document, placed: Placed, call: CallPlace) -> list[Span]:
    found = answers(document, placed, call)
    return [head_of(cell_of(answer)).shift(answer.start_offset) for answer in found]


def _replies(document: Document, number: int) -> bool:
    return role_of(document, document.cell_number(number)) in ("assistant", "tool")

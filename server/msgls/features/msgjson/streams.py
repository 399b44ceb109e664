"""The stream that a delta belongs to: where it begins and ends, and its message so far.

Owns the walk along one stream. The index knows where it begins and ends. Its deltas are between,
among those of other runs, and are read line by line up to a limit: a stream may be a hundred
thousand lines long, and a hover is about one of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from msgls.conversation.assembler import Assembler
from msgls.document.document import Document
from msgls.features.msgjson.calls import occurrences
from msgls.features.msgjson.reading import json_cell, place_of, quiet_run
from msgls.formats.base import Entry, Placed
from msgls.formats.jsontree import Path
from msgls.formats.msgjson.cells import STREAM, JsonCell, Mark
from msgls.formats.msgjson.records import MentionKind, Step, value_at
from msgls.formats.msgjson.shapes import CALL_KINDS, TERMINAL_KINDS, is_delta
from msgls.text.spans import Span

MOST_CELLS = 5_000
"""How many lines before an offset are read for the message so far."""

Wire = dict[str, Any]
_Key = tuple[int, int, tuple[int, ...]]


class Delta(NamedTuple):
    """A delta and its place in the document."""

    label: int
    """The label of its cell."""
    segment: int
    step: Step

    @property
    def key(self) -> _Key:
        """Sorts deltas by their place in the document."""
        return self.label, self.segment, tuple([s for s in self.step.path if isinstance(s, int)])


class Stream(NamedTuple):
    """A stream, from its start on."""

    start: Delta
    end: Delta | None
    """Its ``done`` or ``error``."""
    following: Delta | None
    """The start of the next stream of its run, if it has no end before that."""

    @property
    def run(self) -> str:
        """The run that it belongs to."""
        return self.start.step.run

    def holds(self, delta: Delta) -> bool:
        """Whether a delta of its run comes before its end."""
        return delta.key >= self.start.key and (self.end is None or delta.key <= self.end.key)


class SoFar(NamedTuple):
    """The message of a stream up to a delta."""

    message: Wire
    deltas: int
    """How many deltas it was assembled from."""
    skipped: int
    """How many lines after the start were not read."""


def delta_at(cell: JsonCell, label: int, segment: int, path: Path) -> Delta | None:
    """The delta that a path leads into."""
    record = cell.segments[segment].record
    for step in () if record is None else record.steps:
        if step.path == path[: len(step.path)]:
            return Delta(label, segment, step)
    return None


# -- where it begins and ends ---------------------------------------------------------------


def stream_of(document: Document, delta: Delta) -> Stream | None:
    """The last stream that begins at a delta or before it, in the delta's run."""
    entries = document.entries(STREAM, delta.step.run)
    number = bisect_right(entries, delta.label, key=_label)
    for before in reversed(entries[:number]):
        for mark in reversed(_marks(before)):
            if mark.step.kind == "start" and mark.key <= delta.key:
                return _from_start(entries, number, mark)
    return None


def _from_start(entries: tuple[Entry, ...], number: int, start: Delta) -> Stream:
    first = bisect_right(entries, start.label, hi=number, key=_label) - 1
    for entry in entries[first:]:
        for mark in _marks(entry):
            if mark.key <= start.key:
                continue
            if mark.step.kind in TERMINAL_KINDS:
                return Stream(start, mark, None)
            if mark.step.kind == "start":
                return Stream(start, None, mark)
    return Stream(start, None, None)


def all_starts(document: Document) -> Iterator[Delta]:
    """Every delta that opens a stream, by run."""
    for run in document.index.names(STREAM):
        for entry in document.entries(STREAM, run):
            yield from [mark for mark in _marks(entry) if mark.step.kind == "start"]


def _label(entry: Entry) -> int:
    return entry.label


def _marks(entry: Entry) -> list[Delta]:
    return [
        Delta(entry.label, mark.segment, mark.step)
        for mark in entry.payloads
        if isinstance(mark, Mark)
    ]


def starts_in(placed: Placed) -> list[Delta]:
    """The deltas of a cell that open a stream."""
    cell = json_cell(placed)
    if quiet_run(cell) is not None:
        return []
    return [
        Delta(placed.label, number, step)
        for number, segment in enumerate(cell.segments)
        if segment.record is not None
        for step in segment.record.steps
        if step.kind == "start"
    ]


def span_of(document: Document, delta: Delta) -> Span:
    """Where a delta is, absolute."""
    placed = document.cell(delta.label)
    place = place_of(json_cell(placed), delta.segment, delta.step.path)
    return place.shift(placed.start_offset)


# -- its message ----------------------------------------------------------------------------


def wire_of(document: Document, delta: Delta) -> Wire:
    """A delta as a dictionary; any key may be missing."""
    cell = json_cell(document.cell(delta.label))
    value = value_at(cell.value(delta.segment), delta.step.path)
    return value if isinstance(value, dict) else {}


def assembled(
    document: Document, stream: Stream, until: Delta | None = None, most: int = MOST_CELLS
) -> SoFar:
    """The message of a stream up to a delta, or to its end.

    Only the last ``most`` lines are read.
    """
    last_key = _last_key(stream, until)
    first = document.number_of(stream.start.label)
    last = document.cell_count - 1 if last_key is None else document.number_of(last_key[0])
    skipped = max(last - first - most, 0)
    cells = [document.cell_number(first)]
    if skipped and until is not None and until.step.kind in CALL_KINDS:
        cells += _call_starts(document, until, range(first + 1, first + 1 + skipped))
    cells += islice(document.cells_from(first + 1 + skipped), last - first - skipped)
    assembler = Assembler()
    message: Wire = {}
    count = 0
    for wire in _wires(stream, cells, last_key):
        count += 1
        if wire["kind"] in TERMINAL_KINDS:
            message = _ended(assembler.so_far(stream.run) or {}, wire)
            break
        assembler.add(wire)
    return SoFar(message or assembler.so_far(stream.run) or {}, count, skipped)


def _last_key(stream: Stream, until: Delta | None) -> _Key | None:
    """The key of the last delta to be read; ``None`` to read to the end of the file."""
    ends = [delta.key for delta in (stream.end, stream.following, until) if delta is not None]
    return min(ends, default=None)


def _call_starts(document: Document, delta: Delta, numbers: range) -> list[Placed]:
    """The cells, of those numbers, with the start of the call that a delta continues."""
    said = occurrences(document, delta.step.name, delta.step.run, (MentionKind.START,))
    labels = sorted({other.label for other in said})
    return [document.cell(label) for label in labels if document.number_of(label) in numbers]


def _wires(stream: Stream, cells: Iterable[Placed], last: _Key | None) -> Iterator[Wire]:
    """The valid deltas of a stream in some cells, in order."""
    for placed in cells:
        cell = json_cell(placed)
        for segment, value in enumerate(cell.segments):
            steps = () if value.record is None else value.record.steps
            own = [step for step in steps if step.run == stream.run]
            read = cell.value(segment) if own else None
            for step in own:
                key = Delta(placed.label, segment, step).key
                if key < stream.start.key or (last is not None and key > last):
                    continue
                if key > stream.start.key and step.kind == "start":
                    return
                wire = value_at(read, step.path)
                if is_delta(wire):
                    yield wire


def _ended(message: Wire, terminal: Wire) -> Wire:
    if not message:
        return {}
    payload = terminal["payload"]
    about = {"finishReason": payload["finishReason"]} if terminal["kind"] == "done" else {}
    return {**message, "meta": {**message["meta"], **about}}

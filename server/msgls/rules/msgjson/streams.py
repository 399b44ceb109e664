"""What rules on streams share: the faults in the deltas of one run, and their places.

A line of JSONL knows the streams that it is entered in, and says in the index what is
wrong with its deltas; the elements of an array do not, so they say all their deltas
there, and are followed from the first one on. Either way a rule sees the same.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.jsontree import Path
from msgls.formats.msgjson.cells import RELATIONS, STREAM, CellMention, JsonCell, Mark
from msgls.formats.msgjson.records import Mention, MentionKind, Step
from msgls.formats.msgjson.shapes import TERMINAL_KINDS
from msgls.formats.msgjson.streams import Fault, FaultKind, Streams
from msgls.rules.base import Related
from msgls.text.spans import Span


class PlacedDelta(NamedTuple):
    """A delta in its place."""

    label: int
    """The label of its cell."""
    segment: int
    step: Step


class Finding(NamedTuple):
    """What is wrong with a delta, and the deltas that it has to do with."""

    spot: PlacedDelta
    fault: Fault
    start: PlacedDelta | None
    """The last ``start`` before it in its run."""
    terminal: PlacedDelta | None
    """The last ``done`` or ``error`` before it in its run."""


def findings(document: Document, run: str) -> Iterator[Finding]:
    """All that is wrong with the deltas of one run, in order."""
    start: PlacedDelta | None = None
    terminal: PlacedDelta | None = None
    for spot, faults in _followed(document, run):
        is_open = start is not None and _ends_stream(start, terminal)
        if is_open and start is not None and spot.step.kind == "start" and not faults:
            again = start.step.name == spot.step.name
            kind = FaultKind.START_REPEATED if again else FaultKind.TERMINAL_MISSING
            faults = (Fault(kind),)
        for fault in faults:
            # A line may have forgotten a stream in which nothing came for long.
            if fault.kind is not FaultKind.START_MISSING or not is_open:
                yield Finding(spot, fault, start, terminal)
        if spot.step.kind == "start":
            start = spot
        elif spot.step.kind in TERMINAL_KINDS and _ends_stream(start, terminal):
            terminal = spot


def _ends_stream(start: PlacedDelta | None, terminal: PlacedDelta | None) -> bool:
    """Whether a terminal is the first one of its stream."""
    return terminal is None or (start is not None and _is_before(terminal, start))


def unended(document: Document, run: str) -> PlacedDelta | None:
    """The start of the run's last stream, where it has not ended."""
    start: PlacedDelta | None = None
    for spot, _ in _followed(document, run):
        if spot.step.kind == "start":
            start = spot
        elif spot.step.kind in TERMINAL_KINDS:
            start = None
    return start


def _is_before(one: PlacedDelta, other: PlacedDelta) -> bool:
    return (one.label, one.segment, indices_of(one.step.path)) < (
        other.label,
        other.segment,
        indices_of(other.step.path),
    )


def indices_of(path: Path) -> tuple[int, ...]:
    """The indices on the way: of two deltas in one value, the later has the larger ones."""
    return tuple([step for step in path if isinstance(step, int)])


def _followed(document: Document, run: str) -> Iterator[tuple[PlacedDelta, tuple[Fault, ...]]]:
    streams = Streams()
    for entry in document.entries(STREAM, run):
        for mark in entry.payloads:
            if isinstance(mark, Mark):
                step, faults = mark.step, mark.faults
                if faults is None:
                    followed = streams.follow(step.kind, run, step.seq, step.name)
                    faults = tuple(followed)
                yield PlacedDelta(entry.label, mark.segment, step), faults


def cell_at(document: Document, label: int) -> JsonCell:
    """The cell with that label."""
    cell = document.cell(label).cell
    if not isinstance(cell, JsonCell):
        raise TypeError(f"{cell!r} is not a cell of JSON")
    return cell


def span_at(document: Document, spot: PlacedDelta, *path: str) -> Span:
    """Where a value of a delta is in its cell."""
    return cell_at(document, spot.label).span_of(spot.segment, (*spot.step.path, *path))


def related_to(document: Document, spot: PlacedDelta | None, key: str) -> tuple[Related, ...]:
    """Another delta, by its kind."""
    if spot is None:
        return ()
    return (Related(spot.label, span_at(document, spot, "kind"), key, {"kind": spot.step.kind}),)


# -- What rules on tool calls share: all mentions of a call, by run.


class PlacedMention(NamedTuple):
    """A mention of a tool call, and its place in the document."""

    label: int
    segment: int
    mention: Mention
    text: str = ""
    """More of the arguments."""


def mentions_of(
    document: Document, call: str, kinds: Collection[MentionKind]
) -> list[PlacedMention]:
    """Every mention of a call of these kinds, in order."""
    relations = dict.fromkeys([RELATIONS[kind] for kind in kinds])
    mentions = [
        PlacedMention(entry.label, *found)
        for relation in relations
        for entry in document.entries(relation, call)
        for found in entry.payloads
        if isinstance(found, CellMention) and found.mention.kind in kinds
    ]
    return mentions if len(relations) == 1 else sorted(mentions, key=_place)


def _place(placed: PlacedMention) -> tuple[int, int, tuple[int, ...]]:
    return placed.label, placed.segment, indices_of(placed.mention.path)


def by_run(document: Document, call: str, *kinds: MentionKind) -> dict[str, list[PlacedMention]]:
    """Mentions of some kinds, by the run that they belong to."""
    found: dict[str, list[PlacedMention]] = {}
    for placed in mentions_of(document, call, kinds):
        if placed.mention.run is not None:
            found.setdefault(placed.mention.run, []).append(placed)
    return found


def call_span(document: Document, placed: PlacedMention) -> Span:
    """Where the id of the call is in its cell."""
    return cell_at(document, placed.label).span_of(placed.segment, placed.mention.path)


def related_call(document: Document, placed: PlacedMention) -> Related:
    """Another mention of the call, as related information."""
    span, args = call_span(document, placed), {"call": placed.mention.call}
    return Related(placed.label, span, "related", args)

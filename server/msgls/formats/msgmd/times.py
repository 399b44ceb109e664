"""When outputs were made, in the order of the file.

Owns the reading of the ``time`` facts of the index: which of them are times of an
output at all, and which one is before another. Holds no state.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgls.formats.base import Entry, View
from msgls.formats.msgmd.attributes import parse_time
from msgls.syntax.cells import CellKind

RELATION = "time"


class Timed(NamedTuple):
    """An output's time, as a definition in some cell says it."""

    holder: int
    """The label of the cell that the definition stands in."""
    id: str
    label: int
    """The label of the output."""
    time: int


# Those of a piece of a long cell are asked for at every key that is typed into another one.
@lru_cache(maxsize=256)
def moments_in(payloads: tuple[object, ...]) -> Sequence[tuple[str, int]]:
    """The ids and times that definitions say; without what is not a time."""
    said = [payload for payload in payloads if isinstance(payload, tuple)]
    times = [(str(cell_id), parse_time(str(written).strip("\"'"))) for cell_id, written in said]
    return [(cell_id, time) for cell_id, time in times if time is not None]


def output_time(view: View, holder: int, cell_id: str, time: int) -> Timed | None:
    """A time as that of an output, if the id is an output's."""
    for header in view.entries("header", cell_id)[:1]:
        if CellKind.OUTPUT.value in header.payloads:
            return Timed(holder, cell_id, header.label, time)
    return None


def times_of(view: View, entry: Entry) -> Iterator[Timed]:
    """The times of outputs that the definitions in one cell say, in order."""
    for cell_id, time in moments_in(entry.payloads):
        found = output_time(view, entry.label, cell_id, time)
        if found is not None:
            yield found


def last_time_before(view: View, label: int) -> Timed | None:
    """The last time that is said in a cell before the one with that label."""
    entries = view.entries(RELATION, "")
    number = bisect_left(entries, (label,))
    while number:
        number -= 1
        times = list(times_of(view, entries[number]))
        if times:
            return times[-1]
    return None


def holders_after(view: View, label: int) -> Iterator[int]:
    """The labels of the cells whose times are compared with what is said at ``label``.

    That is the next cell that says one, and whatever is between and may come to say one.
    """
    entries = view.entries(RELATION, "")
    number = bisect_left(entries, (label + 1,))
    while number < len(entries):
        yield entries[number].label
        if any(times_of(view, entries[number])):
            return
        number += 1

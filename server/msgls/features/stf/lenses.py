"""Code lenses in a Simple Text Format file: how long a message is, and which calls wait.

Where they stand is cheap, for a whole document; what they say is asked for the few that
somebody sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.counting import counted, short_tokens
from msgls.features.lenses import Lens, Said
from msgls.features.stf.meaning import answers, cell_of, tokens_of
from msgls.formats.base import Placed
from msgls.formats.stf.calls import calls_in
from msgls.syntax.cells import CellKind
from msgls.text.phrases import EMPTY, Phrase, joined

STATE = "state"


def lenses(snapshot: Snapshot) -> Iterator[Lens]:
    """Where lenses are, in order."""
    for placed in snapshot.document.cells():
        cell = cell_of(placed)
        if cell is not None and cell.kind is CellKind.MESSAGE:
            yield Lens(placed.order, placed.start_line, STATE)


def say(snapshot: Snapshot, placed: Placed, what: str) -> Said:
    """What the lens above a message says."""
    cell = cell_of(placed)
    if cell is None:
        return Said(EMPTY)
    pieces = [short_tokens(tokens_of(cell, snapshot.tokens), snapshot.tokens)]
    calls = calls_in(cell)
    waiting = sum(not answers(snapshot.document, placed, call) for call in calls)
    if waiting:
        number = counted(len(calls), "call")
        pieces.append(Phrase("{calls}, {count:,} unanswered", calls=number, count=waiting))
    return Said(joined(pieces, " · "))

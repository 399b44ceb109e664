"""Code lenses in a Simple Text Format file: how long a message is, and who answers its calls.

Where they stand is cheap, for a whole document; what they say is asked for the few that
somebody sees. The one that stands for a command has its twin among the code actions.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.counting import counted
from msgls.features.lenses import Lens, Said
from msgls.features.stf.meaning import answers, cell_of, tokens_of
from msgls.formats.base import Placed
from msgls.formats.stf.calls import calls_in
from msgls.formats.stf.cells import StfCell
from msgls.model.cells import CellKind
from msgls.rules.base import ALONE, Surroundings
from msgls.text.phrases import Phrase

CALLS, LENGTH = "calls", "length"


def lenses(document: Document, surroundings: Surroundings = ALONE) -> Iterator[Lens]:
    """Where lenses are, in order."""
    for placed in document.cells():
        cell = cell_of(placed)
        if cell is None or cell.kind is not CellKind.MESSAGE:
            continue
        if calls_in(cell):
            yield Lens(placed.order, placed.start_line, CALLS)
        yield Lens(placed.order, placed.start_line, LENGTH)


def say(document: Document, placed: Placed, what: str, surroundings: Surroundings = ALONE) -> Said:
    """What a lens above a message says."""
    cell = cell_of(placed)
    if cell is None:
        return Said(Phrase(""))
    if what != CALLS:
        return Said(Phrase("About {tokens}", tokens=counted(tokens_of(cell), "token")))
    return _calls(document, placed, cell)


def _calls(document: Document, placed: Placed, cell: StfCell) -> Said:
    calls = calls_in(cell)
    found = {answer.order for call in calls for answer in answers(document, placed, call)}
    title = Phrase(
        "{calls}, {results}",
        calls=counted(len(calls), "tool call"),
        results=counted(len(found), "result"),
    )
    return Said(title, "msgls.cell.goToChild") if found else Said(title)

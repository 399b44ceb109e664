"""The names that a message of a Simple Text Format file says: ids of messages and of calls."""

from __future__ import annotations

from msgls.formats.stf.calls import IdKind, id_places
from msgls.formats.stf.cells import StfCell
from msgls.syntax.names import Name, NameKind, Use

_MEANT = {
    IdKind.MESSAGE: (NameKind.MESSAGE, Use.DECLARES),
    IdKind.CALL: (NameKind.CALL, Use.DECLARES),
    IdKind.RESULT: (NameKind.CALL, Use.ANSWERS),
}


def names_in(cell: StfCell) -> tuple[Name, ...]:
    """Every name that a cell says, in order."""
    return tuple(
        [
            Name(_MEANT[id.kind][0], id.text, id.span, _MEANT[id.kind][1], id.written)
            for id in id_places(cell)
        ]
    )

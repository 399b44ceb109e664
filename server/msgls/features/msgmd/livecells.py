"""Cells that are written into a message file while they arrive: an answer, or a run.

Owns their place in a document that the user edits meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgls.document.document import Document
from msgls.document.live import LiveText
from msgls.features.appending import CannotAppend, NoRoomYet
from msgls.features.msgmd.appending import check_room
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import gap_after
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.spans import Edit


def end_of_turn(document: Document, number: int) -> int:
    """The last of the cells that belong to a cell: its runs, or the calls and their results."""
    root = _root(document.cell_number(number))
    while root and number + 1 < document.cell_count:
        after = document.cell_number(number + 1)
        if after.cell.kind is CellKind.MESSAGE or _root(after) != root:
            break
        number += 1
    return number


def depth_of(placed: Placed) -> int:
    """How many `#` the marker of a cell has."""
    return 1 if placed.cell.header is None else placed.cell.header.depth


def _root(placed: Placed) -> str:
    return CellId(placed.cell.id or "").root


class LiveCells:
    """The cells of an answer or a run, while they are written."""

    def __init__(self, time: str, at: int) -> None:
        self.cell_ids: list[str] = []
        """The ids of the cells so far."""
        self.is_ended = False
        """Whether nothing more will arrive."""
        self.reason: str | None = None
        """Why they are not complete, once they have ended."""
        self._time = time
        self._at = at
        """An offset in the header of the cell that they follow or belong to; edits move it."""
        self._depth = 1
        """How many `#` their markers have."""
        self._live: LiveText | None = None
        """``None`` until the first cell is written."""
        self._arrived: list[Any] = []
        """What has arrived and is not written yet."""

    # -- the content of an answer or a run ----------------------------------------------------

    def end(self, reason: str | None) -> None:
        """Nothing more will arrive; ``reason`` says why, if it ended too early."""
        raise NotImplementedError

    @property
    def has_text(self) -> bool:
        """Whether there is anything to write, or was."""
        return bool(self.cell_ids or self._arrived)

    @property
    def is_full(self) -> bool:
        """Whether so much is waiting to be written that no more should be taken yet."""
        return False

    @property
    def is_written(self) -> bool:
        """Whether everything that has arrived is in the document."""
        return not self._arrived and (self._live is None or self._live.is_written)

    def edits(self, document: Document) -> Sequence[Edit] | None:
        """The edits for this version; ``None`` if the user has removed the cells.

        Raises ``CannotAppend`` while they cannot be appended, for example after an open fence.
        """
        raise NotImplementedError

    # -- the document -------------------------------------------------------------------------

    def follow(self, edit: Edit) -> None:
        """Follow an edit of the document."""
        if self._live is not None:
            self._live.follow(edit)
        (start, end), text = edit
        if end <= self._at:
            self._at += len(text) - (end - start)
        elif start < self._at:
            self._at = start

    @property
    def is_awaited(self) -> bool:
        """Whether no change has come yet that could be the last edits."""
        return self._live is not None and self._live.is_awaited

    def settle(self, document: Document) -> bool:
        """Whether the last edits are in the document; ``edits`` returns the others again."""
        return self._live is None or self._live.settle(document.store.slice)

    def header_offset(self, document: Document) -> int:
        """The start of the cell that is, or will be, written."""
        for cell_id in reversed(self.cell_ids):
            for entry in document.entries("header", cell_id):
                return document.cell(entry.label).start_offset
        return self._at if self._live is None else self._live.offset

    def _room_after(self, document: Document, after: Placed) -> tuple[LiveText, str]:
        """The place for cells after another one, and the gap between them and what follows.

        Their markers are as deep as that of the cell that the other one belongs to.
        """
        try:
            check_room(document, after)
        except CannotAppend as reason:
            raise NoRoomYet(reason.phrase) from None
        roots = document.entries("header", _root(after))
        self._depth = depth_of(document.cell(roots[0].label) if roots else after)
        newline = document.newline
        is_last = after.label == document.cell_number(document.cell_count - 1).label
        live = LiveText(after.span.end, "")
        live.write(gap_after(document, after))
        return live, newline if is_last else newline * 2

    def _header(self, cell_id: str) -> str:
        return f"{'#' * self._depth} %%% [^{cell_id}]"

    def _cell(self, document: Document) -> Placed:
        placed = document.cell_at_offset(self._at)
        if placed is None:
            raise CannotAppend("the cell that this belongs to is gone")
        return placed

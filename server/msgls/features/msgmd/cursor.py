"""The cursor in a message file, for completion: its line, and the cells before it."""

from __future__ import annotations

import re

from msgls.document.snapshot import Snapshot
from msgls.features import cursor
from msgls.features.msgmd import snippets


class Cursor(cursor.Cursor):
    """A place in a message file, and the line around it."""

    def __init__(self, snapshot: Snapshot, offset: int) -> None:
        super().__init__(snapshot.document, offset)
        self.now = snapshot.time

    @property
    def cells_before(self) -> snippets.Before:
        """The nearest cells that start before the line."""
        number = 0
        if self.placed is not None:
            number = self.document.number_at_offset(self.offset) or 0
            number += self.placed.start_offset < self.line_start
        return snippets.cells_before(self.document, number)


def closing_of(after: str, rest: re.Pattern[str]) -> tuple[str, str]:
    """The text after the cursor to replace; and the closing bracket, if it is missing."""
    match = rest.match(after)
    return ("", "]") if match is None else (match.group(), "")

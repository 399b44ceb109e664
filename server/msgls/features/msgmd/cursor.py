"""Where somebody types: the cursor, the line around it, and the cells before it."""

from __future__ import annotations

import re
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.msgmd import snippets
from msgls.formats.base import Placed
from msgls.text.spans import Edit, Span


class Cursor(NamedTuple):
    """A place, and the line around it."""

    document: Document
    offset: int
    line: int
    line_start: int
    before: str
    after: str
    placed: Placed | None
    now: str

    def edit(self, typed: str, rest: str, text: str) -> Edit:
        """Put ``text`` for what was typed and for the ``rest`` that it stands in front of."""
        return Edit(Span(self.offset - len(typed), self.offset + len(rest)), text)

    @property
    def relative_line_start(self) -> int:
        """Where the line starts in its cell."""
        return self.line_start - (0 if self.placed is None else self.placed.start_offset)

    @property
    def cells_before(self) -> snippets.Before:
        """The nearest cells that start before the line."""
        number = 0
        if self.placed is not None:
            number = self.document.number_at_offset(self.offset) or 0
            number += self.placed.start_offset < self.line_start
        return snippets.cells_before(self.document, number)


def cursor_at(snapshot: Snapshot, offset: int) -> Cursor:
    """The cursor at an offset, wherever that lies."""
    document = snapshot.document
    offset = min(max(offset, 0), len(document.store))
    line, column = document.position_of(offset)
    text = document.store.line_text(line)
    # Between the two characters of a line break: the end of the line is meant.
    offset = min(offset, document.store.line_span(line).end)
    placed = document.cell_at_offset(offset)
    before, after = text[:column], text[column:]
    return Cursor(document, offset, line, offset - column, before, after, placed, snapshot.time)


def closing_of(after: str, rest: re.Pattern[str]) -> tuple[str, str]:
    """What of the line behind the cursor is replaced, and the bracket, where it is missing."""
    match = rest.match(after)
    return ("", "]") if match is None else (match.group(), "")

"""Values and paths in a JSON cell, by offset and back. Parses only the cell at the offset."""

from __future__ import annotations

from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.jsontree import JsonValue, Path
from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.records import Item
from msgls.formats.msgjson.shapes import DELTA_KINDS, TERMINAL_KINDS
from msgls.formats.strictjson import strict_loads
from msgls.text.lines import line_bounds
from msgls.text.spans import Span


class Here(NamedTuple):
    """An offset in a value of a cell."""

    placed: Placed
    cell: JsonCell
    segment: int
    at: int
    """The offset, relative to the value."""

    @property
    def base(self) -> int:
        """Where the value begins, absolute."""
        return self.placed.start_offset + self.cell.segments[self.segment].span.start

    @property
    def path(self) -> Path:
        """The path of the innermost value around the offset, or of the value of the key there."""
        return self.cell.tree(self.segment).path_at(self.at)


def json_cell(placed: Placed) -> JsonCell:
    """The cell as one of JSON, as all cells of such a file are."""
    assert isinstance(placed.cell, JsonCell)
    return placed.cell


def here_at(document: Document, offset: int) -> Here | None:
    """The value around ``offset``."""
    placed = document.cell_at_offset(offset)
    if placed is None:
        return None
    cell = json_cell(placed)
    at = offset - placed.start_offset
    for number, segment in enumerate(cell.segments):
        if segment.span.contains(at):
            return Here(placed, cell, number, at - segment.span.start)
    return None


def quiet_run(cell: JsonCell) -> str | None:
    """The run of a cell that is one delta inside its stream, as nearly every line is."""
    segments = cell.segments
    record = segments[0].record if len(segments) == 1 else None
    if record is None or len(record.steps) != 1 or len(record.items) != 1:
        return None
    step = record.steps[0]
    return step.run if step.kind in _GOES_ON else None


_GOES_ON = DELTA_KINDS - TERMINAL_KINDS - {"start", "tool_call_start", "tool_call_end"}


def innermost_item(cell: JsonCell, segment: int, path: Path) -> Item | None:
    """The message, delta or entry that a path leads into."""
    record = cell.segments[segment].record
    inside = [
        item
        for item in (() if record is None else record.items)
        if item.path == path[: len(item.path)]
    ]
    return max(inside, key=lambda item: len(item.path), default=None)


def place_of(cell: JsonCell, segment: int, path: Path) -> Span:
    """The span of a message or a delta in its cell.

    If it is a whole value, as nearly every one is, nothing has to be parsed.
    """
    if not path or path == ("payload",):
        return cell.segments[segment].span
    return cell.span_of(segment, path)


def head_of(cell: JsonCell, segment: int, path: Path) -> Span:
    """The first line of a message or a delta, relative to the cell."""
    span = place_of(cell, segment, path)
    return Span(span.start, min(span.end, line_bounds(cell.text, span.start)[1]))


def text_of(value: JsonValue, text: str) -> str | None:
    """The text of a value, if it is a closed string."""
    try:
        found = strict_loads(value.span.of(text)) if value.kind == "string" else None
    except ValueError:
        return None
    return found if isinstance(found, str) else None

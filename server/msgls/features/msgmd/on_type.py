"""On type in a message file: a header's blank, the prefix of output lines.

Owns the two cases. Each looks at one line and the cell that it stands in.
"""

from __future__ import annotations

import re

from msgls.document.document import Document
from msgls.formats.msgmd.meaning import CellRole, meaning_of
from msgls.text.lines import line_bounds
from msgls.text.spans import Edit, Span

_STREAM = re.compile(r"(stdout|stderr)>[ \t]*")
_MARKER = re.compile(r"#{1,5}[ \t]+%%%?")
# Typed on behind the blank that the second one brought along.
_THIRD = re.compile(r"#{1,5}[ \t]+%% %")


def on_type(document: Document, offset: int, character: str) -> list[Edit]:
    """What to do after ``character`` was typed right before ``offset``."""
    if character == "%":
        return _after_percent(document, offset)
    return _after_enter(document, offset) if character == "\n" else []


def _after_percent(document: Document, offset: int) -> list[Edit]:
    """A blank behind the marker, so that title or id can follow."""
    placed = document.cell_at_offset(offset)
    if placed is None:
        return []
    cell, at = placed.cell, offset - placed.start_offset
    start, end = line_bounds(cell.text, at)
    before, behind = cell.text[start:at].removeprefix("\ufeff"), cell.text[at:end]
    is_header = cell.header is not None and cell.header.span.contains(at)
    if not is_header and not any(miss.span.contains(at) for miss in cell.near_misses):
        return []
    if not behind and _THIRD.fullmatch(before):
        return [Edit(Span(offset - 2, offset), "% ")]
    if not _MARKER.fullmatch(before) or behind[:1] in (" ", "\t", "%"):
        return []
    return [Edit(Span(offset, offset), " ")]


def _after_enter(document: Document, offset: int) -> list[Edit]:
    """Go on with the stream of the line above; an empty line of it is the end of it."""
    line = document.position_of(offset).line
    above = document.store.line_text(line - 1) if line else ""
    prefix = _STREAM.match(above)
    placed = document.cell_at_offset(offset)
    if prefix is None or placed is None:
        return []
    if meaning_of(document, placed).role is not CellRole.RUN:
        return []
    here, there = document.store.line_span(line), document.store.line_span(line - 1)
    text = document.store.line_text(line)
    if _STREAM.match(text):
        return []
    if prefix.end() == len(above) and not text.strip(" \t"):
        return [Edit(Span(there.start, here.start), "")]
    blanks = len(text) - len(text.lstrip(" \t"))
    return [Edit(Span(here.start, here.start + blanks), f"{prefix.group(1)}> ")]

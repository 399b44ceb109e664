"""Text that is to be content of a message file, whatever it looks like.

Owns where a backslash is needed: at line starts outside of fences, for what stands in a fence
is content already.
"""

from __future__ import annotations

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.content import escape
from msgls.text.patterns import lazy_pattern

_LINE_BREAK = lazy_pattern(r"\r\n|\n|\r")
_DEFINED_ID = lazy_pattern(r"\[\^([^\s\[\]^]+)\]:")


def as_content(snapshot: Snapshot, offset: int, text: str) -> str:
    """``text``, written so that no line of it makes or defines a cell when it is put at ``offset``.

    Text that is put behind something else begins in the middle of a line: its first line
    cannot be a marker.
    """
    document = snapshot.document
    if _is_fenced(document, offset):
        return text
    start = 0
    if not _is_line_start(document, offset):
        line_break = _LINE_BREAK.search(text)
        start = len(text) if line_break is None else line_break.end()
    ids = {name for name in _DEFINED_ID.findall(text) if document.entries("header", name)}
    return text[:start] + escape(text[start:], ids)


def _is_fenced(document: Document, offset: int) -> bool:
    placed = document.cell_at_offset(offset)
    if placed is None:
        return False
    inside = offset - placed.start_offset
    return any(
        fence.content.start <= inside and (fence.close is None or inside <= fence.close.start)
        for fence in placed.cell.fences
        if fence.span.start < inside <= fence.span.end
    )


def _is_line_start(document: Document, offset: int) -> bool:
    return document.position_of(offset).character == 0

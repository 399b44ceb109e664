"""The definition of a message file's new cell, as MSG101 would have it."""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.edits import line_break_of
from msgls.rules.base import Subject
from msgls.rules.msgmd.ids import likely_definition
from msgls.rules.msgmd.msg101_header_without_definition import HeaderWithoutDefinition


def missing_definition(snapshot: Snapshot, offset: int) -> str | None:
    """What to insert at ``offset``, the empty line below a header, to define its cell."""
    document = snapshot.document
    placed = document.cell_at_offset(offset)
    header = None if placed is None else placed.cell.header
    if placed is None or header is None or header.id is None:
        return None
    line = document.position_of(offset).line
    header_line = document.position_of(placed.start_offset + header.span.start).line
    if line != header_line + 1 or document.store.line_text(line):
        return None
    subject = Subject(snapshot, snapshot.meaning(placed))
    if next(HeaderWithoutDefinition().check(subject), None) is None:
        return None
    newline = line_break_of(document)
    is_last = document.store.line_span(line).end == len(document.store)
    is_followed = not is_last and document.store.line_text(line + 1).strip(" \t") != ""
    text = newline + likely_definition(document, placed, header.id.text)
    return text + (newline if is_last or is_followed else "")

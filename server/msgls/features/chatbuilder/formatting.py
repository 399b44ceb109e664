"""The formatter of messages: the spacing of header lines, and the gap between header and body.

Owns the format of a header: ``; Key: value`` with single spaces and none at the end, ``;`` alone
for an empty line, two empty lines below. Only empty lines are added or removed, the fields and the
start of the body stay the same, and the body is never touched.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.chatbuilder.places import header_of
from msgls.formats.chatbuilder.escapes import escape
from msgls.formats.chatbuilder.header import Line, MessageHeader
from msgls.text.spans import Edit, Span


def format_document(snapshot: Snapshot) -> list[Edit]:
    """The edits that format the header."""
    return format_range(snapshot, Span(0, len(snapshot.document.store)))


def format_range(snapshot: Snapshot, span: Span) -> list[Edit]:
    """The edits that format the lines of the header that a span touches."""
    document = snapshot.document
    header = header_of(document)
    if header is None:
        return []
    edits = [
        edit
        for edit in _edits(document, header)
        if edit.span.start <= span.end and span.start <= edit.span.end
    ]
    after = header_of(document.apply(edits)) if edits else None
    return edits if after is not None and _sense(after) == _sense(header) else []


def _edits(document: Document, header: MessageHeader) -> Iterator[Edit]:
    for line in header.lines:
        # A line without `;` is an error with a fix of its own.
        if not line.bare:
            written, tidy = document.store.slice(line.span), _tidy(line)
            if written != tidy:
                yield Edit(line.span, tidy)
    gap = header.gap
    if header.lines and header.body_start < len(document.store):
        tidy = document.newline * 3
        if document.store.slice(gap) != tidy:
            yield Edit(gap, tidy)


def _tidy(line: Line) -> str:
    field = line.field
    said = line.comment if field is None else f"{field.key}: {field.value}".rstrip(" ")
    return f"; {said}" if said else ";"


def _sense(header: MessageHeader) -> list[tuple[str, str, str, bool]]:
    return [
        ("", "", line.comment, line.bare)
        if line.field is None
        else (line.field.key, line.field.value, "", line.bare)
        for line in header.lines
    ]


# -- Escaping text that is to be content of a message: what looks like a fence gets a backslash.
# In fences as well: the parser removes the backslash wherever it is at the start of a line.


def escaped(snapshot: Snapshot, offset: int, text: str) -> str:
    """Lines, escaped for the body; unchanged in the header."""
    header = header_of(snapshot.document)
    return text if header is None or offset < header.body_start else escape(text)

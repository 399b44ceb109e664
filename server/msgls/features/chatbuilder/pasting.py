"""Text that is to be content of a message: what looks like a fence gets its backslash.

In fences as well: reading takes the backslash away wherever it stands at the start of a line.
"""

from __future__ import annotations

from msgls.document.snapshot import Snapshot
from msgls.features.chatbuilder.places import header_of
from msgls.formats.chatbuilder.escapes import escape
from msgls.text.patterns import lazy_pattern

_LINE_BREAK = lazy_pattern(r"\r\n|\n|\r")


def as_content(snapshot: Snapshot, offset: int, text: str) -> str:
    """``text`` for the body; a header takes it as it is.

    Text that is put behind something else begins in the middle of a line: its first line
    cannot be a fence.
    """
    document = snapshot.document
    header = header_of(document)
    if header is None or offset < header.body_start:
        return text
    start = 0
    if document.position_of(offset).character:
        line_break = _LINE_BREAK.search(text)
        start = len(text) if line_break is None else line_break.end()
    return text[:start] + escape(text[start:])

"""A fork of a conversation: everything up to a cell, with the same ids.

Owns where the new file ends. The text is copied unchanged, so that comparing and merging can
match the cells of both files by their ids.
"""

from __future__ import annotations

from msgls.document.document import Document
from msgls.formats.base import Placed


def cell_with_id(document: Document, cell_id: str) -> Placed | None:
    """The first cell with that id, if there is one."""
    return next((placed for placed in document.cells() if placed.cell.id == cell_id), None)


def forked(document: Document, last: Placed) -> str:
    """The text up to and including a cell.

    Definitions of these cells that are further down in the file are added after the last cell.
    """
    end = last.start_offset + len(last.cell.text)
    kept: set[str | None] = set()
    later: list[str] = []
    for placed in document.cells():
        if placed.start_offset < end:
            kept.add(placed.cell.id)
            continue
        later += [
            definition.span.of(placed.cell.text)
            for definition in placed.cell.definitions
            if definition.id.text in kept
        ]
    text = document.text[:end].rstrip("\r\n")
    return "\n".join([text, *["\n" + line.strip("\r\n") for line in later], ""])


def ids_of(document: Document) -> list[str]:
    """The ids that a file can be forked at."""
    return [placed.cell.id for placed in document.cells() if placed.cell.id]

"""A fork of a conversation: everything up to a cell, with the same ids.

Owns where the new file ends. The text is copied unchanged, so that comparing and merging can
match the cells of both files by their ids.
"""

from __future__ import annotations

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.syntax.cells import Cell


def cell_with_id(document: Document, cell_id: str) -> Placed | None:
    """The first cell with that id, if there is one."""
    found = (placed for placed in document.cells() if _id_of(placed.cell) == cell_id)
    return next(found, None)


def forked(document: Document, last: Placed) -> str:
    """The text up to and including a cell.

    Definitions of these cells that are further down in the file are added after the last cell.
    """
    end = last.start_offset + len(last.cell.text)
    kept: set[str] = set()
    later: list[str] = []
    for placed in document.cells():
        if placed.start_offset < end:
            kept.add(_id_of(placed.cell))
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
    return [own for placed in document.cells() if (own := _id_of(placed.cell))]


def _id_of(cell: Cell) -> str:
    return "" if cell.header is None or cell.header.id is None else cell.header.id.text

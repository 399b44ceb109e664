"""A new conversation from a point of another one: everything up to a cell, ids kept.

Owns where the new file ends. The text is kept as it is, so that comparing and merging know
the cells of both files by their ids.
"""

from __future__ import annotations

from msgls.document.document import Document
from msgls.syntax.cells import Cell


def forked(document: Document, cell_id: str) -> str | None:
    """The text up to and with the cell of that id; nothing where there is no such cell.

    A definition that stands further down comes along, behind the last cell.
    """
    end = None
    kept: set[str] = set()
    later: list[str] = []
    for placed in document.cells():
        own = _id_of(placed.cell)
        if end is None:
            kept.add(own)
            if own == cell_id:
                end = placed.start_offset + len(placed.cell.text)
        if end is not None and placed.start_offset >= end:
            later += [
                definition.span.of(placed.cell.text)
                for definition in placed.cell.definitions
                if definition.id.text in kept
            ]
    if end is None:
        return None
    text = document.text[:end].rstrip("\r\n")
    return "\n".join([text, *["\n" + line.strip("\r\n") for line in later], ""])


def ids_of(document: Document) -> list[str]:
    """The ids that a file can be forked at."""
    return [own for placed in document.cells() if (own := _id_of(placed.cell))]


def _id_of(cell: Cell) -> str:
    return "" if cell.header is None or cell.header.id is None else cell.header.id.text

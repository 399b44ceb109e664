"""Answers about a whole document that do not keep anybody waiting.

The first such answer reads the parts of every cell, which takes a second in a very large
file. Here that is done cell by cell, with a pause after some: between the slices the loop
handles whatever comes in. The document is the one of the request, whatever is typed since.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

from msgls.document.document import Document

T = TypeVar("T")
Sliced: TypeAlias = T | Generator[None, None, T]
"""An answer, or the way to it."""

# Cells that are read in a millisecond or two; fewer than some slices are answered at once.
_SLICE = 50
FEW = 20 * _SLICE


def in_slices(document: Document, answer: Callable[[], T]) -> Sliced[T]:
    """What ``answer`` gives; of a large document, after its cells were read slice by slice."""
    if document.cell_count <= FEW:
        return answer()
    return _read_first(document, answer)


def _read_first(document: Document, answer: Callable[[], T]) -> Generator[None, None, T]:
    for number, placed in enumerate(document.cells()):
        # Touched, and thereby kept with the cell.
        cell = placed.cell
        _ = cell.header, cell.home, cell.headings, cell.fences
        if number % _SLICE == 0:
            yield
    return answer()

"""Where problems are while a long cell is edited: relative to a piece, not to its cell.

A rule says where a problem is relative to the cell. Kept like that, every problem in a cell of
megabytes would have to be found again for each key typed into it. Relative to its piece, a problem
stays true as long as the pieces stay that it covers. A cell of one piece has the label of that
piece: there, both are the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.rules.base import Problem, Related
from msgls.text.spans import Span
from msgls.text.work import MANY, Work, gathered


def whole(label: int) -> int:
    """A cell as a whole, among the labels of pieces: those are not negative."""
    return ~label


def _at(problem: Problem, label: int, span: Span, related: tuple[Related, ...]) -> Problem:
    """The same problem in another place; the same object where it is the same."""
    code, old_label, old_span, key, args, old_related, *rest = problem
    if label == old_label and span is old_span and related is old_related:
        return problem
    # Not by `_replace`: a file whose definitions are all at its end has very many.
    return Problem(code, label, span, key, args, related, *rest)


class _Pieces(NamedTuple):
    """The pieces of a long cell."""

    labels: list[int]
    starts: list[int]
    """Where they start in the cell."""


class Places:
    """The way between cells and pieces, in one version of a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._has_long = document.has_long_cells
        self._pieces: dict[int, _Pieces | None] = {}
        """By label, the cells that were looked at; those of one piece have nothing."""
        self._cells: dict[int, tuple[int, int]] = {}
        """By label of a piece, the label of its cell, and where the piece starts in it."""

    def saw(self, placed: Placed) -> None:
        """Remember what a cell shows that is at hand."""
        if self._has_long and len(placed.cell.parts) == 1:
            self._pieces[placed.label] = None

    def to_pieces(self, problems: Iterable[Problem]) -> tuple[tuple[Problem, ...], set[int]]:
        """Problems relative to cells, relative to pieces; and the labels that they concern.

        Those are the pieces that they cover or point at, and the cells that they are about.
        """
        labels: set[int] = set()
        placed = [self._to_piece(problem, labels) for problem in problems]
        return tuple(placed), labels

    def placing(self, problems: Iterable[Problem]) -> Work[tuple[tuple[Problem, ...], set[int]]]:
        """The same with pauses."""
        labels: set[int] = set()
        each = (self._to_piece(problem, labels) for problem in problems)
        return tuple((yield from gathered(each, MANY))), labels

    def _to_piece(self, problem: Problem, labels: set[int]) -> Problem:
        if problem.subject is not None:
            labels.add(whole(problem.subject))
        label, span = self._in_piece(problem.label, problem.span, labels)
        related = problem.related
        if related:
            related = self._moved(related, [self._in_piece(*r[:2], labels) for r in related])
        return _at(problem, label, span, related)

    def _in_piece(self, label: int, span: Span, labels: set[int]) -> tuple[int, Span]:
        pieces = self._pieces_of(label) if self._has_long else None
        if pieces is None:
            labels.add(label)
            return label, span
        first = bisect_right(pieces.starts, span.start) - 1
        last = max(bisect_left(pieces.starts, span.end) - 1, first)
        labels.update(pieces.labels[first : last + 1])
        start = pieces.starts[first]
        return pieces.labels[first], span.shift(-start) if start else span

    def _pieces_of(self, label: int) -> _Pieces | None:
        if label not in self._pieces:
            starts, labels, start = [], [], 0
            for chunk in self._document.pieces_of(label):
                starts.append(start)
                labels.append(chunk.label)
                start += len(chunk.text)
            self._pieces[label] = _Pieces(labels, starts) if len(labels) > 1 else None
        return self._pieces[label]

    def to_cells(self, problem: Problem) -> Problem:
        """A problem relative to a piece, relative to the cell that the piece is in now."""
        if not self._has_long:
            return problem
        label, span = self.in_cell(problem.label, problem.span)
        related = problem.related
        if related:
            related = self._moved(related, [self.in_cell(*r[:2]) for r in related])
        return _at(problem, label, span, related)

    def _moved(
        self, related: tuple[Related, ...], places: Sequence[tuple[int, Span]]
    ) -> tuple[Related, ...]:
        if all(place == r[:2] for place, r in zip(places, related, strict=True)):
            return related
        pairs = zip(related, places, strict=True)
        return tuple([r._replace(label=label, span=span) for r, (label, span) in pairs])

    def all_to_cells(self, problems: Iterable[Problem]) -> list[Problem]:
        """Very many at once, after one walk through the document."""
        if self._has_long:
            for placed in self._document.cells():
                if len(placed.cell.parts) == 1:
                    self._cells[placed.label] = placed.label, 0
        return [self.to_cells(problem) for problem in problems]

    def in_cell(self, label: int, span: Span) -> tuple[int, Span]:
        """A place relative to a piece, relative to its cell."""
        if not self._has_long:
            return label, span
        found = self._cells.get(label)
        if found is None:
            placed, start = self._document.cell_of_piece(label)
            found = self._cells[label] = placed.label, start
        label, start = found
        return label, span.shift(start) if start else span

    def pieces(self, labels: Collection[int]) -> Collection[int]:
        """The labels of all pieces of those cells."""
        if not self._has_long:
            return labels
        found = set(labels)
        for label in labels:
            pieces = self._pieces_of(label)
            if pieces is not None:
                found.update(pieces.labels)
        return found

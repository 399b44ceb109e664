"""What a merge left behind: ``<<<<<<<`` … ``=======`` … ``>>>>>>>``.

Owns the putting together of such lines to conflicts. A lone ``=======`` underlines
a heading, and means nothing here.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgls.formats.base import View
from msgls.syntax.cells import Cell, ConflictLine
from msgls.text.lines import LINE_START
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_OPEN = "<" * 7
# Inside the frontmatter the lexer looks for its end alone.
_MARK = lazy_pattern(LINE_START + r"(?:<{7}|>{7}|\|{7}|={7})(?:[ ][^\r\n]*)?(?=[\r\n]|\Z)")


class Mark(NamedTuple):
    """A line of a conflict, relative to the cell with that label."""

    label: int
    span: Span


class Conflict(NamedTuple):
    """One conflict, from top to bottom."""

    ours: Mark
    base: Mark | None
    theirs: Mark | None
    """Nothing where ``=======`` is gone: then it is unknown what belongs to which side."""
    end: Mark


def conflicts(view: View) -> list[Conflict]:
    """The conflicts of a file, in order; they may run through several cells."""
    labels = {entry.label for character in "<|=>" for entry in view.entries("conflict", character)}
    first = view.first_cell()
    if first is None or not (_opens_in_frontmatter(first.cell) or view.entries("conflict", "<")):
        return []
    labels.add(first.label)
    lines = ((label, line) for label in sorted(labels) for line in marks(view.cell(label).cell))
    return list(_together(lines))


def has_conflict_in_frontmatter(cell: Cell) -> bool:
    """Whether a conflict starts in the frontmatter and ends before the first marker."""
    if not _opens_in_frontmatter(cell) or cell.frontmatter is None:
        return False
    found = _together((0, line) for line in marks(cell))
    return any(conflict.ours.span.start < cell.frontmatter.end for conflict in found)


def marks(cell: Cell) -> list[ConflictLine]:
    """The lines of conflicts in a cell, its frontmatter included."""
    found = []
    if _opens_in_frontmatter(cell) and cell.frontmatter is not None:
        found += [
            ConflictLine(match.group()[0], Span(*match.span()))
            for match in _MARK.finditer(cell.text, 0, cell.frontmatter.end)
        ]
    return [*found, *cell.conflicts]


def _opens_in_frontmatter(cell: Cell) -> bool:
    return cell.frontmatter is not None and cell.text.find(_OPEN, 0, cell.frontmatter.end) >= 0


def _together(lines: Iterable[tuple[int, ConflictLine]]) -> Iterator[Conflict]:
    """The conflicts that lines make in that order; a line that does not fit starts again."""
    ours = base = theirs = None
    for label, line in lines:
        mark = Mark(label, line.span)
        if line.mark == "<":
            ours, base, theirs = mark, None, None
        elif ours is None:
            continue
        elif line.mark == "|" and base is None and theirs is None:
            base = mark
        elif line.mark == "=" and theirs is None:
            theirs = mark
        elif line.mark == ">":
            yield Conflict(ours, base, theirs, mark)
            ours = base = theirs = None

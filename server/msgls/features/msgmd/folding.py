"""Folding in a message file: cells and what is in them, frontmatter, tool traffic, reasoning."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from msgls.document.document import Document
from msgls.features.folding import Fold, FoldKind
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import CellRole, Meaning, meaning_of
from msgls.model.cells import CellKind
from msgls.text.phrases import Phrase

_TRAFFIC = (CellRole.CALL, CellRole.RESULT)
_LEAST_TRAFFIC = 3


def folding(document: Document) -> list[Fold]:
    """Everything that can be folded, outer things first."""
    meanings = [meaning_of(document, placed) for placed in document.cells()]
    folds: list[Fold] = []
    for number, meaning in enumerate(meanings):
        folds += _cell_folds(meaning, _last_line_of_branch(meanings, number))
    folds += _traffic_folds(meanings)
    unique = {(fold.start_line, fold.end_line): fold for fold in reversed(folds)}
    return sorted(unique.values(), key=lambda fold: (fold.start_line, -fold.end_line))


def _last_line_of_branch(meanings: Sequence[Meaning], number: int) -> int:
    """A cell folds with the deeper cells behind it."""
    header = meanings[number].cell.header
    last = number
    if header is not None:
        for following in range(number + 1, len(meanings)):
            other = meanings[following].cell.header
            if other is None or other.depth <= header.depth:
                break
            last = following
    return last_line(meanings[last].placed)


def last_line(placed: Placed) -> int:
    """The last line of a cell that is not blank."""
    text = placed.cell.text
    blank = len(text) - len(text.rstrip(" \t\r\n"))
    starts = placed.cell.line_starts
    end = len(text) - blank
    number = len(starts) - 1
    while number > 0 and starts[number] >= end:
        number -= 1
    return placed.start_line + number


def _line_in(placed: Placed, offset: int) -> int:
    return placed.start_line + bisect_right(placed.cell.line_starts, offset) - 1


def _cell_folds(meaning: Meaning, last: int) -> Iterator[Fold]:
    placed, cell = meaning.placed, meaning.cell
    if cell.kind is not CellKind.PREAMBLE and last > placed.start_line:
        yield Fold(placed.start_line, last, FoldKind.REGION)
    if cell.frontmatter is not None:
        end = _line_in(placed, cell.frontmatter.end)
        if end > placed.start_line:
            yield Fold(placed.start_line, end, FoldKind.IMPORTS, Phrase("frontmatter"))
    for fence in cell.fences:
        start, end = _line_in(placed, fence.span.start), _line_in(placed, fence.span.end)
        if fence.close is None:
            end = max(end - 1, start)
        if end > start:
            yield Fold(start, end)
    yield from _heading_folds(placed)
    yield from _definition_folds(placed)
    if meaning.role is CellRole.CODE and cell.code_block is not None:
        yield from _reasoning_folds(placed, cell.code_block.span.start)


def _heading_folds(placed: Placed) -> Iterator[Fold]:
    headings = placed.cell.headings
    end_of_cell = last_line(placed)
    for number, heading in enumerate(headings):
        following = (h for h in headings[number + 1 :] if h.level <= heading.level)
        after = next(following, None)
        end = end_of_cell if after is None else _line_in(placed, after.span.start) - 1
        start = _line_in(placed, heading.span.start)
        if end > start:
            yield Fold(start, end)


def _definition_folds(placed: Placed) -> Iterator[Fold]:
    """Definitions that stand together, as where a writer puts all of them at the end."""
    text, definitions = placed.cell.text, placed.cell.definitions
    first = 0
    for number, definition in enumerate(definitions):
        end = definition.span.end
        following = definitions[number + 1 : number + 2]
        if following and not text[end : following[0].span.start].strip(" \t\r\n"):
            continue
        if number > first:
            start = _line_in(placed, definitions[first].span.start)
            yield Fold(start, _line_in(placed, end), FoldKind.COMMENT, Phrase("definitions"))
        first = number + 1


def _reasoning_folds(placed: Placed, block_start: int) -> Iterator[Fold]:
    """The prose before the block of a code cell."""
    cell = placed.cell
    start = cell.body.start if cell.home is None else cell.home.span.end
    prose = cell.text[start:block_start]
    if prose.strip(" \t\r\n"):
        first = start + len(prose) - len(prose.lstrip(" \t\r\n"))
        last = start + len(prose.rstrip(" \t\r\n"))
        first_line, end_line = _line_in(placed, first), _line_in(placed, last)
        if end_line > first_line:
            yield Fold(first_line, end_line, FoldKind.COMMENT, Phrase("reasoning"))


def _traffic_folds(meanings: Sequence[Meaning]) -> Iterator[Fold]:
    """Runs of calls and results."""
    start: int | None = None
    for number in range(len(meanings) + 1):
        inside = number < len(meanings) and meanings[number].role in _TRAFFIC
        if inside and start is None:
            start = number
        elif not inside and start is not None:
            count = number - start
            if count >= _LEAST_TRAFFIC:
                first = meanings[start].placed.start_line
                last = last_line(meanings[number - 1].placed)
                text = Phrase("{count} tool cells", count=count)
                yield Fold(first, last, FoldKind.REGION, text)
            start = None

"""Folds of a message file that follow from what its cells are: reasoning, runs of tool cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgls.document.document import Document
from msgls.features.folding import Fold, last_line, line_of
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.meaning import meaning_of
from msgls.syntax.nodes import FoldKind
from msgls.text.phrases import Phrase

_TRAFFIC = (CellRole.CALL, CellRole.RESULT)
_LEAST_TRAFFIC = 3


def folds(document: Document, cells: Sequence[Placed]) -> Iterator[Fold]:
    """The prose before the block of each code cell, and runs of calls and results."""
    traffic: list[Meaning] = []
    for placed in cells:
        meaning = meaning_of(document, placed)
        if meaning.role is CellRole.CODE:
            yield from _reasoning(placed)
        if meaning.role in _TRAFFIC:
            traffic.append(meaning)
        else:
            yield from _traffic(traffic)
            traffic = []
    yield from _traffic(traffic)


def _reasoning(placed: Placed) -> Iterator[Fold]:
    cell = placed.cell
    start = cell.body.start if cell.home is None else cell.home.span.end
    prose = "" if cell.code_block is None else cell.text[start : cell.code_block.span.start]
    if prose.strip(" \t\r\n"):
        first = line_of(placed, start + len(prose) - len(prose.lstrip(" \t\r\n")))
        last = last_line(placed, start + len(prose))
        yield Fold(first, last, FoldKind.COMMENT, Phrase("reasoning"))


def _traffic(meanings: Sequence[Meaning]) -> Iterator[Fold]:
    if len(meanings) >= _LEAST_TRAFFIC:
        text = Phrase("{count} tool cells", count=len(meanings))
        first, last = meanings[0].placed.start_line, last_line(meanings[-1].placed)
        yield Fold(first, last, FoldKind.REGION, text)

"""Semantic tokens: the pieces of a cell that an editor highlights.

Tokens are made from nodes with a token type. They are relative to their cell and cached with it.
What a grammar highlights well by itself needs none.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.features.legend import MODIFIERS, TYPES
from msgls.formats.base import Placed
from msgls.syntax.cells import Cell, remembered_work
from msgls.syntax.nodes import Node, NodeKind
from msgls.text.work import MANY, Pausing, Work, gathered

_TYPE_NUMBER = {name: number for number, name in enumerate(TYPES)}
_MODIFIER_BIT = {name: 1 << number for number, name in enumerate(MODIFIERS)}


class Token(NamedTuple):
    """A piece of a cell, relative to it; never longer than its line."""

    start: int
    end: int
    type: int
    modifiers: int = 0


class CellTokens(NamedTuple):
    """A cell and its tokens, in order."""

    placed: Placed
    tokens: tuple[Token, ...]


@Pausing
def tokens(snapshot: Snapshot, first: int = 0, last: int | None = None) -> Work[list[CellTokens]]:
    """The tokens of the cells numbered ``first`` to ``last`` (exclusive)."""
    shown: list[CellTokens] = []
    document = snapshot.document
    language = language_of(document)
    last = document.cell_count if last is None else last
    for placed in islice(document.cells_from(first), max(last - first, 0)):
        found = yield from _finding(placed.cell, language.uncoloured(document, placed))
        if found:
            shown.append(CellTokens(placed, found))
        yield
    return shown


@remembered_work
def _finding(cell: Cell, uncoloured: Collection[NodeKind]) -> Work[tuple[Token, ...]]:
    """The tokens of one cell, in order."""
    yield from cell.reading("nodes")
    shown = (node for node in cell.nodes if node.token and node.kind not in uncoloured)
    found = yield from gathered((_token(node) for node in shown), MANY)
    return tuple(sorted(found))


def _token(node: Node) -> Token:
    name, *modifiers = node.token
    bits = sum(_MODIFIER_BIT[modifier] for modifier in modifiers)
    return Token(node.span.start, node.span.end, _TYPE_NUMBER[name], bits)

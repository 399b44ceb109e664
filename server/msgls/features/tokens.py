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
from msgls.syntax.cells import Cell, remembered
from msgls.syntax.nodes import Node, NodeKind
from msgls.text.work import Pausing, Work

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
        found = _find(placed.cell, language.uncoloured(document, placed))
        if found:
            shown.append(CellTokens(placed, found))
        yield
    return shown


@remembered
def _find(cell: Cell, uncoloured: Collection[NodeKind]) -> tuple[Token, ...]:
    """The tokens of one cell, in order."""
    shown = [node for node in cell.nodes if node.token and node.kind not in uncoloured]
    return tuple(sorted([_token(node) for node in shown]))


def _token(node: Node) -> Token:
    name, *modifiers = node.token
    bits = sum(_MODIFIER_BIT[modifier] for modifier in modifiers)
    return Token(node.span.start, node.span.end, _TYPE_NUMBER[name], bits)

"""Semantic tokens: which piece of a cell has which meaning for the eye.

Tokens belong to cells and are relative to them, so that a format can remember them with
the cell. What a grammar colours well by itself needs none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.features.legend import MODIFIERS, TYPES
from msgls.formats.base import Placed
from msgls.text.spans import Span

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


def token(span: Span, name: str, *modifiers: str) -> Token:
    """A token by the names of the legend."""
    bits = sum(_MODIFIER_BIT[modifier] for modifier in modifiers)
    return Token(span.start, span.end, _TYPE_NUMBER[name], bits)


def tokens(document: Document, first: int = 0, last: int | None = None) -> Iterator[CellTokens]:
    """The tokens of the cells numbered ``first`` to ``last`` (exclusive)."""
    found = provided(document, tokens)
    return iter(()) if found is None else found(document, first, last)

"""Semantic tokens: markers, ids by segment, types, attributes, streams.

Owns which piece of a cell has which meaning for the eye. Tokens are found by cell,
relative to it, and remembered with it; the Markdown around them is left to the
grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.legend import MODIFIERS, TYPES
from msgls.formats.msgmd.meaning import CellRole, Meaning, meaning_of
from msgls.model.cells import Cell, CellKind, Definition, Id
from msgls.text.spans import Span

_TYPE_NUMBER = {name: number for number, name in enumerate(TYPES)}
_MODIFIER_BIT = {name: 1 << number for number, name in enumerate(MODIFIERS)}
_NUMBERS = frozenset("0123456789")


class Token(NamedTuple):
    """A piece of a cell, relative to it; never longer than its line."""

    start: int
    end: int
    type: int
    modifiers: int = 0


_TOKENS: WeakKeyDictionary[Cell, tuple[CellRole, tuple[Token, ...]]] = WeakKeyDictionary()


def cell_tokens(document: Document, meaning: Meaning) -> tuple[Token, ...]:
    """The tokens of one cell, in order, remembered with it."""
    known = _TOKENS.get(meaning.cell)
    if known is not None and known[0] is meaning.role:
        return known[1]
    tokens = tuple(sorted(_find(meaning)))
    _TOKENS[meaning.cell] = meaning.role, tokens
    return tokens


def meanings(document: Document, first: int = 0, last: int | None = None) -> Iterator[Meaning]:
    """The cells numbered ``first`` to ``last`` (exclusive) with their meanings."""
    if first == 0 and last is None:
        for placed in document.cells():
            yield meaning_of(document, placed)
        return
    for number in range(first, document.cell_count if last is None else last):
        yield meaning_of(document, document.cell_number(number))


def _token(span: Span, name: str, *modifiers: str) -> Token:
    bits = sum(_MODIFIER_BIT[modifier] for modifier in modifiers)
    return Token(span.start, span.end, _TYPE_NUMBER[name], bits)


def _find(meaning: Meaning) -> Iterator[Token]:
    cell = meaning.cell
    header = cell.header
    if header is not None:
        output = ("modification",) if cell.kind is CellKind.OUTPUT else ()
        yield _token(header.marker, "keyword", *output)
        if header.id is not None:
            yield from _id_tokens(header.id, "declaration")
    for definition in cell.definitions:
        if definition.is_typed:
            yield from _definition_tokens(definition, cell)
    for reference in cell.references:
        yield from _id_tokens(reference)
    for suppression in cell.suppressions:
        yield _token(suppression.span, "comment")
    if meaning.role is CellRole.RUN:
        for line in cell.output_lines:
            if line.stream:
                prefix = Span(line.span.start, line.content.start)
                broken = ("deprecated",) if line.stream == "stderr" else ()
                yield _token(prefix, "macro", *broken)


def _id_tokens(identifier: Id, *modifiers: str) -> Iterator[Token]:
    """The first segment is the name, the second the nonce or a number, the third a number."""
    for number, (segment, span) in enumerate(
        zip(identifier.segments, identifier.segment_spans, strict=True)
    ):
        if not segment:
            continue
        name = "variable"
        if number:
            name = "number" if _NUMBERS.issuperset(segment) else "enumMember"
        yield _token(span, name, *modifiers)


def _definition_tokens(definition: Definition, cell: Cell) -> Iterator[Token]:
    yield from _id_tokens(definition.id, "definition")
    if definition.type_span is not None:
        plain = definition.type in ("markdown", "code", "raw", "tool")
        yield _token(definition.type_span, "type" if plain else "class")
    for attribute in definition.attributes:
        yield _token(attribute.key_span, "property")
        if attribute.value_span.end > attribute.value_span.start:
            number = attribute.value and _NUMBERS.issuperset(attribute.value)
            yield _token(attribute.value_span, "number" if number else "string")

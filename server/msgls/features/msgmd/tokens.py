"""Semantic tokens of a message file: markers, ids by segment, types, attributes, streams.

They are found by cell and remembered with it; the Markdown around them is left to the
grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.tokens import CellTokens, Token, token
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import CellRole, Meaning, meaning_of
from msgls.model.cells import Cell, CellKind, Definition, Id
from msgls.text.spans import Span

_NUMBERS = frozenset("0123456789")


_TOKENS: WeakKeyDictionary[Cell, tuple[CellRole, tuple[Token, ...]]] = WeakKeyDictionary()


def tokens(document: Document, first: int = 0, last: int | None = None) -> Iterator[CellTokens]:
    """The tokens of the cells numbered ``first`` to ``last`` (exclusive)."""
    for placed in _cells(document, first, last):
        yield CellTokens(placed, _cell_tokens(meaning_of(document, placed)))


def _cells(document: Document, first: int, last: int | None) -> Iterator[Placed]:
    if first == 0 and last is None:
        # All at once is much cheaper than one by one.
        yield from document.cells()
        return
    for number in range(first, document.cell_count if last is None else last):
        yield document.cell_number(number)


def _cell_tokens(meaning: Meaning) -> tuple[Token, ...]:
    """The tokens of one cell, in order, remembered with it."""
    known = _TOKENS.get(meaning.cell)
    if known is not None and known[0] is meaning.role:
        return known[1]
    found = tuple(sorted(_find(meaning)))
    _TOKENS[meaning.cell] = meaning.role, found
    return found


def _find(meaning: Meaning) -> Iterator[Token]:
    cell = meaning.cell
    header = cell.header
    if header is not None:
        output = ("modification",) if cell.kind is CellKind.OUTPUT else ()
        yield token(header.marker, "keyword", *output)
        if header.id is not None:
            yield from _id_tokens(header.id, "declaration")
    for definition in cell.definitions:
        if definition.is_typed:
            yield from _definition_tokens(definition, cell)
    for reference in cell.references:
        yield from _id_tokens(reference)
    for suppression in cell.suppressions:
        yield token(suppression.span, "comment")
    if meaning.role is CellRole.RUN:
        for line in cell.output_lines:
            if line.stream:
                prefix = Span(line.span.start, line.content.start)
                broken = ("deprecated",) if line.stream == "stderr" else ()
                yield token(prefix, "macro", *broken)


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
        yield token(span, name, *modifiers)


def _definition_tokens(definition: Definition, cell: Cell) -> Iterator[Token]:
    yield from _id_tokens(definition.id, "definition")
    if definition.type_span is not None:
        plain = definition.type in ("markdown", "code", "raw", "tool")
        yield token(definition.type_span, "type" if plain else "class")
    for attribute in definition.attributes:
        yield token(attribute.key_span, "property")
        if attribute.value_span.end > attribute.value_span.start:
            number = attribute.value and _NUMBERS.issuperset(attribute.value)
            yield token(attribute.value_span, "number" if number else "string")

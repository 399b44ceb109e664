"""Semantic tokens of a Simple Text Format file: commands, arguments, ids, roles and tools.

They are found by cell and remembered with it. Content, comments and JSON5 are left to the
grammar, which finds them as the server does.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.stf.meaning import cell_of
from msgls.features.tokens import CellTokens, Token, token
from msgls.formats.base import Placed
from msgls.formats.stf.arguments import Argument
from msgls.formats.stf.calls import IdKind, commands_of, id_places, own_role
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import ROLES
from msgls.formats.stf.lexer import ROLE_LETTERS, Command
from msgls.text.spans import Span

_ANSWERING = frozenset({"assistant", "tool"})
_TOKENS: WeakKeyDictionary[StfCell, tuple[Token, ...]] = WeakKeyDictionary()


def tokens(document: Document, first: int = 0, last: int | None = None) -> Iterator[CellTokens]:
    """The tokens of the cells numbered ``first`` to ``last`` (exclusive)."""
    for placed in _cells(document, first, last):
        cell = cell_of(placed)
        if cell is not None:
            yield CellTokens(placed, _cell_tokens(cell))


def _cells(document: Document, first: int, last: int | None) -> Iterator[Placed]:
    if first == 0 and last is None:
        # All at once is much cheaper than one by one.
        yield from document.cells()
        return
    for number in range(first, document.cell_count if last is None else last):
        yield document.cell_number(number)


def _cell_tokens(cell: StfCell) -> tuple[Token, ...]:
    known = _TOKENS.get(cell)
    if known is None:
        known = _TOKENS[cell] = tuple(sorted(_find(cell)))
    return known


def _find(cell: StfCell) -> Iterator[Token]:
    ids = {place.written: place.kind for place in id_places(cell)}
    for command in commands_of(cell):
        yield from _command_tokens(cell, command)
        base = command.rest.start
        arguments = cell.arguments(command)
        for argument in arguments.items:
            if not arguments.is_object:
                yield token(argument.key_span.shift(base), "property")
            value = argument.value_span.shift(base)
            if value.start < value.end:
                yield _value_token(command, argument, value, ids.pop(value, None))
        if command.end is not None:
            yield token(_end_word(cell, command.end), "keyword")
    for span, kind in ids.items():
        if "\n" not in span.of(cell.text) and "\r" not in span.of(cell.text):
            yield _id_token(span, kind)


def _command_tokens(cell: StfCell, command: Command) -> Iterator[Token]:
    answers = command is cell.opening and _speaker(cell) in _ANSWERING
    yield token(command.word_span, "keyword", *(("modification",) if answers else ()))
    if command.spec is not None and command.spec.name == "call":
        call = cell.call_line(command)
        if call is not None and call.name:
            yield token(call.name_span, "enumMember")


def _speaker(cell: StfCell) -> str | None:
    """Who speaks, as far as the cell and the state before it say."""
    own = own_role(cell)
    if own is not None:
        return own
    letter = cell.entry.role
    return next((role for role, known in ROLE_LETTERS.items() if known == letter), None)


def _value_token(command: Command, argument: Argument, value: Span, kind: IdKind | None) -> Token:
    if kind is not None:
        return _id_token(value, kind)
    known = command.spec is not None and argument.key in command.spec.arguments
    if known and argument.key == "role":
        return token(value, "type" if argument.value in ROLES else "string")
    if known and argument.key == "name":
        return token(value, "class")
    is_number = isinstance(argument.json, (int, float)) and not isinstance(argument.json, bool)
    return token(value, "number" if is_number else "string")


def _id_token(span: Span, kind: IdKind) -> Token:
    return token(span, "variable", *(() if kind is IdKind.RESULT else ("declaration",)))


def _end_word(cell: StfCell, line: Span) -> Span:
    start = cell.text.index("end", line.start)
    return Span(start, start + len("end"))

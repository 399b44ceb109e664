"""What a message of a Simple Text Format file means beyond its own lines.

Owns the role of a message, and which message answers which call. What follows from a cell alone is
in ``formats/stf/calls.py``; the rest is looked up in the index, or in the nearest cells: nothing
here walks a whole document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.stf import SimpleTextFile
from msgls.formats.stf.calls import OpenCalls, commands_of, inherits, result_id
from msgls.formats.stf.cells import CallPlace, StfCell
from msgls.formats.stf.commands import AT, DIALECTS
from msgls.formats.stf.lexer import ROLE_LETTERS
from msgls.syntax.cells import CellKind, remembered
from msgls.text.lines import shorten
from msgls.text.spans import Span
from msgls.text.tokens import TokenCounter

FURTHEST = 60
"""How many cells before and after to look for something that is not in the index."""

_ROLES = {letter: role for role, letter in ROLE_LETTERS.items()}


class Answered(NamedTuple):
    """A call, and the message that it is in."""

    placed: Placed
    call: CallPlace


# -- cells --------------------------------------------------------------------------------


def cell_of(placed: Placed) -> StfCell:
    """The cell as one of this format, as all cells of such a file are."""
    assert isinstance(placed.cell, StfCell)
    return placed.cell


def prefix_in(document: Document, placed: Placed | None = None) -> str:
    """The prefix for new commands. The last cell knows it; the first ones may not."""
    if placed is not None and cell_of(placed).dialect in DIALECTS:
        return cell_of(placed).dialect
    pinned = document.format.dialect if isinstance(document.format, SimpleTextFile) else None
    return dialect_of(document) or pinned or AT


def dialect_of(document: Document) -> str | None:
    """The dialect of a file, if a line shows it."""
    if not document.cell_count:
        return None
    dialect = cell_of(document.cell_number(document.cell_count - 1)).dialect
    return dialect if dialect in DIALECTS else None


def is_message(placed: Placed | None) -> bool:
    """Whether the cell is a message, and not the text before the first one."""
    return placed is not None and placed.cell.kind is CellKind.MESSAGE


def before(document: Document, number: int) -> Iterator[Placed]:
    """The cells before one, the nearest first, at most ``FURTHEST``."""
    for other in range(number - 1, max(number - 1 - FURTHEST, -1), -1):
        yield document.cell_number(other)


def after(document: Document, number: int) -> Iterator[Placed]:
    """The cells after one, the nearest first, at most ``FURTHEST``."""
    for other in range(number + 1, min(number + 1 + FURTHEST, document.cell_count)):
        yield document.cell_number(other)


# -- roles --------------------------------------------------------------------------------


def role_of(document: Document, placed: Placed) -> str | None:
    """The role of a message; ``None`` if neither it nor any message before it has one."""
    cell = cell_of(placed)
    if cell.kind is not CellKind.MESSAGE:
        return None
    own = cell.own_role
    if own is not None or cell.is_raw:
        return own
    letter = cell.entry.role
    if letter in _ROLES:
        return _ROLES[letter]
    # A raw message, or an unknown role: the state only knows that it is an unusual one.
    for other in before(document, document.number_of(placed.label)):
        above = cell_of(other)
        if not inherits(above):
            return above.own_role
    return None


# -- calls and results ----------------------------------------------------------------------


def is_result(document: Document, placed: Placed) -> bool:
    """Whether a message answers a call."""
    return is_message(placed) and role_of(document, placed) == "tool"


def call_answered(document: Document, placed: Placed) -> Answered | None:
    """The call that a message answers: the one that it names, else the earliest open one."""
    cell = cell_of(placed)
    if cell.kind is not CellKind.MESSAGE:
        return None
    name = result_id(cell)
    if name is not None:
        return named_call(document, name, placed.label)
    if role_of(document, placed) != "tool":
        return None
    return _answered_in_turn(document, placed).get(placed.label)


def _answered_in_turn(document: Document, placed: Placed) -> dict[int, Answered]:
    """The call that each result answers, by the result's label, in the turn around a message."""
    first = number = document.number_of(placed.label)
    while first > max(0, number - FURTHEST) and not _is_assistant(document, first):
        first -= 1
    calls: OpenCalls[Answered] = OpenCalls()
    found: dict[int, Answered] = {}
    for other in range(first, min(number + FURTHEST, document.cell_count)):
        if other > first and _is_assistant(document, other):
            break
        spoken = document.cell_number(other)
        cell = cell_of(spoken)
        name = result_id(cell)
        if name is not None or is_result(document, spoken):
            answered = calls.answer(name)
            if answered is not None:
                found[spoken.label] = answered
        for call in cell.calls:
            calls.add(call.id, Answered(spoken, call))
    return found


def _is_assistant(document: Document, number: int) -> bool:
    return role_of(document, document.cell_number(number)) == "assistant"


def named_call(document: Document, name: str, label: int) -> Answered | None:
    """The nearest call with that id before a message, else the first after it."""
    entries = document.entries("call", name)
    if not entries:
        return None
    above = [entry for entry in entries if entry.label < label]
    other = document.cell((above[-1] if above else entries[0]).label)
    calls = [call for call in cell_of(other).calls if call.id == name]
    return Answered(other, calls[-1]) if calls else None


def answers(document: Document, placed: Placed, call: CallPlace) -> list[Placed]:
    """The messages that answer a call, in order."""
    labels = [] if call.id is None else results_of(document, call.id, placed.label)
    for label, answered in _answered_in_turn(document, placed).items():
        if answered.call == call and answered.placed.label == placed.label:
            labels.append(label)
    return [document.cell(label) for label in sorted(set(labels))]


def results_of(document: Document, name: str, label: int) -> list[int]:
    """The cells that answer the call ``name`` of the cell ``label``.

    If several cells have a call with that id, a result belongs to the nearest one before it.
    """
    calls = [entry.label for entry in document.entries("call", name)]
    first = not calls or label <= calls[0]
    after = next((other for other in calls if other > label), None)
    return [
        entry.label
        for entry in document.entries("result", name)
        if (first or entry.label > label) and (after is None or entry.label <= after)
    ]


# -- content ------------------------------------------------------------------------------


def content_of(cell: StfCell) -> str:
    """The content of a message as text: its data lines, or its block."""
    opening = cell.opening
    if opening is None:
        return ""
    pieces = [cell.block(opening).text] if cell.is_raw else []
    spans = [data.span for data in cell.walk.data if data.in_message]
    spans += [command.data for command in commands_of(cell) if command.data is not None]
    for span in sorted(spans):
        pieces += cell.data_lines(span)
    return "\n".join(pieces)


@remembered
def tokens_of(cell: StfCell, counter: TokenCounter) -> int:
    """About how many tokens a message has."""
    return counter.count(content_of(cell))


def first_words(cell: StfCell, most: int = 80) -> str:
    """The first line of a message that is not blank."""
    opening = cell.opening
    if opening is None:
        return ""
    spans = [data.span for data in cell.walk.data if data.in_message]
    if cell.is_raw:
        value = cell.parsed_block(opening)[1].value
        said = value.get("content") if isinstance(value, dict) else None
        return shorten(_first_line(said[:400]), most) if isinstance(said, str) else ""
    for span in spans:
        # Enough for any line that is shown: a message may be megabytes long.
        start = span.start
        part = Span(start, min(span.end, start + 400))
        for line in cell.data_lines(part):
            if line.strip(" \t"):
                return shorten(line.strip(" \t"), most)
    return ""


def _first_line(text: str) -> str:
    text = text.strip(" \t\r\n")
    return text.split("\n", 1)[0].split("\r", 1)[0]


@remembered
def name_of(cell: StfCell) -> str | None:
    """The name of a message; the one in a raw block comes before an argument."""
    opening = cell.opening
    if opening is None:
        return None
    if cell.is_raw:
        value = cell.parsed_block(opening)[1].value
        name = value.get("name") if isinstance(value, dict) else None
        if isinstance(name, str):
            return name
    return cell.arguments(opening).value("name")

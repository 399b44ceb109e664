"""What a message of a Simple Text Format file means beyond its own lines.

Owns the role that a message has, the ids that a cell says and where, the calls in it, and
who answers which call. What a cell says of itself is remembered with it; what others say of
it is looked up in the index, or in the nearest cells: nothing here walks a document.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.stf import SimpleTextFile, json5
from msgls.formats.stf.cells import Block, StfCell
from msgls.formats.stf.commands import AT, DIALECTS, Mode
from msgls.formats.stf.lexer import ROLE_LETTERS, Command
from msgls.model.cells import CellKind
from msgls.model.tokens import estimate_tokens
from msgls.text.spans import Span

FURTHEST = 60
"""How many cells away something is looked for that no index knows."""

_ROLES = {letter: role for role, letter in ROLE_LETTERS.items()}


class IdKind(Enum):
    """Whose id it is."""

    MESSAGE = "message-id"
    CALL = "call"
    RESULT = "result"
    """Of a call, said by its result."""


class IdPlace(NamedTuple):
    """Where a cell says an id."""

    kind: IdKind
    text: str
    span: Span
    """Without quotes, where it is written as it is."""
    written: Span
    """With quotes."""
    in_json: bool
    """Whether it is a value of JSON5, and not one of a pair."""


class CallPlace(NamedTuple):
    """A call of a tool."""

    id: str | None
    tool: str
    arguments: str
    span: Span
    """All of it."""
    selection: Span
    """What is selected when somebody goes there."""


class Answered(NamedTuple):
    """A call, and the message that it stands in."""

    placed: Placed
    call: CallPlace


# -- cells --------------------------------------------------------------------------------


def cell_of(placed: Placed | None) -> StfCell | None:
    """The cell, if it is one of this format."""
    cell = None if placed is None else placed.cell
    return cell if isinstance(cell, StfCell) else None


def prefix_in(document: Document, placed: Placed | None = None) -> str:
    """The prefix to write commands with; a cell before the one that tells it does not know it."""
    last = document.cell_number(document.cell_count - 1) if document.cell_count else None
    for cell in (cell_of(placed), cell_of(last)):
        if cell is not None and cell.dialect in DIALECTS:
            return cell.dialect
    pinned = document.format.dialect if isinstance(document.format, SimpleTextFile) else None
    return pinned or AT


def line_break_in(document: Document) -> str:
    """The line break of a document: that of its first line."""
    first = document.store.slice(Span(0, 16_384))
    at = min([n for n in (first.find("\r"), first.find("\n")) if n >= 0], default=-1)
    if at < 0 or first[at] == "\n":
        return "\n"
    return "\r\n" if first.startswith("\r\n", at) else "\r"


def is_message(placed: Placed | None) -> bool:
    """Whether a message stands there, and not what comes before the first one."""
    return placed is not None and placed.cell.kind is CellKind.MESSAGE


def is_raw(cell: StfCell) -> bool:
    """Whether a block holds the message."""
    opening = cell.opening
    return opening is not None and opening.spec is not None and opening.spec.mode is Mode.RAW


def commands_of(cell: StfCell) -> Iterator[Command]:
    """The commands that are known and stand where they may."""
    for command in cell.commands:
        if command.spec is not None and not command.in_block:
            yield command


def before(document: Document, number: int) -> Iterator[Placed]:
    """The cells before one, the nearest first, as far as anybody looks."""
    for other in range(number - 1, max(number - 1 - FURTHEST, -1), -1):
        yield document.cell_number(other)


def behind(document: Document, number: int) -> Iterator[Placed]:
    """The cells behind one, the nearest first, as far as anybody looks."""
    for other in range(number + 1, min(number + 1 + FURTHEST, document.cell_count)):
        yield document.cell_number(other)


# -- roles --------------------------------------------------------------------------------


_OWN_ROLES: WeakKeyDictionary[StfCell, str | None] = WeakKeyDictionary()


def own_role(cell: StfCell) -> str | None:
    """The role that a message says itself, remembered with it."""
    if cell not in _OWN_ROLES:
        _OWN_ROLES[cell] = _read_role(cell)
    return _OWN_ROLES[cell]


def _read_role(cell: StfCell) -> str | None:
    opening = cell.opening
    if opening is None or opening.spec is None:
        return None
    said = cell.arguments(opening).value("role")
    if opening.spec.mode is not Mode.RAW:
        return opening.spec.role or said
    value = cell.parsed_block(opening)[1].value
    if not isinstance(value, dict):
        return said
    role = value.get("role")
    return role if isinstance(role, str) else said or "user"


def inherits(cell: StfCell) -> bool:
    """Whether a message takes over the role of the one before it."""
    return cell.kind is CellKind.MESSAGE and own_role(cell) is None and not is_raw(cell)


def role_of(document: Document, placed: Placed) -> str | None:
    """The role of a message; nothing where neither it nor any before it says one."""
    cell = cell_of(placed)
    if cell is None or cell.kind is not CellKind.MESSAGE:
        return None
    own = own_role(cell)
    if own is not None or is_raw(cell):
        return own
    letter = cell.entry.role
    if letter in _ROLES:
        return _ROLES[letter]
    # A raw message, or a role of somebody's own: the state only knows that it is no usual one.
    for other in before(document, document.number_of(placed.order)):
        above = cell_of(other)
        if above is not None and not inherits(above):
            return own_role(above)
    return None


# -- ids ----------------------------------------------------------------------------------

_IDS: WeakKeyDictionary[StfCell, tuple[IdPlace, ...]] = WeakKeyDictionary()


def id_places(cell: StfCell) -> tuple[IdPlace, ...]:
    """Every id that a cell says, in order, remembered with it."""
    known = _IDS.get(cell)
    if known is None:
        found = [*_argument_ids(cell), *_raw_ids(cell)]
        known = _IDS[cell] = tuple(sorted(found, key=lambda place: place.span))
    return known


def _argument_ids(cell: StfCell) -> Iterator[IdPlace]:
    for command in commands_of(cell):
        spec = command.spec
        if spec is None:
            continue
        kinds = {}
        if spec.starts_message:
            kinds = {"id": IdKind.MESSAGE, "call_id": IdKind.RESULT}
        elif spec.name == "call":
            kinds = {"id": IdKind.CALL}
        arguments = cell.arguments(command)
        for key, kind in kinds.items():
            argument = arguments.get(key)
            if argument is None or argument.value is None:
                continue
            span = argument.value_span.shift(command.rest.start)
            yield _id_place(cell, kind, argument.value, span, arguments.is_object)


def _id_place(cell: StfCell, kind: IdKind, text: str, written: Span, in_json: bool) -> IdPlace:
    raw = written.of(cell.text)
    is_plain = raw[:1] in ("'", '"') and raw[1:-1] == text
    span = Span(written.start + 1, written.end - 1) if is_plain else written
    return IdPlace(kind, text, span, written, in_json)


def _raw_ids(cell: StfCell) -> Iterator[IdPlace]:
    for member, block in _raw_members(cell):
        if member.key == "tool_call_id" and isinstance(member.value, str):
            span = block.span(member.value_span)
            yield _id_place(cell, IdKind.RESULT, member.value, span, True)
    for call, written in _raw_calls(cell):
        if call.id is not None and written is not None:
            yield _id_place(cell, IdKind.CALL, call.id, written, True)


def _raw_members(cell: StfCell) -> Iterator[tuple[json5.Member, Block]]:
    """The members of a raw message; of two with the same key, the last one counts."""
    opening = cell.opening
    if opening is None or not is_raw(cell):
        return
    block, parsed = cell.parsed_block(opening)
    if isinstance(parsed.value, dict):
        for member in {member.key: member for member in json5.members(block.text)}.values():
            yield member, block


def _raw_calls(cell: StfCell) -> Iterator[tuple[CallPlace, Span | None]]:
    """The calls of a raw message, and where their ids are written."""
    for member, block in _raw_members(cell):
        if member.key != "tool_calls" or not isinstance(member.value, list):
            continue
        start = member.value_span.start
        text = member.value_span.of(block.text)
        for span, value in zip(json5.elements(text), member.value, strict=False):
            if not isinstance(value, dict):
                continue
            inner = {found.key: found for found in json5.members(span.of(text))}
            where = block.span(span.shift(start))
            call_id, written = value.get("id"), None
            if isinstance(call_id, str) and "id" in inner:
                written = block.span(inner["id"].value_span.shift(start + span.start))
            else:
                call_id = None
            function = value.get("function")
            function = function if isinstance(function, dict) else {}
            tool, given = function.get("name"), function.get("arguments", "")
            call = CallPlace(
                call_id,
                tool if isinstance(tool, str) else "",
                given if isinstance(given, str) else "",
                where,
                Span(where.start, where.start) if written is None else written,
            )
            yield call, written


def id_at(cell: StfCell, offset: int) -> IdPlace | None:
    """The id at an offset in a cell, quotes included."""
    found = [place for place in id_places(cell) if place.written.contains(offset)]
    return found[0] if found else None


# -- calls and results ----------------------------------------------------------------------

_CALLS: WeakKeyDictionary[StfCell, tuple[CallPlace, ...]] = WeakKeyDictionary()


def calls_in(cell: StfCell) -> tuple[CallPlace, ...]:
    """The calls of a message, in order, remembered with it."""
    known = _CALLS.get(cell)
    if known is None:
        found = [call for call, _ in _raw_calls(cell)]
        found += [
            _call(cell, command)
            for command in commands_of(cell)
            if command.spec is not None and command.spec.name == "call" and command.in_message
        ]
        known = _CALLS[cell] = tuple(sorted(found, key=lambda call: call.span))
    return known


def _call(cell: StfCell, command: Command) -> CallPlace:
    line = cell.call_line(command)
    argument = cell.arguments(command).get("id")
    end = command.span.end if command.data is None else command.data.end
    selection = Span(command.span.start, command.word_span.end)
    if argument is not None:
        selection = argument.value_span.shift(command.rest.start)
    return CallPlace(
        None if argument is None else argument.value,
        "" if line is None else line.name,
        "" if line is None else line.arguments_text,
        Span(command.span.start, end),
        selection,
    )


def result_id(cell: StfCell) -> str | None:
    """The id of the call that a message says it answers; that of a raw block counts more."""
    found = [place for place in id_places(cell) if place.kind is IdKind.RESULT]
    found.sort(key=lambda place: place.in_json and is_raw(cell))
    return found[-1].text if found else None


def is_result(document: Document, placed: Placed) -> bool:
    """Whether a message answers a call."""
    return is_message(placed) and role_of(document, placed) == "tool"


def call_answered(document: Document, placed: Placed) -> Answered | None:
    """The call that a message answers: the one that it names, else the nearest before it."""
    cell = cell_of(placed)
    if cell is None or cell.kind is not CellKind.MESSAGE:
        return None
    name = result_id(cell)
    if name is not None:
        return named_call(document, name, placed.order)
    if role_of(document, placed) != "tool":
        return None
    for other in before(document, document.number_of(placed.order)):
        above = cell_of(other)
        calls = () if above is None else calls_in(above)
        if calls:
            return Answered(other, calls[-1])
    return None


def named_call(document: Document, name: str, order: int) -> Answered | None:
    """The call of that id which is the nearest before a message, else the first behind it."""
    entries = document.entries("call", name)
    if not entries:
        return None
    above = [entry for entry in entries if entry.order < order]
    other = document.cell((above[-1] if above else entries[0]).order)
    cell = cell_of(other)
    calls = [] if cell is None else [call for call in calls_in(cell) if call.id == name]
    return Answered(other, calls[-1]) if calls else None


def answers(document: Document, placed: Placed, call: CallPlace) -> list[Placed]:
    """The messages that answer a call, in order."""
    orders = [] if call.id is None else results_of(document, call.id, placed.order)
    found = {order: document.cell(order) for order in orders}
    cell = cell_of(placed)
    if cell is not None and calls_in(cell)[-1:] == (call,):
        for other in behind(document, document.number_of(placed.order)):
            below = cell_of(other)
            if below is None:
                break
            if result_id(below) is None and is_result(document, other):
                found[other.order] = other
            if calls_in(below):
                break
    return [found[order] for order in sorted(found)]


def results_of(document: Document, name: str, order: int) -> list[int]:
    """The cells that answer the call ``name`` of the cell ``order``.

    Where several cells have a call of that id, a result belongs to the nearest one before it.
    """
    calls = [entry.order for entry in document.entries("call", name)]
    first = not calls or order <= calls[0]
    after = next((other for other in calls if other > order), None)
    return [
        entry.order
        for entry in document.entries("result", name)
        if (first or entry.order > order) and (after is None or entry.order <= after)
    ]


# -- content ------------------------------------------------------------------------------

_SIZES: WeakKeyDictionary[StfCell, int] = WeakKeyDictionary()


def content_of(cell: StfCell) -> str:
    """What a message says, as text: its data lines, or its block."""
    opening = cell.opening
    if opening is None:
        return ""
    pieces = [cell.block(opening).text] if is_raw(cell) else []
    spans = [data.span for data in cell.walk.data if data.in_message]
    spans += [command.data for command in commands_of(cell) if command.data is not None]
    for span in sorted(spans):
        pieces += cell.data_lines(span)
    return "\n".join(pieces)


def tokens_of(cell: StfCell) -> int:
    """About how many tokens a message has, remembered with it."""
    known = _SIZES.get(cell)
    if known is None:
        known = _SIZES[cell] = estimate_tokens(content_of(cell))
    return known


def first_words(cell: StfCell, most: int = 80) -> str:
    """The first line of a message that says something."""
    opening = cell.opening
    if opening is None:
        return ""
    spans = [data.span for data in cell.walk.data if data.in_message]
    if is_raw(cell):
        value = cell.parsed_block(opening)[1].value
        said = value.get("content") if isinstance(value, dict) else None
        return _shortened(_first_line(said[:400]), most) if isinstance(said, str) else ""
    for span in spans:
        # Enough for any line that is shown; a message may be megabytes.
        start = span.start
        part = Span(start, min(span.end, start + 400))
        for line in cell.data_lines(part):
            if line.strip(" \t"):
                return _shortened(line.strip(" \t"), most)
    return ""


def _first_line(text: str) -> str:
    text = text.strip(" \t\r\n")
    return text.split("\n", 1)[0].split("\r", 1)[0]


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


_NAMES: WeakKeyDictionary[StfCell, str | None] = WeakKeyDictionary()


def name_of(cell: StfCell) -> str | None:
    """The name that a message gives; that of a raw block counts more. Remembered with it."""
    if cell not in _NAMES:
        _NAMES[cell] = _read_name(cell)
    return _NAMES[cell]


def _read_name(cell: StfCell) -> str | None:
    opening = cell.opening
    if opening is None:
        return None
    if is_raw(cell):
        value = cell.parsed_block(opening)[1].value
        name = value.get("name") if isinstance(value, dict) else None
        if isinstance(name, str):
            return name
    return cell.arguments(opening).value("name")

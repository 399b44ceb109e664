"""The ids of a message, the calls in it, and which call each result answers.

Owns what a cell says of calls. The index knows the same by its facts.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

from msgls.formats import json5
from msgls.formats.stf.cells import Block, CallPlace, IdKind, IdPlace, StfCell
from msgls.formats.stf.commands import Mode
from msgls.formats.stf.lexer import Command
from msgls.formats.stf.rawmessages import ANSWERED_KEYS, call_id_of, function_of
from msgls.syntax.cells import CellKind
from msgls.text.spans import Span

C = TypeVar("C")


class OpenCalls(Generic[C]):
    """The calls that a tool's message may answer: those since the last assistant message."""

    def __init__(self) -> None:
        # Of a plain dictionary, finding the first key takes longer with every key that went.
        self._open: OrderedDict[object, C] = OrderedDict()

    def start_turn(self) -> None:
        """An assistant speaks: what was not answered before stays so."""
        self._open.clear()

    def add(self, call_id: str | None, call: C) -> None:
        """A call, which may have no id."""
        key: object = call_id
        if key is None or key in self._open:
            key = object()
        self._open[key] = call

    def answer(self, call_id: str | None) -> C | None:
        """The call that a result answers: the one that it names, else the earliest open one."""
        if call_id is None and self._open:
            return self._open.popitem(last=False)[1]
        return self._open.pop(call_id, None)


# -- cells --------------------------------------------------------------------------------


def commands_of(cell: StfCell) -> Iterator[Command]:
    """The commands that are known, and are where they may be."""
    return (command for command in cell.commands if command.is_read)


# -- roles --------------------------------------------------------------------------------


def inherits(cell: StfCell) -> bool:
    """Whether a message takes over the role of the one before it."""
    return cell.kind is CellKind.MESSAGE and cell.own_role is None and not cell.is_raw


# -- ids ----------------------------------------------------------------------------------


def ids_in(cell: StfCell) -> tuple[IdPlace, ...]:
    """Every id that a cell says, in order."""
    found = [*_argument_ids(cell), *_raw_ids(cell)]
    return tuple(sorted(found, key=lambda place: place.span))


def _argument_ids(cell: StfCell) -> Iterator[IdPlace]:
    for command in commands_of(cell):
        kinds = {}
        if command.mode in (Mode.MESSAGE, Mode.RAW):
            kinds = {"id": IdKind.MESSAGE, "call_id": IdKind.RESULT}
        elif command.name == "call":
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
    members = {member.key: (member, block) for member, block in _raw_members(cell)}
    for member, block in [members[key] for key in ANSWERED_KEYS if key in members]:
        if isinstance(member.value, str):
            span = block.span(member.value_span)
            yield _id_place(cell, IdKind.RESULT, member.value, span, True)
            break
    for call, written in _raw_calls(cell):
        if call.id is not None and written is not None:
            yield _id_place(cell, IdKind.CALL, call.id, written, True)


def _raw_members(cell: StfCell) -> Iterator[tuple[json5.Member, Block]]:
    """The members of a raw message; of two with the same key, the last one counts."""
    opening = cell.opening
    if opening is None or not cell.is_raw:
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
            key, call_id = call_id_of(value)
            written = None
            if call_id is not None:
                written = block.span(inner[key].value_span.shift(start + span.start))
            function = function_of(value)
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
    found = [place for place in cell.ids if place.written.contains(offset)]
    return found[0] if found else None


# -- calls ----------------------------------------------------------------------------------


def calls_in(cell: StfCell) -> tuple[CallPlace, ...]:
    """The calls of a message, in order."""
    found = [call for call, _ in _raw_calls(cell)]
    found += [
        _call(cell, command)
        for command in commands_of(cell)
        if command.name == "call" and command.in_message
    ]
    return tuple(sorted(found, key=lambda call: call.span))


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
    """The id of the call that a message says it answers."""
    place = answered_place(cell)
    return None if place is None else place.text


def answered_place(cell: StfCell) -> IdPlace | None:
    """Where a message says which call it answers; a raw block counts more."""
    found = [place for place in cell.ids if place.kind is IdKind.RESULT]
    found.sort(key=lambda place: place.in_json and cell.is_raw)
    return found[-1] if found else None

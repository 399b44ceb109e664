"""The commands of Simple Text Format files: what each of them takes, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from msgls.features import command_table as table
from msgls.features.command_table import Command
from msgls.features.commands import (
    Call,
    CellChange,
    InvalidArgument,
    RefusedError,
    Run,
    advance,
    go_beside,
)
from msgls.features.converting import convert_to
from msgls.features.stf.cells import (
    change_role,
    delete_message,
    duplicate_message,
    insert_call,
    insert_message,
    insert_result,
    merge_with_next,
    message_at,
    move_message,
    split_message,
)
from msgls.features.stf.dialects import convert
from msgls.features.stf.meaning import answers, call_answered, is_message
from msgls.formats.base import Placed
from msgls.formats.stf.calls import calls_in
from msgls.text.phrases import Phrase


def _insert(role: str, above: bool = False) -> Run:
    return lambda call: insert_message(call.document, call.offset, role, above)


def _change_type(call: Call) -> CellChange:
    role = call.text("type")
    if role is None:
        raise InvalidArgument("`type` is missing")
    return change_role(call.document, call.offset, role)


def _go_beside(step: int) -> Run:
    def start_of(placed: Placed) -> int | None:
        return placed.start_offset if is_message(placed) else None

    return go_beside(step, Phrase("there is no other message"), start_of)


def _go_to_parent(call: Call) -> CellChange:
    placed, _, _ = message_at(call.document, call.offset)
    found = call_answered(call.document, placed)
    if found is None:
        raise RefusedError("this message is not the result of a call")
    return CellChange((), found.placed.start_offset + found.call.span.start)


def _go_to_child(call: Call) -> CellChange:
    placed, cell, _ = message_at(call.document, call.offset)
    at = call.offset - placed.start_offset
    calls = [found for found in calls_in(cell) if found.span.contains(at)] or calls_in(cell)
    for found in calls:
        for answer in answers(call.document, placed, found)[:1]:
            return CellChange((), answer.start_offset)
    raise RefusedError("no message answers a call of this one")


RUNS: Mapping[Command, Run] = {
    table.INSERT_MESSAGE: _insert("user"),
    table.INSERT_MESSAGE_ABOVE: _insert("user", above=True),
    table.INSERT_OUTPUT: _insert("assistant"),
    table.INSERT_OUTPUT_ABOVE: _insert("assistant", above=True),
    table.INSERT_TOOL_CALL: lambda call: insert_call(call.document, call.offset),
    table.INSERT_TOOL_RESULT: lambda call: insert_result(call.document, call.offset),
    table.SPLIT_CELL: lambda call: split_message(call.document, call.offset),
    table.MERGE_NEXT: lambda call: merge_with_next(call.document, call.offset),
    table.MOVE_UP: lambda call: move_message(call.document, call.offset, up=True),
    table.MOVE_DOWN: lambda call: move_message(call.document, call.offset, up=False),
    table.DUPLICATE_CELL: lambda call: duplicate_message(call.document, call.offset),
    table.DELETE_CELL: lambda call: delete_message(call.document, call.offset),
    table.CHANGE_TYPE: _change_type,
    table.ADVANCE: advance(_go_beside(1), _insert("user")),
    table.GO_TO_NEXT: _go_beside(1),
    table.GO_TO_PREVIOUS: _go_beside(-1),
    table.GO_TO_PARENT: _go_to_parent,
    table.GO_TO_CHILD: _go_to_child,
    table.CONVERT_DIALECT: lambda call: convert(call.document, call.offset),
    table.CONVERT_TO: convert_to,
}

"""The commands of Simple Text Format files: what each of them takes, and what it does."""

from __future__ import annotations

from collections.abc import Mapping

from msgls.document.snapshot import Snapshot
from msgls.features.commands import Call, CellChange, Command, InvalidArgument, RefusedError
from msgls.features.converting import CONVERT_TO, convert_to
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
from msgls.formats.stf.calls import calls_in


def _insert(role: str, above: bool = False) -> Command:
    return lambda call: insert_message(call.document, call.offset, role, above)


def _change_type(call: Call) -> CellChange:
    role = call.text("type")
    if role is None:
        raise InvalidArgument("`type` is missing")
    return change_role(call.document, call.offset, role)


def _go_beside(step: int) -> Command:
    def go(call: Call) -> CellChange:
        number = call.document.number_at_offset(call.offset)
        if number is None or not 0 <= number + step < call.document.cell_count:
            raise RefusedError("there is no other message")
        placed = call.document.cell_number(number + step)
        if not is_message(placed):
            raise RefusedError("there is no other message")
        return CellChange((), placed.start_offset)

    return go


def _advance(call: Call) -> CellChange:
    """To the next message; where there is none, to a new one."""
    number = call.document.number_at_offset(call.offset)
    is_last = number is None or number + 1 == call.document.cell_count
    change: CellChange = (_insert("user") if is_last else _go_beside(1))(call)
    return change


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


CONVERT = "msgls.stf.convertDialect"
COMMANDS: Mapping[str, Command] = {
    "msgls.cell.insertMessage": _insert("user"),
    "msgls.cell.insertMessageAbove": _insert("user", above=True),
    "msgls.cell.insertOutput": _insert("assistant"),
    "msgls.cell.insertOutputAbove": _insert("assistant", above=True),
    "msgls.cell.insertToolCall": lambda call: insert_call(call.document, call.offset),
    "msgls.cell.insertToolResult": lambda call: insert_result(call.document, call.offset),
    "msgls.cell.split": lambda call: split_message(call.document, call.offset),
    "msgls.cell.mergeNext": lambda call: merge_with_next(call.document, call.offset),
    "msgls.cell.moveUp": lambda call: move_message(call.document, call.offset, up=True),
    "msgls.cell.moveDown": lambda call: move_message(call.document, call.offset, up=False),
    "msgls.cell.duplicate": lambda call: duplicate_message(call.document, call.offset),
    "msgls.cell.delete": lambda call: delete_message(call.document, call.offset),
    "msgls.cell.changeType": _change_type,
    "msgls.cell.advance": _advance,
    "msgls.cell.goToNext": _go_beside(1),
    "msgls.cell.goToPrevious": _go_beside(-1),
    "msgls.cell.goToParent": _go_to_parent,
    "msgls.cell.goToChild": _go_to_child,
    CONVERT: lambda call: convert(call.document, call.offset),
    CONVERT_TO: convert_to,
}


def commands(snapshot: Snapshot) -> Mapping[str, Command]:
    """All of them."""
    return COMMANDS

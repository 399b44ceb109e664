"""The commands of Simple Text Format files: their arguments, and what they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.actions import CommandAction, insertions
from msgls.features.command_table import Command
from msgls.features.commands import (
    Call,
    CellChange,
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
from msgls.features.stf.dialects import convert, obstacle
from msgls.features.stf.meaning import (
    answers,
    call_answered,
    cell_of,
    dialect_of,
    is_message,
    prefix_in,
    role_of,
)
from msgls.formats.base import Placed
from msgls.formats.stf import SimpleTextFile
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import AT, ROLES, other_dialect
from msgls.text.lines import after_break
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span


def _insert(role: str, above: bool = False) -> Run:
    return lambda call: insert_message(call.document, call.offset, role, above)


_BESIDE = go_beside(
    Phrase("there is no other message"),
    lambda placed: placed.start_offset if is_message(placed) else None,
)


def _go_to_parent(call: Call) -> CellChange:
    placed, _, _ = message_at(call.document, call.offset)
    found = call_answered(call.document, placed)
    if found is None:
        raise RefusedError("this message is not the result of a call")
    return CellChange((), found.placed.start_offset + found.call.span.start)


def _go_to_child(call: Call) -> CellChange:
    placed, cell, _ = message_at(call.document, call.offset)
    at = call.offset - placed.start_offset
    calls = [found for found in cell.calls if found.span.contains(at)] or cell.calls
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
    table.CHANGE_TYPE: lambda call: change_role(call.document, call.offset, call.needed("type")),
    table.ADVANCE: advance(_BESIDE[table.GO_TO_NEXT], _insert("user")),
    **_BESIDE,
    table.GO_TO_PARENT: _go_to_parent,
    table.GO_TO_CHILD: _go_to_child,
    table.CONVERT_DIALECT: lambda call: convert(call.document, call.offset),
    table.CONVERT_TO: convert_to,
}


# -- Code actions in a Simple Text Format file, and the suppression of a rule.
# Owns which of them are offered where, and their titles. A command that would obviously be refused
# is not offered.


def ignoring(snapshot: Snapshot, placed: Placed, code: str) -> Edit | None:
    """The comment that suppresses a rule in a message, below the line that starts it."""
    document = snapshot.document
    cell = cell_of(placed)
    newline = document.newline
    line = f"{prefix_in(document, placed)}# msgls: ignore {code}"
    if cell.opening is None:
        at = int(cell.text.startswith("\ufeff"))
        return Edit(Span(at, at).shift(placed.start_offset), line + newline)
    at = after_break(cell.text, cell.opening.span.end)
    is_last = at == cell.opening.span.end
    text = newline + line if is_last else line + newline
    return Edit(Span(at, at).shift(placed.start_offset), text)


def cell_actions(snapshot: Snapshot, offset: int) -> Iterator[CommandAction]:
    """The actions for the message at ``offset``, and for the file."""
    document = snapshot.document
    placed = document.cell_at_offset(offset)
    inside = is_message(placed)
    yield from insertions(inside)
    if placed is not None and inside:
        cell = cell_of(placed)
        yield from _calling(document, placed, cell)
        yield from _arranging(document, placed, cell, offset)
        yield from _roles(document, placed, cell)
        yield from _navigation(document, placed, cell)
    yield from _converting(document)


def _calling(document: Document, placed: Placed, cell: StfCell) -> Iterator[CommandAction]:
    if cell.dialect == AT and role_of(document, placed) == "assistant":
        yield CommandAction(table.INSERT_TOOL_CALL)
    if cell.calls or call_answered(document, placed) is not None:
        yield CommandAction(table.INSERT_TOOL_RESULT)


def _arranging(
    document: Document, placed: Placed, cell: StfCell, offset: int
) -> Iterator[CommandAction]:
    if not cell.is_raw and offset - placed.start_offset >= cell.body.start:
        yield CommandAction(table.SPLIT_CELL)
    number = document.number_of(placed.label)
    if number + 1 < document.cell_count:
        following = document.cell_number(number + 1)
        other = cell_of(following)
        alike = role_of(document, placed) == role_of(document, following)
        if alike and not cell.is_raw and not other.is_raw:
            yield CommandAction(table.MERGE_NEXT)
        yield CommandAction(table.MOVE_DOWN)
    if number and is_message(document.cell_number(number - 1)):
        yield CommandAction(table.MOVE_UP)
    yield CommandAction(table.DUPLICATE_CELL)
    yield CommandAction(table.DELETE_CELL)


def _roles(document: Document, placed: Placed, cell: StfCell) -> Iterator[CommandAction]:
    if cell.is_raw:
        return
    now = role_of(document, placed)
    for role in ROLES:
        if role != now:
            title = Phrase("Change cell type to `{role}`", role=role)
            yield CommandAction(table.CHANGE_TYPE, title, {"type": role})


def _navigation(document: Document, placed: Placed, cell: StfCell) -> Iterator[CommandAction]:
    if any(answers(document, placed, call) for call in cell.calls):
        yield CommandAction(table.GO_TO_CHILD, Phrase("Go to the first result"))
    if call_answered(document, placed) is not None:
        title = Phrase("Go to the call that this one answers")
        yield CommandAction(table.GO_TO_PARENT, title)


def _converting(document: Document) -> Iterator[CommandAction]:
    dialect = dialect_of(document)
    pinned = isinstance(document.format, SimpleTextFile) and document.format.dialect is not None
    if dialect is not None and not pinned:
        title = Phrase("Convert to the dialect `{dialect}`", dialect=other_dialect(dialect))
        yield CommandAction(table.CONVERT_DIALECT, title, obstacle=obstacle(document))

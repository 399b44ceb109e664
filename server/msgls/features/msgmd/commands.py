"""The commands of message files: their arguments, and what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgls.features import command_table as table
from msgls.features.command_table import Command
from msgls.features.commands import (
    Call,
    CellChange,
    RefusedError,
    Run,
    ShownText,
    advance,
    go_beside,
)
from msgls.features.converting import convert_to, stem_of
from msgls.features.forking import forked
from msgls.features.msgmd.agents import add_agent, involved_agents, set_default
from msgls.features.msgmd.asking import comparison
from msgls.features.msgmd.booting import insert_boot, reset_context
from msgls.features.msgmd.cells import (
    cell_at,
    delete_cell,
    duplicate_cell,
    insert_cell,
    merge_with_next,
    move_cell,
    split_cell,
)
from msgls.features.msgmd.retyping import (
    change_type,
    number_of_cells,
    renumber,
    set_history,
    set_history_of_all,
)
from msgls.formats.base import CellRole, Placed
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.lines import Position
from msgls.text.phrases import Phrase


def _insert(what: str, above: bool = False) -> Run:
    return lambda call: insert_cell(call.document, call.offset, what, above)


def _history(value: str) -> Run:
    def change(call: Call) -> CellChange:
        end = call.offset if call.end is None else call.end
        if number_of_cells(call.document, call.offset, end) > 1:
            return set_history_of_all(call.document, call.offset, end, value)
        return set_history(call.document, call.offset, value)

    return change


def _history_from_here(value: str) -> Run:
    def change(call: Call) -> CellChange:
        start = cell_at(call.document, call.offset).start_offset
        end = len(call.document.store)
        return set_history_of_all(call.document, start, end, value)

    return change


def _fork(call: Call) -> ShownText:
    """A new conversation with everything up to the cell of the cursor."""
    text = forked(call.document, cell_at(call.document, call.offset))
    return ShownText(f"{stem_of(call.document)}-fork.msg.md", "msgmd", text)


def _clear_outputs(call: Call) -> CellChange:
    """Remove all runs, or those of the code cell of the cursor."""
    # Imported late: few sessions run anything.
    from msgls.features.msgmd.running import clear_outputs

    if not call.flag("here"):
        return clear_outputs(call.snapshot)
    cell_id = cell_at(call.document, call.offset).cell.id or ""
    return clear_outputs(call.snapshot, CellId(cell_id).root)


# -- going --------------------------------------------------------------------------------


def _start_of(placed: Placed) -> int | None:
    """Where the cursor goes in a cell: to its title."""
    if placed.cell.kind is CellKind.PREAMBLE:
        return None
    header = placed.cell.header
    return placed.start_offset + (0 if header is None else header.title.start)


_BESIDE = go_beside(Phrase("there is no other cell"), _start_of)


def _go_to_parent(call: Call) -> CellChange:
    placed = cell_at(call.document, call.offset)
    parent_id = call.snapshot.meaning(placed).parent_id
    headers = call.document.entries("header", parent_id) if parent_id else ()
    if not headers:
        raise RefusedError("this cell does not belong to another one")
    before = [entry for entry in headers if entry.label < placed.label]
    return CellChange((), _start_of(call.document.cell((before or headers)[-1].label)))


def _go_to_child(call: Call) -> CellChange:
    cell_id = cell_at(call.document, call.offset).cell.id
    children = call.document.entries("child", cell_id) if cell_id else ()
    if not children:
        raise RefusedError("no other cell belongs to this one")
    return CellChange((), _start_of(call.document.cell(children[0].label)))


# -- agents -------------------------------------------------------------------------------


def _set_default(call: Call) -> CellChange:
    name = call.text("name")
    if name is None:
        meaning = call.snapshot.meaning(cell_at(call.document, call.offset))
        if meaning.role is not CellRole.ANSWER or not meaning.type:
            raise RefusedError("this cell has no agent: give the `name` of one")
        name = meaning.type
    edits = set_default(call.snapshot, name)
    if edits is None:
        raise RefusedError("the frontmatter cannot be read, so it cannot be changed")
    if not edits:
        raise RefusedError("`{name}` is the default agent already", name=name)
    return CellChange(tuple(edits))


def _add(call: Call) -> CellChange:
    name, model = call.needed("name"), call.text("model")
    models = [] if model is None else [model]
    edits = add_agent(call.snapshot, name, models, call.flag("temporary"), call.offset)
    return CellChange(tuple(edits))


def _list(call: Call) -> list[dict[str, Any]] | CellChange:
    line = call.arguments.get("line")
    if type(line) is int and line >= 0:
        # One of them was chosen.
        return CellChange((), call.document.offset_of(Position(line, 0)))
    greeting = {found.agent for found in call.snapshot.surroundings.greetings}
    return [
        {
            "name": agent.name,
            "origin": agent.origin.value,
            "models": list(agent.models),
            "line": agent.line,
            "answers": agent.answers,
            "isDefault": agent.is_default,
            "hasBootMessage": agent.name in greeting,
        }
        for agent in involved_agents(call.snapshot)
    ]


RUNS: Mapping[Command, Run] = {
    table.INSERT_MESSAGE: _insert("message"),
    table.INSERT_MESSAGE_ABOVE: _insert("message", above=True),
    table.INSERT_OUTPUT: _insert("output"),
    table.INSERT_OUTPUT_ABOVE: _insert("output", above=True),
    table.INSERT_TOOL_CALL: _insert("call"),
    table.INSERT_TOOL_RESULT: _insert("result"),
    table.INSERT_EXECUTION: _insert("run"),
    table.SPLIT_CELL: lambda call: split_cell(call.document, call.offset),
    table.MERGE_NEXT: lambda call: merge_with_next(call.document, call.offset),
    table.MOVE_UP: lambda call: move_cell(call.document, call.offset, up=True),
    table.MOVE_DOWN: lambda call: move_cell(call.document, call.offset, up=False),
    table.DUPLICATE_CELL: lambda call: duplicate_cell(call.document, call.offset),
    table.DELETE_CELL: lambda call: delete_cell(call.document, call.offset),
    table.CHANGE_TYPE: lambda call: change_type(call.document, call.offset, call.needed("type")),
    table.RENUMBER_CELLS: lambda call: renumber(call.document, call.offset),
    table.ADVANCE: advance(_BESIDE[table.GO_TO_NEXT], _insert("message")),
    **_BESIDE,
    table.GO_TO_PARENT: _go_to_parent,
    table.GO_TO_CHILD: _go_to_child,
    table.EXCLUDE: _history("exclude"),
    table.INCLUDE: _history("include"),
    table.SUMMARIZE: _history("summary"),
    table.EXCLUDE_FROM_HERE: _history_from_here("exclude"),
    table.INCLUDE_FROM_HERE: _history_from_here("include"),
    table.SUMMARIZE_FROM_HERE: _history_from_here("summary"),
    table.RESET_CONTEXT: lambda call: reset_context(
        call.snapshot,
        call.text("agent"),
        call.offset if call.flag("here") else None,
        call.language,
    ),
    table.SET_DEFAULT_AGENT: _set_default,
    table.ADD_AGENT: _add,
    table.LIST_AGENTS: _list,
    table.INSERT_BOOT: lambda call: insert_boot(call.snapshot, call.text("agent")),
    table.FORK: _fork,
    table.COMPARE_ANSWERS: lambda call: comparison(call.snapshot, call.offset),
    table.CLEAR_OUTPUTS: _clear_outputs,
    table.CONVERT_TO: convert_to,
}

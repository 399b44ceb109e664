"""Code actions in a message file: commands for a cell, and the suppression of a rule.

Owns which of them are offered where, and their titles.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.conversation.cell_visibility import defines_agent, horizon_of, sight_of
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import command_table as table
from msgls.features.actions import CommandAction, insertions
from msgls.features.commands import RefusedError
from msgls.features.msgmd.booting import default_agent, has_begun
from msgls.features.msgmd.cells import are_alike, belongs, block
from msgls.features.msgmd.retyping import changes_history, misnumbered, selected_cells
from msgls.features.msgmd.snippets import agents_first_default
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, frontmatter_of, meaning_of, own_home
from msgls.syntax.cells import CellKind
from msgls.text.lines import line_bounds
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span
from msgls.text.work import Work

_MOST_AGENTS = 5
_GOING_TO_CHILD = {
    CellRole.ANSWER: Phrase("Go to the first tool call"),
    CellRole.CALL: Phrase("Go to the first result"),
    CellRole.CODE: Phrase("Go to the first run"),
}

_FROM_HERE = {
    "include": table.INCLUDE_FROM_HERE,
    "exclude": table.EXCLUDE_FROM_HERE,
    "summary": table.SUMMARIZE_FROM_HERE,
}
_OF_RANGE = {
    "include": (Phrase("Include {count} cells in history"), table.INCLUDE),
    "exclude": (Phrase("Exclude {count} cells from history"), table.EXCLUDE),
    "summary": (Phrase("Summarize {count} cells in history"), table.SUMMARIZE),
}


def ignoring(snapshot: Snapshot, placed: Placed, code: str) -> Edit | None:
    """The comment that suppresses a rule in a cell, below its definition."""
    cell = placed.cell
    if cell.frontmatter is not None and not cell.frontmatter_closed:
        return None
    at = int(cell.text.startswith("\ufeff"))
    home = own_home(cell)
    if home is not None:
        at = home.span.end
    elif cell.header is not None:
        at = cell.header.span.end
    elif cell.frontmatter is not None:
        at = line_bounds(cell.text, len(cell.text[: cell.frontmatter.end].rstrip(" \t\r\n")))[1]
    newline = snapshot.document.newline
    comment = f"<!-- msgls: ignore {code} -->"
    if cell.header is None and cell.frontmatter is None:
        line = comment + newline + newline
    else:
        after = cell.text[at:].replace("\r\n", "\n").replace("\r", "\n")[1:].lstrip(" \t")
        line = newline + newline + comment + ("" if after[:1] in ("", "\n") else newline)
    return Edit(Span(at, at).shift(placed.start_offset), line)


def cell_actions(snapshot: Snapshot, offset: int) -> Iterator[CommandAction]:
    """The actions for the cell at ``offset``."""
    document = snapshot.document
    placed = document.cell_at_offset(offset)
    inside = placed is not None and placed.cell.kind is not CellKind.PREAMBLE
    yield from insertions(inside)
    if placed is None or not inside:
        yield from _boot_actions(snapshot)
        return
    meaning = snapshot.meaning(placed)
    yield from _running_actions(snapshot, meaning)
    yield from _asking_actions(snapshot, meaning)
    yield from _children_actions(document, meaning)
    yield from _arranging_actions(document, meaning, offset)
    yield from _type_actions(document, meaning)
    yield from history_actions(document, meaning)
    yield from _from_here_actions(document, meaning)
    yield from _boot_actions(snapshot, placed)
    yield from navigation_actions(document, meaning)


def _running_actions(snapshot: Snapshot, meaning: Meaning) -> Iterator[CommandAction]:
    """The actions that run code here, or clear its outputs."""
    if meaning.role not in (CellRole.CODE, CellRole.RUN):
        return
    # Imported late: needed only for code and answers.
    from msgls.features.msgmd.running import code_at

    try:
        code = code_at(snapshot, meaning.placed.start_offset)
    except RefusedError:
        return
    has_runs = bool(snapshot.document.entries("child", code.cell_id))
    yield CommandAction(table.RUN_CELL, Phrase("Run cell again") if has_runs else None)
    if has_runs:
        yield CommandAction(table.REPLACE_RUN)
        title = Phrase("Clear outputs of this cell")
        yield CommandAction(table.CLEAR_OUTPUTS, title, {"here": True})
    yield CommandAction(table.RUN_FROM_HERE)
    yield CommandAction(table.RUN_ALL)


def _asking_actions(snapshot: Snapshot, meaning: Meaning) -> Iterator[CommandAction]:
    """The actions by which a model answers, answers again, or continues its answer."""
    # Imported late: needed only for code and answers.
    from msgls.features.msgmd.asking import answers_to, is_incomplete, question_at

    if meaning.role is CellRole.ANSWER and is_incomplete(meaning):
        yield CommandAction(table.CONTINUE_ANSWER)
    try:
        question = question_at(snapshot, meaning.placed.start_offset)
        # Raises, too, if there is no message before the answer.
        others = answers_to(snapshot, question.last_number) if question.instead_of else ()
    except RefusedError:
        return
    yield CommandAction(table.ASK, question.title)
    if len(others) > 1:
        yield CommandAction(table.COMPARE_ANSWERS)


def _boot_actions(snapshot: Snapshot, after: Placed | None = None) -> Iterator[CommandAction]:
    """The actions that insert a boot message, the default agent's first; or reset the context."""
    document = snapshot.document
    if has_begun(document):
        if after is not None and document.number_of(after.label) + 1 < document.cell_count:
            title = Phrase("Reset context below this cell")
            yield CommandAction(table.RESET_CONTEXT, title, {"here": True})
        yield CommandAction(table.RESET_CONTEXT)
        return
    default = default_agent(snapshot)
    names = [greeting.agent for greeting in snapshot.surroundings.greetings]
    for name in sorted(names, key=lambda name: name != default)[:_MOST_AGENTS]:
        title = Phrase("Insert boot message of `{name}`", name=name)
        yield CommandAction(table.INSERT_BOOT, title, {"agent": name})


def _children_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    role = meaning.role
    if not meaning.cell.id:
        return
    if role in (CellRole.ANSWER, CellRole.CALL, CellRole.RESULT):
        yield CommandAction(table.INSERT_TOOL_CALL)
    if role in (CellRole.CALL, CellRole.RESULT):
        yield CommandAction(table.INSERT_TOOL_RESULT)
    if role in (CellRole.CODE, CellRole.RUN):
        yield CommandAction(table.INSERT_EXECUTION)
    if role in (CellRole.RESULT, CellRole.RUN) and misnumbered(document, meaning):
        is_result = role is CellRole.RESULT
        title = Phrase("Renumber results") if is_result else Phrase("Renumber runs")
        yield CommandAction(table.RENUMBER_CELLS, title)


def _arranging_actions(
    document: Document, meaning: Meaning, offset: int
) -> Iterator[CommandAction]:
    placed, cell = meaning.placed, meaning.cell
    home = own_home(cell)
    head = cell.body.start if home is None else home.span.end + 1
    is_whole = meaning.role in (CellRole.MESSAGE, CellRole.CODE, CellRole.ANSWER)
    if is_whole and offset - placed.start_offset >= head:
        yield CommandAction(table.SPLIT_CELL)
    number = document.number_of(placed.label)
    if number + 1 < document.cell_count:
        if are_alike(meaning, meaning_of(document, document.cell_number(number + 1))):
            yield CommandAction(table.MERGE_NEXT)
        # A cell is moved with those that belong to it: there must be another one below them.
        last = document.cell_number(document.cell_count - 1)
        if not belongs(last, placed) or block(document, placed)[-1].label != last.label:
            yield CommandAction(table.MOVE_DOWN)
    before = document.cell_number(number - 1) if number else None
    if before and before.cell.kind is not CellKind.PREAMBLE and not belongs(placed, before):
        yield CommandAction(table.MOVE_UP)
    if not defines_agent(meaning_of(document, placed)):
        yield CommandAction(table.DUPLICATE_CELL)
    yield CommandAction(table.FORK)
    yield CommandAction(table.DELETE_CELL)


def _type_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    if meaning.role is CellRole.ANSWER and meaning.type:
        frontmatter = frontmatter_of(document)
        if frontmatter is None or frontmatter.default_agent_name != meaning.type:
            title = Phrase("Make `{name}` the default agent", name=meaning.type)
            yield CommandAction(table.SET_DEFAULT_AGENT, title, {"name": meaning.type})
    cell_id = meaning.cell.id or ""
    if "." in cell_id:
        return
    has_children = bool(cell_id) and bool(document.entries("child", cell_id))
    agents = agents_first_default(document)[:_MOST_AGENTS]
    if meaning.cell.kind is CellKind.OUTPUT:
        types = [*agents, *([] if has_children else MESSAGE_TYPES[:1])]
    else:
        types = [] if has_children else [*MESSAGE_TYPES, *agents[:1]]
    now = meaning.type or (MESSAGE_TYPES[0] if meaning.cell.kind is CellKind.MESSAGE else "")
    for kind in types:
        if kind != now:
            yield CommandAction(
                table.CHANGE_TYPE,
                Phrase("Change cell type to `{kind}`", kind=kind),
                {"type": kind},
            )


def history_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    """The actions that change whether the model sees a cell, the most likely one first."""
    sight = sight_of(document, meaning, horizon_of(document))
    if sight in (Sight.EXCLUDED, Sight.SUMMARY):
        yield CommandAction(table.INCLUDE)
    if sight in (Sight.SEEN, Sight.SUMMARY):
        yield CommandAction(table.EXCLUDE)
    if sight in (Sight.SEEN, Sight.EXCLUDED):
        yield CommandAction(table.SUMMARIZE)


def _from_here_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    """The same for a cell and all that follow it."""
    if document.number_of(meaning.placed.label) + 1 == document.cell_count:
        return
    for value, command in _FROM_HERE.items():
        if changes_history(document, meaning, value):
            yield CommandAction(command)


def range_actions(snapshot: Snapshot, span: Span) -> Work[list[CommandAction]]:
    """The actions that change whether the model sees the selected cells."""
    document = snapshot.document
    count = 0
    useful: set[str] = set()
    for placed in selected_cells(document, span.start, span.end):
        meaning = snapshot.meaning(placed)
        for value in _OF_RANGE.keys() - useful:
            if changes_history(document, meaning, value):
                useful.add(value)
        count += 1
        yield
    return [
        CommandAction(command, Phrase(title.template, count=count))
        for value, (title, command) in _OF_RANGE.items()
        if count > 1 and value in useful
    ]


def navigation_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    """The actions that go from a cell to others."""
    cell_id = meaning.cell.id
    if cell_id and document.entries("child", cell_id):
        title = _GOING_TO_CHILD.get(meaning.role, Phrase("Go to the first cell below it"))
        yield CommandAction(table.GO_TO_CHILD, title)
    if meaning.parent_id and document.entries("header", meaning.parent_id):
        yield CommandAction(table.GO_TO_PARENT)

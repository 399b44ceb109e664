"""Code actions in a message file: what can be done with a cell, and how a rule is silenced.

Owns which of them are offered where, and their titles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgls.document.document import Document
from msgls.features.actions import CommandAction
from msgls.features.msgmd.snippets import agents_first_default
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import line_break_of
from msgls.formats.msgmd.history import Sight, last_reset, sight_of
from msgls.formats.msgmd.meaning import (
    MESSAGE_TYPES,
    CellRole,
    Meaning,
    frontmatter_of,
    meaning_of,
    own_home,
)
from msgls.formats.msgmd.section import section_order
from msgls.model.cells import CellKind
from msgls.text.lines import line_bounds
from msgls.text.spans import Edit, Span

_MOST_AGENTS = 5
_CHILDREN = {
    CellRole.ANSWER: "tool call",
    CellRole.CALL: "result",
    CellRole.CODE: "run",
}


def ignoring(document: Document, placed: Placed, code: str) -> Edit | None:
    """The comment that silences a rule in a cell, below its definition."""
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
    newline = line_break_of(document)
    comment = f"<!-- msgls: ignore {code} -->"
    if cell.header is None and cell.frontmatter is None:
        line = comment + newline + newline
    else:
        behind = cell.text[at:].replace("\r\n", "\n").replace("\r", "\n")[1:].lstrip(" \t")
        line = newline + newline + comment + ("" if behind[:1] in ("", "\n") else newline)
    return Edit(Span(at, at).shift(placed.start_offset), line)


def cell_actions(
    document: Document, offset: int, others: Collection[str] = ()
) -> Iterator[CommandAction]:
    """What can be done with the cell at ``offset``."""
    placed = document.cell_at_offset(offset)
    inside = placed is not None and placed.cell.kind is not CellKind.PREAMBLE
    for name, command in (("message", "insertMessage"), ("output", "insertOutput")):
        for where, above in (("above", True), ("below", False)):
            if inside or not above:
                title = f"Insert {name} cell {where}"
                yield CommandAction(title, f"msgls.cell.{command}", {"above": above})
    if placed is None or not inside:
        return
    meaning = meaning_of(document, placed, others)
    yield from _children_actions(document, meaning)
    yield from _arranging_actions(document, meaning, offset)
    yield from _type_actions(document, meaning, others)
    yield from history_actions(document, meaning)
    yield from going_actions(document, meaning)


def _children_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    role = meaning.role
    if not meaning.cell.id:
        return
    if role in (CellRole.ANSWER, CellRole.CALL, CellRole.RESULT):
        yield CommandAction("Insert tool call cell", "msgls.cell.insertToolCall")
    if role in (CellRole.CALL, CellRole.RESULT):
        yield CommandAction("Insert tool result cell", "msgls.cell.insertToolResult")
    if role in (CellRole.CODE, CellRole.RUN):
        yield CommandAction("Insert execution cell", "msgls.cell.insertExecution")
    if role in (CellRole.RESULT, CellRole.RUN):
        what = "results" if role is CellRole.RESULT else "runs"
        yield CommandAction(f"Renumber {what}", "msgls.cell.renumber")


def _arranging_actions(
    document: Document, meaning: Meaning, offset: int
) -> Iterator[CommandAction]:
    placed, cell = meaning.placed, meaning.cell
    home = own_home(cell)
    head = cell.body.start if home is None else home.span.end + 1
    is_whole = meaning.role in (CellRole.MESSAGE, CellRole.CODE, CellRole.ANSWER)
    if is_whole and offset - placed.start_offset >= head:
        yield CommandAction("Split cell", "msgls.cell.split")
    number = document.number_of(placed.order)
    if number + 1 < document.cell_count:
        if document.cell_number(number + 1).cell.kind is cell.kind:
            yield CommandAction("Merge cell with next", "msgls.cell.mergeNext")
        yield CommandAction("Move cell down", "msgls.cell.moveDown")
    if number and document.cell_number(number - 1).cell.kind is not CellKind.PREAMBLE:
        yield CommandAction("Move cell up", "msgls.cell.moveUp")
    yield CommandAction("Duplicate cell", "msgls.cell.duplicate")
    yield CommandAction("Delete cell", "msgls.cell.delete")


def _type_actions(
    document: Document, meaning: Meaning, others: Collection[str]
) -> Iterator[CommandAction]:
    if meaning.role is CellRole.ANSWER and meaning.type:
        frontmatter = frontmatter_of(document)
        if frontmatter is None or frontmatter.default_agent_name != meaning.type:
            title = f"Make `{meaning.type}` the default agent"
            yield CommandAction(title, "msgls.agent.setDefault", {"name": meaning.type})
    cell_id = meaning.cell.id or ""
    if "." in cell_id:
        return
    has_children = bool(cell_id) and bool(document.entries("child", cell_id))
    agents = agents_first_default(document, others)[:_MOST_AGENTS]
    if meaning.cell.kind is CellKind.OUTPUT:
        types = [*agents, *([] if has_children else MESSAGE_TYPES[:1])]
    else:
        types = [] if has_children else [*MESSAGE_TYPES, *agents[:1]]
    now = meaning.type or (MESSAGE_TYPES[0] if meaning.cell.kind is CellKind.MESSAGE else "")
    for kind in types:
        if kind != now:
            yield CommandAction(
                f"Change cell type to `{kind}`", "msgls.cell.changeType", {"type": kind}
            )


def history_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    """What can be changed about whether the model sees a cell; the most likely one first."""
    sight = sight_of(meaning, last_reset(document), section_order(document))
    if sight in (Sight.EXCLUDED, Sight.SUMMARY):
        yield CommandAction("Include cell in history", "msgls.history.include")
    if sight in (Sight.SEEN, Sight.SUMMARY):
        yield CommandAction("Exclude cell from history", "msgls.history.exclude")
    if sight in (Sight.SEEN, Sight.EXCLUDED):
        yield CommandAction("Summarize cell in history", "msgls.history.summarize")


def going_actions(document: Document, meaning: Meaning) -> Iterator[CommandAction]:
    """Where one can go from a cell."""
    cell_id = meaning.cell.id
    if cell_id and document.entries("child", cell_id):
        name = _CHILDREN.get(meaning.role, "cell below it")
        yield CommandAction(f"Go to the first {name}", "msgls.cell.goToChild", is_going=True)
    if meaning.parent_id and document.entries("header", meaning.parent_id):
        title = "Go to the cell that this one belongs to"
        yield CommandAction(title, "msgls.cell.goToParent", is_going=True)

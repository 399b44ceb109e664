"""The commands that change a cell in place: its type, its number, whether the model sees it.

Owns the edits of ``msgls.cell.changeType``, ``msgls.cell.renumber`` and ``msgls.history.*``. None
of them moves the cell or changes its content.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgls.conversation.cell_visibility import horizon_of, own_sight, sight_of
from msgls.conversation.visibility import Sight
from msgls.document.document import Document
from msgls.features.commands import CellChange, RefusedError
from msgls.features.msgmd.appending import check_name
from msgls.features.msgmd.cells import block, cell_at, owner
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.edits import (
    insert_definition,
    remove_attribute,
    rename_cells,
    set_attribute,
)
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, TOOL, is_registered, meaning_of, next_free_id
from msgls.formats.values import HISTORY_VALUES, INCLUDED_VALUES
from msgls.rules.msgmd.ids import give_id, likely_type, positive_number
from msgls.rules.msgmd.numbering import due_numbers
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span


def change_type(document: Document, offset: int, kind: str) -> CellChange:
    """Change the type of a cell; a message that gets the name of an agent becomes an output."""
    placed = cell_at(document, offset)
    meaning = meaning_of(document, placed)
    _check_type(document, meaning, kind)
    edits = _marker_edits(placed, kind in MESSAGE_TYPES)
    definition, holder = meaning.definition, meaning.holder
    if definition is not None and definition.type_span is not None and holder is not None:
        if definition.type != kind:
            edits.append(Edit(definition.type_span.shift(holder.start_offset), kind))
    else:
        edits.append(_define(document, placed, f"[{kind}]"))
    if not edits:
        raise RefusedError("the cell is already of type `{kind}`", kind=kind)
    return CellChange(tuple(edits))


def _check_type(document: Document, meaning: Meaning, kind: str) -> None:
    cell_id = meaning.cell.id or ""
    is_message = kind in MESSAGE_TYPES
    if not is_message and kind != TOOL:
        check_name(kind)
        meant = closest(kind, MESSAGE_TYPES, limit=1)
        if meant and not is_registered(document, kind):
            raise RefusedError(
                "unknown type `{kind}`: did you mean `{meant}`?", kind=kind, meant=meant[0]
            )
    if "." in cell_id and is_message:
        raise RefusedError("the id `{cell_id}` makes the cell part of another one", cell_id=cell_id)
    if kind == TOOL and "." not in cell_id:
        raise RefusedError("a tool call needs an id that names the answer it belongs to")
    is_same = is_message == (meaning.cell.kind is CellKind.MESSAGE)
    is_uncoded = meaning.role is CellRole.CODE and kind != "code"
    if cell_id and document.entries("child", cell_id) and (is_uncoded or not is_same):
        raise RefusedError("other cells belong to `{cell_id}`", cell_id=cell_id)


def _marker_edits(placed: Placed, is_message: bool) -> list[Edit]:
    header = placed.cell.header
    percents = "%%" if is_message else "%%%"
    if header is None or header.percents.of(placed.cell.text) == percents:
        return []
    return [Edit(header.percents.shift(placed.start_offset), percents)]


def _define(document: Document, placed: Placed, definition: str, new_id: str | None = None) -> Edit:
    """Insert the definition of a cell that has none, and an id if that is missing too."""
    cell_id = placed.cell.id
    if cell_id:
        return insert_definition(document, placed, f"[^{cell_id}]: {definition}")
    if placed.cell.header is None or placed.cell.header.id is not None:
        raise RefusedError("the cell's id is empty, so it cannot have a definition")
    new_id = new_id or next_free_id(document)
    given = give_id(placed, new_id)
    inserted = insert_definition(document, placed, f"[^{new_id}]: {definition}")
    return Edit(given.span, given.text + inserted.text)


def set_history(document: Document, offset: int, value: str) -> CellChange:
    """Set ``history`` on a cell; ``include``, the default, removes the attribute.

    The calls and results of an answer are part of its message, and are changed with it.
    """
    if value not in HISTORY_VALUES:
        raise RefusedError("`history` cannot be `{value}`", value=value)
    meaning = meaning_of(document, cell_at(document, offset))
    if meaning.role in (CellRole.ANSWER, CellRole.CALL) and value in ("exclude", "include"):
        cells = block(document, meaning.placed)
        if len(cells) > 1:
            start, end = meaning.placed.start_offset, cells[-1].span.end
            return set_history_of_all(document, start, end, value)
    return CellChange((_history_edit(document, meaning, value),))


def _history_edit(
    document: Document, meaning: Meaning, value: str, new_id: str | None = None
) -> Edit:
    placed = meaning.placed
    include = value in INCLUDED_VALUES
    definition, holder = meaning.definition, meaning.holder
    if definition is None or holder is None:
        if include:
            raise RefusedError("the cell is already included")
        kind = likely_type(document, placed, placed.cell.id or "")
        return _define(document, placed, f"[{kind}] history={quote_value(value)}", new_id)
    written = [attribute for attribute in definition.attributes if attribute.key == "history"]
    if include and len(written) < 2:
        if not written:
            raise RefusedError("the cell is already included")
        edit = remove_attribute(holder.cell.text, written[0])
    elif written and written[-1].value == value:
        raise RefusedError("`history` is `{value}` already", value=value)
    else:
        edit = set_attribute(definition, "history", quote_value(value))
    return Edit(edit.span.shift(holder.start_offset), edit.text)


# -- history of many --------------------------------------------------------------------------

# If many cells are changed at once, a value is set only on cells that the model sees in this way:
# summarizing them, for example, does not show the first paragraph of a cell that was excluded.
_CHANGED = {
    "exclude": (Sight.SEEN, Sight.SUMMARY),
    "include": (Sight.EXCLUDED, Sight.SUMMARY),
    "summary": (Sight.SEEN,),
}
_PREFIX = "m"


def selected_cells(document: Document, start: int, end: int) -> Iterator[Placed]:
    """The cells that a selection touches; not the one at whose very start it ends."""
    number = document.number_at_offset(start)
    for placed in () if number is None else document.cells_from(number):
        if placed.start_offset >= end and placed.start_offset > start:
            return
        if placed.cell.kind is not CellKind.PREAMBLE:
            yield placed


def number_of_cells(document: Document, start: int, end: int) -> int:
    """How many cells a selection touches: 0, 1, or 2 for several."""
    return len(list(islice(selected_cells(document, start, end), 2)))


def changes_history(document: Document, meaning: Meaning, value: str) -> bool:
    """Whether ``history`` would change what the model sees of a cell, if set on many."""
    sight = sight_of(document, meaning, horizon_of(document))
    return sight in _CHANGED[value]


def set_history_of_all(document: Document, start: int, end: int, value: str) -> CellChange:
    """Set ``history`` on every cell in a selection where that changes what the model sees."""
    horizon = horizon_of(document)
    edits: dict[Span, Edit] = {}
    number = 1
    for placed in selected_cells(document, start, end):
        meaning = meaning_of(document, placed)
        sight = sight_of(document, meaning, horizon)
        if sight is Sight.OWNER_HIDDEN and edits and value != "exclude":
            # Its answer is seen again, so that only its own attribute hides it.
            sight = own_sight(meaning, horizon)
        if sight not in _CHANGED[value]:
            continue
        new_id = None
        if placed.cell.header is not None and placed.cell.header.id is None:
            new_id = next_free_id(document, _PREFIX, number)
            number = int(new_id.removeprefix(_PREFIX)) + 1
        try:
            edit = _history_edit(document, meaning, value, new_id)
        except RefusedError:
            # A cell with an empty id cannot have a definition: it is skipped.
            continue
        # Two cells of one id have one definition.
        edits[edit.span] = edit
    if not edits:
        raise RefusedError("this would not change what the model sees")
    return CellChange(tuple(edits.values()))


def renumber(document: Document, offset: int) -> CellChange:
    """Number the results of a call 1, 2, 3, and the runs of a code cell in ascending order."""
    new_ids = _numbers(document, meaning_of(document, cell_at(document, offset)))
    edits = rename_cells(document, new_ids)
    if not edits:
        raise RefusedError("the numbers are already right")
    return CellChange(tuple(edits))


def misnumbered(document: Document, meaning: Meaning) -> bool:
    """Whether the results or runs around a cell are not numbered in their order."""
    try:
        new_ids = _numbers(document, meaning)
    except RefusedError:
        return False
    return any(document.cell(label).cell.id != new_id for label, new_id in new_ids.items())


def _numbers(document: Document, meaning: Meaning) -> dict[int, str]:
    """The id that each result of a call, or each run of code, should have, by label."""
    is_run = meaning.role in (CellRole.CODE, CellRole.RUN)
    parent = owner(document, meaning, CellRole.CODE if is_run else CellRole.CALL)
    if parent is None or not parent.cell.id:
        raise RefusedError("only the results of a tool call and the runs of code are numbered")
    role = CellRole.RUN if is_run else CellRole.RESULT
    children = [document.cell(e.label) for e in document.entries("child", parent.cell.id)]
    numbered = [p for p in children if meaning_of(document, p).role is role]
    written = [positive_number(CellId(p.cell.id or "").last) or 0 for p in numbered]
    due = due_numbers(written, (), may_skip=is_run)
    new_ids = {}
    for placed, number in zip(numbered, due, strict=True):
        new_ids[placed.label] = f"{parent.cell.id}.{number}"
        for entry in document.entries("child", placed.cell.id or "") if is_run else ():
            # A further output of this run, and not of an earlier one with the same id.
            if placed.label < entry.label:
                new_ids[entry.label] = f"{new_ids[placed.label]}.{entry.payloads[0]}"
    return new_ids

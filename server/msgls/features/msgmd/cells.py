"""The commands that insert, split, merge, move, duplicate and delete cells of a message file.

Owns the edits of the commands ``msgls.cell.*`` that add, remove or move cells; those that change a
cell in place are in ``retyping``. Every function reads a frozen document and an offset in it, and
returns edits with the position of the cursor after them, or raises ``RefusedError``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgls.conversation.cell_visibility import defines_agent, own_sight
from msgls.conversation.visibility import EXCLUDED, HISTORY, NO_HORIZON, Sight, is_true
from msgls.document.document import Document
from msgls.features.commands import CellChange, RefusedError, moved, start_of
from msgls.features.msgmd.appending import check_closed
from msgls.features.msgmd.snippets import (
    Before,
    able_agents,
    call_id,
    cells_before,
    free_id,
    language_of,
    registering,
)
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.edits import (
    blank_line_after,
    insert_definition,
    remove_line,
    rename_id,
)
from msgls.formats.msgmd.meaning import (
    DEFAULT_AGENT,
    definition_of,
    is_honoured,
    meaning_of,
    own_home,
)
from msgls.formats.msgmd.section import Section, section_label, section_of
from msgls.rules.msgmd.ids import next_child
from msgls.syntax.cells import Cell, CellKind, Definition, Fence
from msgls.syntax.ids import CellId
from msgls.text.lines import line_bounds
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

_NO_PARENT = {
    "result": Phrase("only a tool call with an id has results"),
    "run": Phrase("only a code cell with an id can be run"),
}
_SPLITTABLE = (CellRole.MESSAGE, CellRole.CODE, CellRole.ANSWER)
# Attributes that both halves of a split cell have.
_KEPT = ("role", "reasoning")
_BLANK = " \t\r\n"


# -- places -----------------------------------------------------------------------------


def cell_at(document: Document, offset: int) -> Placed:
    """The cell that a command is about."""
    placed = document.cell_at_offset(offset)
    if placed is None or placed.cell.kind is CellKind.PREAMBLE:
        raise RefusedError("there is no cell here")
    return placed


def block(document: Document, placed: Placed) -> list[Placed]:
    """A cell with the calls, results and runs that belong to it and follow it."""
    cells = [placed]
    if placed.cell.id and placed.cell.kind is not CellKind.PREAMBLE:
        prefix = f"{placed.cell.id}."
        for number in range(document.number_of(placed.label) + 1, document.cell_count):
            following = document.cell_number(number)
            if not (following.cell.id or "").startswith(prefix):
                break
            cells.append(following)
    return cells


def owner(document: Document, meaning: Meaning, role: CellRole) -> Meaning | None:
    """The cell itself, if it has that role, else the nearest one before that it belongs to."""
    if meaning.role is role:
        return meaning
    for entry in reversed(document.entries("header", meaning.parent_id or "")):
        if entry.label < meaning.placed.label:
            parent = meaning_of(document, document.cell(entry.label))
            if parent.role is role:
                return parent
    return None


def _record(document: Document) -> Span:
    """The part of the file with the conversation."""
    section = section_of(document)
    if section is None:
        return Span(0, len(document.store))
    if not section.headings:
        raise RefusedError("the section `{name}` is missing", name=section.name)
    return section.record


def _recorded_cell(document: Document, offset: int) -> Placed:
    placed = cell_at(document, offset)
    if placed.label <= section_label(document) or placed.span.start >= _record(document).end:
        raise RefusedError("this cell is outside of the section that holds the conversation")
    return placed


def _end(document: Document, placed: Placed) -> int:
    """The offset after a cell where another one can be inserted."""
    record = _record(document)
    if placed.cell.frontmatter is not None and not placed.cell.frontmatter_closed:
        raise RefusedError("the frontmatter is not closed")
    check_closed(document, placed)
    if not record.start <= placed.span.end or placed.start_offset >= record.end:
        raise RefusedError("the cursor is outside of the section that holds the conversation")
    return min(placed.span.end, record.end)


def _visible_end(text: str) -> int:
    """The end of the last line that is not blank."""
    return line_bounds(text, len(text.rstrip(_BLANK)))[1] if text.strip(_BLANK) else 0


def _skip_blank_lines(text: str, start: int) -> int:
    """The start of the first line that is not blank; ``start`` if all of them are."""
    first = len(text) - len(text[start:].lstrip(_BLANK))
    return line_bounds(text, first, start)[0] if first < len(text) else start


def _content_start(cell: Cell) -> int:
    """The start of the content, after the header and the definition."""
    home = own_home(cell)
    return cell.body.start if home is None else remove_line(cell.text, *home.span).end


# -- inserting --------------------------------------------------------------------------


_TOOL_NAME = "tool"
# A header has at most so many `#`.
_DEEPEST = 5


class _New(NamedTuple):
    """A cell to be written."""

    marker: str
    id: str
    definition: str
    """The text after the colon."""
    body: str = ""
    cursor: int = 0
    """The position of the cursor, in the body."""
    selected: str = ""
    """The text in the definition to select instead; it is edited together with that in the body."""


def insert_cell(document: Document, offset: int, what: str, above: bool = False) -> CellChange:
    """A new ``message``, ``output``, ``call``, ``result`` or ``run`` cell beside the one here.

    Below means after the calls, results and runs that belong to the cell.
    """
    placed = document.cell_at_offset(offset)
    inside = placed is not None and placed.cell.kind is not CellKind.PREAMBLE
    if what not in ("message", "output"):
        if placed is None or not inside:
            raise RefusedError("put the cursor in the cell that it belongs to")
        return _insert_child(document, meaning_of(document, placed), what, above)
    if placed is None:
        at = _record(document).start
    elif above and inside:
        _recorded_cell(document, offset)
        at = start_of(placed)
    else:
        at = _end(document, block(document, placed)[-1])
    number = (document.number_at_offset(at - 1) or 0) + 1 if at and document.cell_count else 0
    before = cells_before(document, number)
    header = None if placed is None else placed.cell.header
    hashes = "#" * (1 if header is None else header.depth)
    if what == "message":
        new_id = free_id(document, before, CellKind.MESSAGE)
        return _put(document, at, _New(f"{hashes} %%", new_id, "[markdown]"))
    new_id = free_id(document, before, CellKind.OUTPUT)
    agent = _likely_agent(document, before, before.last(CellRole.ANSWER))
    change = _put(document, at, _New(f"{hashes} %%%", new_id, f"[{agent}]"))
    also = registering(document, agent, before)
    cursor = (change.cursor or 0) + sum(len(one.text) - one.span.length for one in also)
    return change._replace(edits=(*also, *change.edits), cursor=cursor)


def insert_below(document: Document, offset: int | None, text: str) -> Edit:
    """The edit that inserts the text of a cell below the one at ``offset``, else at the end."""
    if offset is None:
        at = _record(document).end
        if document.cell_count:
            check_closed(document, document.cell_number(document.cell_count - 1))
    else:
        placed = document.cell_at_offset(offset)
        at = 0 if placed is None else _end(document, block(document, placed)[-1])
    return _inserted(document, at, text.rstrip("\r\n"))[0]


def _likely_agent(document: Document, before: Before, answer: Meaning | None) -> str:
    """The default agent, else the one that answered last."""
    names = able_agents(document, before)
    last = None if answer is None else answer.type
    return names[0] if names else last or DEFAULT_AGENT


def _insert_child(document: Document, meaning: Meaning, what: str, above: bool) -> CellChange:
    if what == "call":
        return _insert_call(document, meaning, above)
    role = CellRole.CALL if what == "result" else CellRole.CODE
    parent = owner(document, meaning, role)
    if parent is None or not parent.cell.id:
        raise RefusedError(_NO_PARENT[what])
    if above:
        raise RefusedError("results and runs are numbered in order: a new one must come last")
    new_id = next_child(document, parent.cell.id)
    definition, body = '[tool] status="success"', ""
    if what == "run":
        body = "stdout> "
        definition = f'[{language_of(parent.cell) or "python"}] status="success"'
    at = _end(document, block(document, _last_child(document, parent.placed))[-1])
    marker = f"{_hashes(parent.cell)} %%%"
    return _put(document, at, _New(marker, new_id, definition, body, len(body)))


def _last_child(document: Document, parent: Placed) -> Placed:
    """The last result or run of a cell, wherever it is; the cell itself if it has none.

    The results of parallel calls follow the last of the calls.
    """
    cell_id = parent.cell.id or ""
    twins = [e.label for e in document.entries("header", cell_id) if e.label > parent.label]
    stop = min(twins, default=None)
    children = [
        entry.label
        for entry in document.entries("child", cell_id)
        if entry.label > parent.label and (stop is None or entry.label < stop)
    ]
    return document.cell(max(children)) if children else parent


def _insert_call(document: Document, meaning: Meaning, above: bool) -> CellChange:
    """After the calls of an answer; beside a call, where the cursor is in one."""
    sibling = owner(document, meaning, CellRole.CALL)
    beside = meaning if sibling is None else sibling
    answer_id = CellId(beside.cell.id or "").root
    if not answer_id or beside.role not in (CellRole.ANSWER, CellRole.CALL):
        raise RefusedError("only an agent's answer with an id can call a tool")
    if above and sibling is None:
        raise RefusedError("a tool call must follow the answer that makes it")
    at = start_of(beside.placed)
    if not above:
        at = _end(document, block(document, beside.placed)[-1])
    newline = document.newline
    # A call nests in its answer, and stands beside another call.
    hashes = _hashes(beside.cell)
    if sibling is None and len(hashes) < _DEEPEST:
        hashes += "#"
    return _put(
        document,
        at,
        _New(
            f"{hashes} %%%",
            call_id(document, answer_id),
            f'[tool] name="{_TOOL_NAME}"',
            f"<{_TOOL_NAME}>{newline}{newline}</{_TOOL_NAME}>",
            cursor=len(f"<{_TOOL_NAME}>{newline}"),
            selected=_TOOL_NAME,
        ),
    )


def _hashes(cell: Cell) -> str:
    return "#" if cell.header is None else cell.header.hashes.of(cell.text)


def _put(document: Document, at: int, new: _New) -> CellChange:
    """Insert a cell at an offset, with blank lines around it."""
    head = _head(new.marker, new.id, new.definition, document.newline)
    edit, at = _inserted(document, at, head + new.body)
    body = at + len(head)
    if not new.selected:
        return CellChange((edit,), body + new.cursor)
    start = at + head.rindex(f'"{new.selected}"') + 1
    repeated = [body + found.start() for found in re.finditer(re.escape(new.selected), new.body)]
    end = start + len(new.selected)
    return CellChange((edit,), start, end, tuple(repeated), body + new.cursor)


def _inserted(document: Document, at: int, text: str) -> tuple[Edit, int]:
    """The edit that inserts a cell, with blank lines around it; and where its text starts."""
    newline = document.newline
    gap = _gap_before(document, at, newline)
    tail = newline * (1 if at == len(document.store) else 2)
    return Edit(Span(at, at), gap + text + tail), at + len(gap)


def _head(marker: str, new_id: str, definition: str, newline: str) -> str:
    return (newline + newline).join([f"{marker} [^{new_id}]", f"[^{new_id}]: {definition}", ""])


def _gap_before(document: Document, at: int, newline: str) -> str:
    placed = document.cell_at_offset(at - 1) if at else None
    if placed is None:
        return ""
    return blank_line_after(placed.cell.text[: at - placed.start_offset].lstrip("\ufeff"), newline)


# -- splitting and merging --------------------------------------------------------------


def split_cell(document: Document, offset: int) -> CellChange:
    """Start a new cell of the same kind at the cursor's line; a fenced block is cut in two."""
    placed = _recorded_cell(document, offset)
    meaning = meaning_of(document, placed)
    if meaning.role not in _SPLITTABLE:
        raise RefusedError(
            "the cell is {kind}, which cannot be split", kind=_WITH_ARTICLE[meaning.role]
        )
    text, newline = placed.cell.text, document.newline
    at = line_bounds(text, offset - placed.start_offset)[0]
    if at < _content_start(placed.cell):
        raise RefusedError("put the cursor below the header and the definition")
    if at + placed.start_offset > _record(document).end:
        raise RefusedError("the cursor is outside of the section that holds the conversation")
    fence = _fence_at(placed.cell, at)
    if fence is None:
        end = _skip_blank_lines(text, at)
        before, after = blank_line_after(text[:at], newline), ""
    else:
        end = at
        start, stop = line_bounds(text, fence.fence.start)
        before = text[start : fence.fence.end] + newline + newline
        after = text[start:stop] + newline
    number = document.number_of(placed.label) + 1
    new_id = free_id(document, cells_before(document, number), placed.cell.kind)
    marker = f"{_hashes(placed.cell)} {'%%' if placed.cell.kind is CellKind.MESSAGE else '%%%'}"
    definition = " ".join([f"[{_type_of(document, meaning)}]", *_kept(meaning)])
    new = before + _head(marker, new_id, definition, newline) + after
    edit = Edit(Span(at, end).shift(placed.start_offset), new)
    return CellChange((edit,), edit.span.start + len(new))


def _fence_at(cell: Cell, line_start: int) -> Fence | None:
    """The closed fenced block that a line is in."""
    for fence in cell.fences:
        last = fence.span.end if fence.close is None else fence.close.start
        if not line_bounds(cell.text, fence.fence.start)[0] < line_start <= last:
            continue
        if fence.close is None:
            raise RefusedError("the cursor is in a fenced block that is not closed")
        if fence.in_list:
            raise RefusedError("the cursor is in a fenced block of a list")
        return fence
    return None


def _type_of(document: Document, meaning: Meaning) -> str:
    if meaning.cell.kind is CellKind.MESSAGE:
        return meaning.type or "markdown"
    before = cells_before(document, document.number_of(meaning.placed.label) + 1)
    return meaning.type or _likely_agent(document, before, None)


def _kept(meaning: Meaning) -> list[str]:
    """The attributes of the second half of a cell: it is hidden in the same way as the first."""
    values = {key: meaning.value(key) for key in _KEPT}
    if is_true(meaning.mark("virtual")):
        values["virtual"] = "1"
    elif not _is_seen(meaning):
        # The first half keeps the summary, which is about both.
        values[HISTORY] = EXCLUDED
    return [f"{key}={quote_value(value)}" for key, value in values.items() if value is not None]


def _is_seen(meaning: Meaning) -> bool:
    """Whether no attribute of a cell hides any of it from the model."""
    return own_sight(meaning, NO_HORIZON) is Sight.SEEN and not is_true(meaning.mark("reset"))


_WITH_ARTICLE = {
    CellRole.PREAMBLE: Phrase("a preamble"),
    CellRole.MESSAGE: Phrase("a message"),
    CellRole.CODE: Phrase("a code cell"),
    CellRole.ANSWER: Phrase("an answer"),
    CellRole.CALL: Phrase("a tool call"),
    CellRole.RESULT: Phrase("a tool result"),
    CellRole.RUN: Phrase("an execution output"),
}


def merge_with_next(document: Document, offset: int) -> CellChange:
    """Append the content of the next cell to this one; its header and definition are removed."""
    placed = _recorded_cell(document, offset)
    number = document.number_of(placed.label) + 1
    if number >= document.cell_count:
        raise RefusedError("there is no cell after this one")
    following = document.cell_number(number)
    one, other = (meaning_of(document, p) for p in (placed, following))
    _check_alike(one, other)
    if following.cell.id and document.entries("child", following.cell.id):
        raise RefusedError("other cells belong to `{id}`", id=following.cell.id or "")
    if placed.cell.fences and placed.cell.fences[-1].close is None:
        raise RefusedError("a fenced block in the cell is not closed")
    text = following.cell.text
    content = _skip_blank_lines(text, _content_start(following.cell))
    newline = document.newline
    start = placed.start_offset + _visible_end(placed.cell.text)
    cut = Span(start, following.start_offset + content)
    joint = Edit(cut, newline + newline)
    if not text[content:].strip(_BLANK):
        joint = Edit(following.span, "")
    edits = (joint, *_definitions_elsewhere(document, [following]))
    return CellChange(edits, moved(joint.span.start, edits) + len(joint.text))


def are_alike(one: Meaning, other: Meaning) -> bool:
    """Whether two cells are of the same kind, so that they can be merged."""
    try:
        _check_alike(one, other)
    except RefusedError:
        return False
    return True


def _check_alike(one: Meaning, other: Meaning) -> None:
    if one.cell.kind is not other.cell.kind:
        raise RefusedError("a message and an output cannot be merged")
    if own_sight(one, NO_HORIZON) is not own_sight(other, NO_HORIZON) or _is_seen(
        one
    ) is not _is_seen(other):
        raise RefusedError("the model does not see the two cells in the same way")
    if one.cell.kind is CellKind.MESSAGE:
        if (one.value("role") or "user") != (other.value("role") or "user"):
            raise RefusedError("the two messages have different roles")
        return
    if one.role is not other.role or one.role is CellRole.CALL:
        raise RefusedError(
            "{one} and {other} cannot be merged",
            one=_WITH_ARTICLE[one.role],
            other=_WITH_ARTICLE[other.role],
        )
    if one.parent_id != other.parent_id:
        raise RefusedError("the two cells belong to different cells")
    if one.role is CellRole.ANSWER and one.type != other.type:
        raise RefusedError("the two answers are from different agents")


def _definitions_elsewhere(document: Document, deleted: Collection[Placed]) -> Iterator[Edit]:
    """Remove the definitions of deleted cells from the cells that stay."""
    labels = {placed.label for placed in deleted}
    for placed in deleted:
        found = definition_of(document, placed)
        if found is None or found[1].label in labels:
            continue
        if len(document.entries("header", placed.cell.id or "")) > 1:
            continue
        definition, holder = found
        line = remove_line(holder.cell.text, *definition.span)
        yield Edit(line.shift(holder.start_offset), "")


# -- moving -----------------------------------------------------------------------------


def move_cell(document: Document, offset: int, up: bool) -> CellChange:
    """Swap a cell and its children with its neighbour and that one's children."""
    placed = _recorded_cell(document, offset)
    own = block(document, placed)
    if up:
        upper, lower = _block_above(document, placed), own
    else:
        upper, lower = own, _block_below(document, own[-1])
    for last in (upper[-1], lower[-1]):
        check_closed(document, last)
    newline = document.newline
    start, middle = start_of(upper[0]), lower[0].start_offset
    end = min(lower[-1].span.end, _record(document).end)
    first = document.store.slice(Span(start, middle))
    second = document.store.slice(Span(middle, end))
    first = first[: _visible_end(first)]
    visible = _visible_end(second)
    tail = second[visible:]
    second = second[:visible] + newline + newline
    inside = offset - start_of(placed)
    cursor = start + min(inside, visible) if up else start + len(second) + min(inside, len(first))
    return CellChange((Edit(Span(start, end), second + first + tail),), max(cursor, start))


def _block_below(document: Document, last: Placed) -> list[Placed]:
    number = document.number_of(last.label) + 1
    if number >= document.cell_count:
        raise RefusedError("this is the last cell")
    return block(document, document.cell_number(number))


def _block_above(document: Document, placed: Placed) -> list[Placed]:
    """The neighbour above: the largest block that ends there and does not contain this cell."""
    number = document.number_of(placed.label) - 1
    below = [document.cell_number(number)] if number >= 0 else []
    if not below or below[0].cell.kind is CellKind.PREAMBLE:
        raise RefusedError("this is the first cell")
    if below[0].label <= section_label(document):
        raise RefusedError("this is the first cell of the section")
    if belongs(placed, below[0]):
        raise RefusedError("this cell belongs to the one above it")
    found, root = below, CellId(below[0].cell.id or "").root
    while number > 0 and "." in (below[0].cell.id or ""):
        number -= 1
        above = document.cell_number(number)
        if CellId(above.cell.id or "").root != root or belongs(placed, above):
            break
        below = [above, *below]
        if all(belongs(member, above) for member in below[1:]):
            found = below
    return found


def belongs(child: Placed, parent: Placed) -> bool:
    """Whether one cell is a call, a result or a run of another."""
    return bool(parent.cell.id) and (child.cell.id or "").startswith(f"{parent.cell.id}.")


# -- copying and deleting ---------------------------------------------------------------


def duplicate_cell(document: Document, offset: int) -> CellChange:
    """Insert a copy of a cell after it and its children, with a new id."""
    placed = cell_at(document, offset)
    check_closed(document, placed)
    meaning = meaning_of(document, placed)
    if defines_agent(meaning):
        raise RefusedError("the cell defines an agent: a copy would define it again")
    last = block(document, placed)[-1]
    if meaning.role in (CellRole.RESULT, CellRole.RUN):
        # The copy gets the next number, and so comes after all the others.
        role = CellRole.CALL if meaning.role is CellRole.RESULT else CellRole.CODE
        parent = owner(document, meaning, role)
        last = last if parent is None else block(document, parent.placed)[-1]
    edit, start = _inserted(document, _end(document, last), _copied(document, meaning))
    return CellChange((edit,), start)


def _copied(document: Document, meaning: Meaning) -> str:
    """The text of a cell with a new id, without definitions of other cells."""
    placed, cell = meaning.placed, meaning.cell
    base = start_of(placed) - placed.start_offset
    text = cell.text[base:]
    cuts = [d for d in cell.definitions if d != own_home(cell) and is_honoured(document, placed, d)]
    for definition in reversed(cuts):
        start, end = remove_line(cell.text, *definition.span).shift(-base)
        text = text[:start] + text[end:]
    text = text[: _visible_end(text)]
    if not cell.id:
        return text
    new_id = _id_for_copy(document, meaning)
    agents = document.agents_around
    text += document.newline
    copy = Document.open(document.path, text, document.format, None, agents)
    first = copy.cell_number(0)
    edits = rename_id(copy, first, new_id)
    if own_home(cell) is None and meaning.definition is not None and meaning.holder is not None:
        line = _renamed(meaning.definition, meaning.holder.cell.text, new_id)
        edits.append(insert_definition(copy, first, line))
    text = copy.apply(edits).text
    return text[: _visible_end(text)]


def _renamed(definition: Definition, text: str, new_id: str) -> str:
    line = definition.span.of(text)
    start, end = definition.id.span.shift(-definition.span.start)
    return (line[:start] + new_id + line[end:]).strip(" \t")


def _id_for_copy(document: Document, meaning: Meaning) -> str:
    cell_id = meaning.cell.id or ""
    parent = CellId(cell_id).parent
    if meaning.role is CellRole.CALL and parent:
        return call_id(document, parent)
    if meaning.role in (CellRole.RESULT, CellRole.RUN) and parent:
        return next_child(document, parent)
    number = document.number_of(meaning.placed.label) + 1
    return free_id(document, cells_before(document, number), meaning.cell.kind)


def delete_cell(document: Document, offset: int) -> CellChange:
    """Remove a cell with the calls, results and runs that belong to it, and their definitions.

    Their definitions are removed wherever they are; definitions of other cells are kept.
    """
    placed = cell_at(document, offset)
    deleted = sorted([placed, *_family(document, placed)], key=lambda member: member.start_offset)
    ids = {each.cell.id for each in deleted}
    section = section_of(document)
    edits: list[Edit] = []
    for each in deleted:
        span = Span(start_of(each), _deleted_end(each, section))
        text = _kept_definitions(document, each, ids)
        if edits and edits[-1].span.end == span.start:
            last = edits.pop()
            span, text = Span(last.span.start, span.end), last.text + text
        edits.append(Edit(span, text))
    edits += _definitions_elsewhere(document, deleted)
    return CellChange(tuple(edits), moved(start_of(placed), edits))


def _family(document: Document, placed: Placed) -> list[Placed]:
    """The cells that belong to a cell, wherever they are; if its id is not unique, those after it.

    A message is never a child, whatever its id is.
    """
    cell_id = placed.cell.id
    if not cell_id:
        return []
    if len(document.entries("header", cell_id)) > 1:
        found = block(document, placed)[1:]
    else:
        near = document.entries("child", cell_id)
        # Ids of three and more segments are indexed by their first one.
        far = document.entries("below", CellId(cell_id).root)
        placed_at = {entry.label for entry in (*near, *far)}
        found = [document.cell(label) for label in placed_at]
    return [
        member
        for member in found
        if member.cell.kind is CellKind.OUTPUT and belongs(member, placed)
    ]


def _kept_definitions(document: Document, placed: Placed, ids: Collection[str | None]) -> str:
    """The definitions in a cell for other cells than those with ``ids``, as text."""
    cell = placed.cell
    kept = [
        definition.span.of(cell.text)
        for definition in cell.definitions
        if definition.id.text not in ids
        and (is_honoured(document, placed, definition) or _may_mark(document, definition))
    ]
    return document.newline.join([*kept, "", ""]) if kept else ""


def _may_mark(document: Document, definition: Definition) -> bool:
    """Whether a definition may hide a cell, even if the rest of it is invalid."""
    may_hide = definition.is_meant and bool(definition.marks)
    return may_hide and bool(document.entries("header", definition.id.text))


def _deleted_end(placed: Placed, section: Section | None) -> int:
    """The end of the text deleted with a cell: a heading that begins or ends the section stays."""
    if section is None or not section.headings:
        return placed.span.end
    heading = section.headings[0].span.start
    end = heading if placed.start_offset < heading else section.record.end
    return min(placed.span.end, end)

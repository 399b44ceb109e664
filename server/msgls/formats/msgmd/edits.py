"""Edits of a message file that several layers need: renaming, inserting, moving cells.

Owns no state: every function reads a ``View`` and returns absolute edits.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

from msgls.formats.base import Entry, Placed, View
from msgls.formats.msgmd.meaning import definition_of, own_home
from msgls.syntax.cells import Attribute, Cell, Definition
from msgls.text.lines import after_break, count_breaks
from msgls.text.spans import Edit, Span

_UNTYPED = ("footnote", "malformed")
_NO_CELLS = range(0)
_SAID_BY = ("header", "definition", *_UNTYPED, "reference")


def rename_id(view: View, placed: Placed, new_id: str) -> list[Edit]:
    """Give one cell another id: its header, its definition, and its children along.

    References in the prose follow where the old id is that of this cell alone.
    """
    old_id = placed.cell.id
    if old_id is None or old_id == new_id:
        return []
    places = set(_own_places(view, placed, old_id))
    if len(view.entries("header", old_id)) == 1:
        for family_id in [old_id, *descendant_ids(view, old_id)]:
            places.update(_places(view, family_id))
    return [Edit(span, new_id + written.removeprefix(old_id)) for span, written in sorted(places)]


def rename_cells(view: View, new_ids: Mapping[int, str], prose: range = _NO_CELLS) -> list[Edit]:
    """Give cells, by their labels, other ids: each with its own definition, all at once.

    References follow where the old id is that of one cell alone, and in the cells whose labels
    are in ``prose``.
    """
    edits: set[Edit] = set()
    for label, new_id in new_ids.items():
        placed = view.cell(label)
        old_id = placed.cell.id
        if old_id is None or old_id == new_id:
            continue
        edits.update([Edit(span, new_id) for span, _ in _own_places(view, placed, old_id)])
        is_alone = len(view.entries("header", old_id)) == 1
        spans = reference_spans(view, old_id, None if is_alone else prose)
        edits.update([Edit(span, new_id) for span in spans])
        if is_alone and own_definition(view, placed) is None:
            edits.update([Edit(span, new_id) for span, _ in _places(view, old_id, _UNTYPED)])
    return sorted(edits)


def reference_spans(view: View, cell_id: str, within: range | None = None) -> Iterator[Span]:
    """Where the prose refers to an id, absolute; ``within`` cells of these labels only."""
    entries = view.entries("reference", cell_id)
    if within is not None:
        first = bisect_left(entries, within.start, key=_label)
        entries = entries[first : bisect_left(entries, within.stop, first, key=_label)]
    for entry in entries:
        placed = view.cell(entry.label)
        for reference in placed.cell.references_to(cell_id):
            yield reference.span.shift(placed.start_offset)


def _label(entry: Entry) -> int:
    return entry.label


def own_definition(view: View, placed: Placed) -> tuple[Definition, Placed] | None:
    """The definition that belongs to a cell, even where several cells have its id.

    The one at home; else, of those at no cell's home, the first one goes to the first cell
    that has none at home, the second to the second, and so on.
    """
    home = own_home(placed.cell)
    if home is not None:
        return home, placed
    cell_id = placed.cell.id or ""
    headers = view.entries("header", cell_id)
    if len(headers) <= 1:
        return definition_of(view, placed)
    entries = view.entries("definition", cell_id)
    # Cells are looked up only where they hold such a definition: hundreds may share one id.
    holders = {entry.label for entry in entries}
    number = 0
    for header in headers if entries else ():
        if header.label == placed.label:
            break
        at_home = header.label in holders and own_home(view.cell(header.label).cell) is not None
        number += not at_home
    for entry in entries:
        holder = view.cell(entry.label)
        own = own_home(holder.cell)
        for definition in holder.cell.definitions_of(cell_id):
            if definition.is_typed and definition != own:
                if not number:
                    return definition, holder
                number -= 1
    return None


def _own_places(view: View, placed: Placed, cell_id: str) -> Iterator[tuple[Span, str]]:
    header = placed.cell.header
    if header is not None and header.id is not None:
        yield header.id.span.shift(placed.start_offset), cell_id
    found = own_definition(view, placed)
    home = placed.cell.home
    if found is not None:
        yield found[0].id.span.shift(found[1].start_offset), cell_id
    elif home is not None and home.id.text == cell_id:
        # Half-written or escaped, it is still the cell's.
        yield home.id.span.shift(placed.start_offset), cell_id


def descendant_ids(view: View, cell_id: str) -> list[str]:
    """The ids of the calls, results and runs below ``cell_id``, each once.

    A result belongs to the family even where its call is not there.
    """
    found: dict[str, None] = {}
    waiting = [cell_id]
    while waiting:
        parent = waiting.pop()
        for entry in view.entries("child", parent):
            child = view.cell(entry.label).cell.id
            if child is not None and child != cell_id and child not in found:
                found[child] = None
                waiting.append(child)
    for entry in view.entries("below", cell_id):
        found.update(dict.fromkeys(map(str, entry.payloads)))
    return list(found)


def _places(
    view: View, cell_id: str, relations: Iterable[str] = _SAID_BY
) -> Iterator[tuple[Span, str]]:
    """Every place that says ``cell_id``: headers, definitions, references."""
    for relation in relations:
        for entry in view.entries(relation, cell_id):
            placed = view.cell(entry.label)
            cell, base = placed.cell, placed.start_offset
            if relation == "header" and cell.header is not None and cell.header.id is not None:
                yield cell.header.id.span.shift(base), cell_id
            elif relation == "reference":
                for reference in cell.references_to(cell_id):
                    yield reference.span.shift(base), cell_id
            elif relation != "header":
                for definition in cell.definitions_of(cell_id):
                    yield definition.id.span.shift(base), cell_id


def remove_line(text: str, start: int, end: int) -> Span:
    """The span of the line ``text[start:end]`` with the break that ends it."""
    return Span(start, after_break(text, end))


def blank_line_after(text: str, newline: str) -> str:
    """What has to be written between ``text`` and a block after it, so that a blank line is."""
    lines = text.rstrip(" \t")
    if not lines:
        return ""
    if not lines.endswith(("\n", "\r")):
        return newline + newline
    above = lines.removesuffix("\n").removesuffix("\r").rstrip(" \t")
    return "" if not above or above.endswith(("\n", "\r")) else newline


def set_attribute(definition: Definition, key: str, value: str) -> Edit:
    """Give a typed definition an attribute; relative, as the definition is.

    A new one goes right after the type: at the end of the line a quote may be open.
    """
    written = definition.get(key)
    if written is not None:
        return Edit(written.value_span, value)
    at = definition.id.span.end if definition.type_span is None else definition.type_span.end + 1
    return Edit(Span(at, at), f" {key}={value}")


def remove_attribute(text: str, attribute: Attribute) -> Edit:
    """Take an attribute out of its line, with the spaces before it."""
    before = text[: attribute.span.start]
    return Edit(Span(len(before.rstrip(" \t")), attribute.span.end), "")


def move_definition_home(
    view: View, placed: Placed, holder: Placed, definition: Definition
) -> list[Edit]:
    """Put a definition that is elsewhere below the header of its cell."""
    line = definition.span.of(holder.cell.text).strip(" ")
    removed = remove_line(holder.cell.text, *definition.span).shift(holder.start_offset)
    return [insert_definition(view, placed, line), Edit(removed, "")]


def insert_definition(view: View, placed: Placed, line: str) -> Edit:
    """Put a definition line below the header of a cell that has none at home."""
    cell = placed.cell
    newline = view.newline
    at = (0 if cell.header is None else cell.header.span.end) + placed.start_offset
    body = cell.text[cell.body.start :]
    blank_follows = not body.strip(" \t\r\n") or body.lstrip(" \t")[:1] in "\r\n"
    return Edit(Span(at, at), newline + newline + line + ("" if blank_follows else newline))


def is_open(cell: Cell) -> bool:
    """Whether a fence that nothing closes would swallow whatever is put after the cell."""
    return bool(cell.fences) and cell.fences[-1].close is None and not cell.fences[-1].in_list


def insert_before(view: View, placed: Placed, text: str) -> Edit:
    """Put the text of a cell right before a cell, set apart by a blank line."""
    # A byte-order mark belongs to the file, not to the cell that happens to be first.
    at = placed.start_offset + placed.cell.text.startswith("\ufeff")
    newline = view.newline
    return Edit(Span(at, at), text.rstrip("\r\n") + newline + newline)


def insert_cell(view: View, after: Placed, text: str, is_last: bool) -> Edit:
    """Put the text of a cell, or of several, right after a cell, set apart by blank lines.

    ``after`` must not be open; ``is_last`` says whether the file ends with it.
    """
    newline, gap = view.newline, gap_after(view, after)
    at = after.span.end
    return Edit(Span(at, at), gap + text.rstrip("\r\n") + newline * (1 if is_last else 2))


def gap_after(view: View, after: Placed) -> str:
    """The line breaks that set what follows apart from a cell by a blank line."""
    # A byte-order mark is not visible, so nothing has to be set apart from it.
    before = after.cell.text.removeprefix("\ufeff")
    breaks = count_breaks(before[len(before.rstrip(" \t\r\n")) :])
    newline = view.newline
    return newline * max(not before.endswith(("\n", "\r")), 2 - breaks) if before else ""


def move_cells(view: View, cells: Iterable[Placed], after: Placed, is_last: bool) -> list[Edit]:
    """Take cells away and put them, in the order given, right after another one."""
    newline = view.newline
    edits: list[Edit] = []
    texts: list[str] = []
    for placed in cells:
        # A byte-order mark belongs to the file, not to the cell that happens to be first.
        mark = placed.cell.text.startswith("\ufeff")
        texts.append(placed.cell.text[mark:].rstrip("\r\n"))
        edits.append(Edit(Span(placed.start_offset + mark, placed.span.end), ""))
    edits.append(insert_cell(view, after, (newline + newline).join(texts), is_last))
    return edits

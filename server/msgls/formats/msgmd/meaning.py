"""What a cell of a message file is: its definition, its role, its family.

Owns the resolution of ids and types (which cell answers which, agent or language), on
top of any ``View``; rules, features and readers all ask here. Holds no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from msgls.formats.base import CellRole, Meaning, Placed, View
from msgls.formats.msgmd.definitions import definition_without_colon
from msgls.syntax.cells import Cell, CellKind, Definition, DefinitionHead
from msgls.syntax.ids import next_free

if TYPE_CHECKING:
    from msgls.formats.msgmd.frontmatter import Frontmatter

MESSAGE_TYPES = ("markdown", "code", "raw")
TOOL = "tool"
DEFAULT_AGENT = "assistant"
"""Who answers where no agents are registered."""
NONCE_BYTES = 4


# In a variable: looking up a member of an enumeration takes ten times as long.
_PREAMBLE, _MESSAGE = CellKind.PREAMBLE, CellKind.MESSAGE
_TYPED = DefinitionHead.TYPED
_new_tuple = tuple.__new__


def own_home(cell: Cell) -> Definition | None:
    """The cell's own definition, if it is at home: right below the header."""
    home = cell.home
    if home is None or home.head is not _TYPED or home.id.text != cell.id:
        return None
    return home


def definition_of(view: View, placed: Placed) -> tuple[Definition, Placed] | None:
    """The definition that counts for a cell: the one at home, else the first anywhere."""
    home = own_home(placed.cell)
    if home is not None:
        return home, placed
    return None if placed.cell.id is None else _first_definition(view, placed.cell.id)


def _first_definition(view: View, cell_id: str) -> tuple[Definition, Placed] | None:
    for entry in view.entries("definition", cell_id):
        holder = view.cell(entry.label)
        for definition in holder.cell.definitions_of(cell_id):
            if definition.is_typed:
                return definition, holder
    return None


def marking(view: View, placed: Placed) -> Definition | None:
    """The definition that says who sees a cell, also where the rest of it cannot be read."""
    found = definition_of(view, placed)
    return _lost(view, placed) if found is None else found[0]


def _lost(view: View, placed: Placed) -> Definition | None:
    """What was meant as the definition of a cell that has none.

    At home it is whatever has the id of the cell, and a typed definition that has another one:
    that is a slip, but not below a header without an id if the other cell is there. Elsewhere a
    footnote's text is not meant.
    """
    home, cell_id = placed.cell.home, placed.cell.id
    if home is not None and home.marks:
        is_of_other = cell_id is None and bool(view.entries("header", home.id.text))
        if home.id.text == cell_id or (home.is_meant and not is_of_other):
            return home
    if cell_id is None:
        return None
    if home is None:
        near = definition_without_colon(placed.cell.text, placed.cell.body.start, cell_id)
        if near is not None and near.marks:
            return near
    for entry in view.entries("marks", cell_id):
        for definition in view.cell(entry.label).cell.definitions_of(cell_id):
            if definition.marks and definition.is_meant:
                return definition
    return None


def escaped_definition(view: View, placed: Placed) -> tuple[Definition, Placed] | None:
    """The line that a formatter escaped, and that would be the definition of a cell."""
    home, cell_id = placed.cell.home, placed.cell.id
    if cell_id is None:
        return None
    if home is not None and home.id.text == cell_id and home.is_escaped:
        return home, placed
    for entry in view.entries("escaped", cell_id):
        holder = view.cell(entry.label)
        for definition in holder.cell.definitions_of(cell_id) if any(entry.payloads) else ():
            if definition.is_escaped:
                return definition, holder
    return None


def is_honoured(view: View, holder: Placed, definition: Definition) -> bool:
    """Whether ``definition`` is the one that counts for some cell: then it is not content."""
    own, cell_id = own_home(holder.cell), definition.id.text
    if not definition.is_typed or (own is not None and own.span == definition.span):
        return definition.is_typed
    first = _first_definition(view, cell_id)
    if first is None or (first[0].span, first[1].label) != (definition.span, holder.label):
        return False
    # Only for the first one: many cells may have that id.
    headers = view.entries("header", cell_id)
    return any(own_home(view.cell(entry.label).cell) is None for entry in headers)


def meaning_of(view: View, placed: Placed) -> Meaning:
    """The meaning of a cell, which may depend on the surroundings of the file."""
    definition, holder = own_home(placed.cell), placed
    if definition is None:
        found = definition_of(view, placed)
        if found is None:
            role = _role(view, placed.cell, None)
            return Meaning(placed, None, None, role, _lost(view, placed))
        definition, holder = found
    role = _role(view, placed.cell, definition)
    # Spelled out: the constructor of a named tuple costs three times as much.
    return _new_tuple(Meaning, (placed, definition, holder, role, None))


def _role(view: View, cell: Cell, definition: Definition | None) -> CellRole:
    if cell.kind is _PREAMBLE:
        return CellRole.PREAMBLE
    kind = None if definition is None else definition.type
    if cell.kind is _MESSAGE:
        return CellRole.CODE if kind == "code" else CellRole.MESSAGE
    segments = 1 if cell.id is None else cell.id.count(".") + 1
    if kind == TOOL:
        return CellRole.RESULT if segments > 2 else CellRole.CALL
    if kind is None or segments not in (2, 3) or is_registered(view, kind):
        return CellRole.ANSWER
    root = (cell.id or "").partition(".")[0]
    # What runs code is named by the code cell: `mermaid` and `jq` are in no list.
    is_run = is_code_cell(view, root) or (segments == 2 and is_language(kind))
    return CellRole.RUN if is_run else CellRole.ANSWER


def is_code_cell(view: View, cell_id: str) -> bool:
    """Whether a code cell has that id."""
    for entry in view.entries("header", cell_id):
        if CellKind.MESSAGE.value in entry.payloads:
            found = definition_of(view, view.cell(entry.label))
            if found is not None and found[0].type == "code":
                return True
    return False


def is_registered(view: View, name: str) -> bool:
    """Whether an agent of that name is registered in the file or around it.

    The name of a model counts too.
    """
    if name in view.agents_around or view.entries("model", name):
        return True
    ids = [cell_id for entry in view.entries("agent", name) for cell_id in entry.payloads]
    return any(cell_id is None or _is_message(view, str(cell_id)) for cell_id in ids)


def can_answer(view: View, name: str, label: int) -> bool:
    """Whether ``name`` is registered for the cell with that label.

    A temporary agent can answer from its definition on, and so can its models. Where no agent is
    registered, the default name needs no registration.
    """
    if name in view.agents_around or any(e.label < label for e in view.entries("model", name)):
        return True
    if name == DEFAULT_AGENT and not view.agents_around and not view.entries("agents", ""):
        return True
    for entry in view.entries("agent", name):
        for cell_id in entry.payloads:
            if cell_id is None:
                return True
            for header in view.entries("header", str(cell_id)):
                if header.label < label and CellKind.MESSAGE.value in header.payloads:
                    return True
    return False


def _is_message(view: View, cell_id: str) -> bool:
    """Whether a message cell has that id: only such a cell can define an agent."""
    headers = view.entries("header", cell_id)
    return any(CellKind.MESSAGE.value in entry.payloads for entry in headers)


@lru_cache(maxsize=1)
def languages() -> frozenset[str]:
    """The names and aliases of every programming language that Pygments knows, folded."""
    # Imported late: no file without an execution output pays for it.
    from pygments.lexers import get_all_lexers

    names: set[str] = set()
    for name, aliases, _, _ in get_all_lexers(plugins=False):
        names.add(name.casefold())
        names.update(alias.casefold() for alias in aliases)
    return frozenset(names)


def is_language(name: str) -> bool:
    """Whether ``name`` is a programming language that Pygments knows."""
    return name.casefold() in languages()


def frontmatter_of(view: View) -> Frontmatter | None:
    """The frontmatter, if the file has one, closed or not."""
    first = view.first_cell()
    if first is None or first.cell.frontmatter is None:
        return None
    text = first.cell.frontmatter.of(first.cell.text)
    # Imported late: it brings YAML along, and most files have no frontmatter.
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    return parse_frontmatter(text, first.cell.frontmatter_closed)


def message_ids(view: View) -> Iterator[str]:
    """The ids of all headers, in order."""
    for placed in view.cells():
        if placed.cell.id:
            yield placed.cell.id


def new_nonce(view: View) -> str:
    """Eight hex digits from a secure source that no call in the file has."""
    import secrets

    while True:
        nonce = secrets.token_hex(NONCE_BYTES)
        if not view.entries("nonce", nonce):
            return nonce


def next_free_id(view: View, prefix: str = "m", first: int = 1) -> str:
    """``m1``, ``m2``, … : the first that neither a header nor a footnote has."""
    taken = ("header", "definition", "footnote")
    return next_free(
        prefix, first, lambda other: any(view.entries(relation, other) for relation in taken)
    )

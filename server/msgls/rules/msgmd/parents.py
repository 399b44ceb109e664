"""Parents and children in a family of ids: calls, results, runs and what they belong to.

Owns no state and no rule. Every orphan is reported by exactly one rule: a call without its answer
is MSG301, a result without its call MSG302, a run without its code MSG404, and a child before its
parent MSG305.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgls.document.document import Document
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.meaning import MESSAGE_TYPES
from msgls.rules.base import Family, Problem, Related
from msgls.rules.msgmd.ids import positive_number
from msgls.syntax.cells import CellKind, Id
from msgls.syntax.ids import CellId

_SEGMENTS = {CellRole.CALL: (2,), CellRole.RESULT: (3,), CellRole.RUN: (2, 3)}


def children(family: Family, *roles: CellRole) -> Iterator[Meaning]:
    """The cells of those roles whose ids have the shape of their role, in document order."""
    for member in _children(family):
        if member.role in roles:
            yield member


def _children(family: Family) -> Sequence[Meaning]:
    """The cells whose ids have the shape of their role; found once, and asked by many rules."""
    if family.children is None:
        family.children = [member for member in family.members if is_child(member)]
    return family.children


def is_child(meaning: Meaning) -> bool:
    """Whether the id has the shape that its role requires; otherwise MSG111 reports it."""
    wanted = _SEGMENTS.get(meaning.role)
    if wanted is None:
        return False
    segments = CellId(meaning.cell.id or "").segments
    return len(segments) in wanted and all(segments)


def parents(family: Family, child: Meaning) -> list[Meaning]:
    """The cells that could be the parent of a call, a result or a run, in document order."""
    return _parents(family, needed_id(child), child.role)


def orphans(code: str, family: Family, role: CellRole) -> Iterator[Problem]:
    """The cells of that role whose parent is neither before nor after them."""
    for child in children(family, role):
        if parents(family, child):
            continue
        others = family.named(family.root)
        yield Problem(
            code,
            child.placed.label,
            header_id(child).span,
            "message.other" if others else "message",
            {"id": child.cell.id or "", "root": family.root},
            tuple([related_id(other, root=family.root) for other in others[:1]]),
        )


def needed_id(child: Meaning) -> str:
    """The id that must be before a call, a result or a run; of all outputs, their code's."""
    if child.role is CellRole.RUN:
        return CellId(child.cell.id or "").root
    return child.parent_id or ""


def _parents(family: Family, parent_id: str, role: CellRole) -> list[Meaning]:
    """The cells of that id that can have children of that role.

    A cell without a definition, or with an unknown type, may be anything, and is reported as such.
    """
    found = family.named(parent_id)
    if role is CellRole.RUN:
        return [parent for parent in found if _may_be_code(parent)]
    outputs = [parent for parent in found if parent.cell.kind is CellKind.OUTPUT]
    if role is CellRole.RESULT:
        return [parent for parent in outputs if parent.role is not CellRole.RUN]
    return outputs


def _may_be_code(meaning: Meaning) -> bool:
    if meaning.role is CellRole.CODE:
        return True
    return meaning.role is CellRole.MESSAGE and meaning.type not in MESSAGE_TYPES


class Numbered(NamedTuple):
    """A numbered cell: a result of a call, or a run of code."""

    role: CellRole
    number: int
    owner: Meaning | None
    """The nearest parent before it: what it belongs to, even where ids are repeated."""
    is_early: bool
    """Whether it is before its parent: then it is MSG305's."""


def numbered_members(family: Family) -> Sequence[tuple[Meaning, Numbered]]:
    """Every cell that is counted, in document order; found once for all rules that count."""
    if family.numbered is None:
        found = [(member, numbered(family, member)) for member in family.members]
        family.numbered = [(member, counted) for member, counted in found if counted is not None]
    return family.numbered


def numbered(family: Family, member: Meaning) -> Numbered | None:
    """What a cell is counted as, if it is.

    An output that nothing defines, or whose type is wrong, is still counted where its id
    says what it is: its number is taken.
    """
    written = CellId(member.cell.id or "")
    parent_id, number = written.parent, positive_number(written.last)
    if number is None or not all(CellId(parent_id).segments):
        return None
    role, is_sure = member.role, True
    if role is CellRole.ANSWER:
        role = CellRole.RESULT if "." in parent_id else CellRole.RUN
        is_sure = False
    # A further output of a run (`c1.1.2`) is not counted: it has the number of its run.
    if parent_id.count(".") != (role is CellRole.RESULT) or role is CellRole.CALL:
        return None
    owner = None
    is_early = False
    for parent in _parents(family, parent_id, role):
        if parent.placed.label > member.placed.label:
            is_early = owner is None
            break
        owner = parent
    if not is_sure and (owner is None or _is_answer(owner)):
        return None
    return Numbered(role, number, owner, is_early)


def _is_answer(meaning: Meaning) -> bool:
    return meaning.role is CellRole.ANSWER and meaning.definition is not None


def header_id(meaning: Meaning) -> Id:
    """The id in the header of a member of a family, which always has one."""
    header = meaning.cell.header
    found = None if header is None else header.id
    assert found is not None, "members are found by this id"
    return found


def related_id(meaning: Meaning, key: str = "related", **args: str) -> Related:
    """The id in the header of another cell, as related information."""
    return Related(meaning.placed.label, header_id(meaning).span, key, args)


def block_end(document: Document, parent: Placed, before: Placed) -> Placed:
    """The last cell of the block that ``parent`` begins, as far as ``before`` comes after it.

    A block is a cell and its descendants right after it. ``before`` is a child that is to
    be put into it: a sibling with a higher number ends the block, and so does what belongs
    to that child.
    """
    prefix = f"{parent.cell.id}."
    own = _place(before.cell.id or "", prefix)
    last = parent
    for number in range(document.number_of(parent.label) + 1, document.cell_count):
        placed = document.cell_number(number)
        cell_id = placed.cell.id
        if cell_id is None or not cell_id.startswith(prefix):
            break
        if cell_id.startswith(f"{before.cell.id}.") or _place(cell_id, prefix) > own:
            break
        last = placed
    return last


def _place(cell_id: str, prefix: str) -> int:
    """The number after ``prefix``; ids without one stand in no order."""
    first = CellId(cell_id.removeprefix(prefix)).root
    return int(first) if first.isascii() and first.isdigit() and len(first) < 10 else 0

"""The numbers of results and runs, in the order of the document.

Owns the counting that MSG304 and MSG407 share; each of them says whose children it counts. Ids
whose number is not a number at all are MSG111's.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import count, pairwise
from typing import ClassVar

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.edits import rename_cells
from msgls.rules.base import Family, FamilyRule, Fix, Problem
from msgls.rules.msgmd.parents import header_id, numbered_members, related_id
from msgls.rules.topics import FamilyTopic
from msgls.syntax.ids import CellId


class Numbering(FamilyRule):
    """Children of one role, counted for each of their parents."""

    wants = FamilyTopic.LOOSE
    role: ClassVar[CellRole]
    may_skip: ClassVar[bool] = False
    """Whether numbers need only grow."""

    def check(self, family: Family) -> Iterator[Problem]:
        """Numbers that are there twice, or come where another one is due."""
        groups: dict[tuple[str, int], list[tuple[Meaning, int]]] = {}
        early: dict[str, set[int]] = {}
        for member, counted in numbered_members(family):
            if counted.role is not self.role:
                continue
            parent_id = CellId(member.cell.id or "").parent
            if counted.owner is not None:
                key = parent_id, counted.owner.placed.label
            elif counted.is_early:
                early.setdefault(parent_id, set()).add(counted.number)
                continue
            else:
                key = parent_id, -1
            groups.setdefault(key, []).append((member, counted.number))
        for (parent_id, label), group in groups.items():
            if label >= 0 or len(group) > 1:
                taken = early.get(parent_id, set())
                yield from self._count(family, parent_id, group, taken, label >= 0)

    def _count(
        self,
        family: Family,
        parent_id: str,
        group: Sequence[tuple[Meaning, int]],
        early: Collection[int],
        has_parent: bool,
    ) -> Iterator[Problem]:
        """One problem for each number that does not follow.

        Without a parent before them, only repetitions count: where such cells belong is
        not known yet. What is before its parent is MSG305's, and keeps its number until
        it has moved.
        """
        if self._is_sound([number for _, number in group], has_parent):
            return
        seen: dict[int, Meaning] = {}
        previous: Meaning | None = None
        due = 1
        places = due_numbers([number for _, number in group], early, self.may_skip)
        renumbered = tuple(_renumbered(family, parent_id, group, places))
        for (child, number), place in zip(group, places, strict=True):
            twin = seen.get(number)
            # A definition that has lost its header keeps its number: MSG102 speaks of it.
            while due < number and (
                due in early or _is_lost(family.document, f"{parent_id}.{due}")
            ):
                due += 1
            is_due = due <= number if self.may_skip else due == number
            if twin is not None or (has_parent and not is_due):
                key = "message.order" if twin is None else "message.repeated"
                neighbour = twin or previous
                yield Problem(
                    self.code,
                    child.placed.label,
                    header_id(child).span,
                    key,
                    {"parent": parent_id, "number": str(number), "due": str(place)},
                    () if neighbour is None else (related_id(neighbour),),
                    data=renumbered,
                )
            seen.setdefault(number, child)
            previous = child
            due = max(due, number + 1)

    def _is_sound(self, numbers: Sequence[int], has_parent: bool) -> bool:
        """Whether nothing can be wrong with the numbers, which is so in nearly every group."""
        if not has_parent:
            return len(set(numbers)) == len(numbers)
        if self.may_skip:
            return all(a < b for a, b in pairwise((0, *numbers)))
        return numbers == list(range(1, len(numbers) + 1))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """Number all of them again."""
        edits = rename_cells(snapshot.document, dict(problem.data))
        yield Fix.of("fix.renumber", *edits, parent=problem.args["parent"])


def due_numbers(numbers: Sequence[int], taken: Collection[int], may_skip: bool) -> list[int]:
    """The numbers that results or runs should have, in their order; as few change as can be."""
    due: list[int] = []
    for number in numbers:
        last = due[-1] if due else 0
        following = next(free for free in count(last + 1) if free not in taken)
        due.append(max(number, following) if may_skip else following)
    return due


def _renumbered(
    family: Family, parent_id: str, group: Sequence[tuple[Meaning, int]], places: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """The new id of each, by label, and of the further outputs that follow it."""
    place_of = {child.placed.label: place for (child, _), place in zip(group, places, strict=True)}
    old = new = ""
    for member in family.members:
        label, cell_id = member.placed.label, member.cell.id or ""
        if label in place_of:
            old, new = cell_id, f"{parent_id}.{place_of[label]}"
            yield label, new
        elif old and cell_id.startswith(f"{old}."):
            yield label, new + cell_id.removeprefix(old)


def _is_lost(document: Document, cell_id: str) -> bool:
    return not document.entries("header", cell_id) and bool(document.entries("definition", cell_id))

"""The numbers of results and runs: 1, 2, 3 in the order of the document.

Owns the counting that MSG304 and MSG407 share; each of them says whose children it
counts. Ids whose number is no number at all are MSG111's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgls.document.document import Document
from msgls.formats.msgmd.edits import rename_cells
from msgls.formats.msgmd.meaning import CellRole, Meaning
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Surroundings
from msgls.rules.msgmd.kin import header_id, numbered, related_id


class Numbering(FamilyRule):
    """Children of one role, counted for each of their parents."""

    children_only = True
    role: ClassVar[CellRole]

    def check(self, family: Family) -> Iterator[Problem]:
        """Numbers that are there twice, or come where another one is due."""
        groups: dict[tuple[str, int | None], list[tuple[Meaning, int]]] = {}
        for member in family.members:
            counted = numbered(family, member)
            if counted is not None and counted.role is self.role:
                parent_id = (member.cell.id or "").rpartition(".")[0]
                key = parent_id, None if counted.owner is None else counted.owner.placed.order
                groups.setdefault(key, []).append((member, counted.number))
        for (parent_id, order), group in groups.items():
            if order is not None or len(group) > 1:
                yield from self._count(family, parent_id, group, order is not None)

    def _count(
        self,
        family: Family,
        parent_id: str,
        group: Sequence[tuple[Meaning, int]],
        has_parent: bool,
    ) -> Iterator[Problem]:
        """One problem for each number that does not follow.

        Without a parent before them, only repetitions count: where such cells belong is
        not known yet.
        """
        seen: dict[int, Meaning] = {}
        previous: Meaning | None = None
        due = 1
        renumbered = tuple(
            [(child.placed.order, f"{parent_id}.{at}") for at, (child, _) in enumerate(group, 1)]
        )
        for position, (child, number) in enumerate(group, 1):
            twin = seen.get(number)
            # A definition that has lost its header keeps its number: MSG102 speaks of it.
            while due < number and _is_lost(family.document, f"{parent_id}.{due}"):
                due += 1
            if twin is not None or (number != due and has_parent):
                key = "message.order" if twin is None else "message.repeated"
                neighbour = twin or previous
                yield Problem(
                    self.code,
                    child.placed.order,
                    header_id(child).span,
                    key,
                    {"parent": parent_id, "number": str(number), "due": str(position)},
                    () if neighbour is None else (related_id(neighbour),),
                    data=renumbered,
                )
            seen.setdefault(number, child)
            previous = child
            due = max(due, number + 1)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Number all of them anew."""
        edits = rename_cells(document, dict(problem.data))
        yield Fix.of("fix.renumber", *edits, parent=problem.args["parent"])


def _is_lost(document: Document, cell_id: str) -> bool:
    return not document.entries("header", cell_id) and bool(document.entries("definition", cell_id))

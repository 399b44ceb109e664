"""A cell comes before the cell that it belongs to.

## What it does
Looks for tool calls before their answer, tool results before their call, and runs
before their code, if what they belong to comes further down.

## Why it matters
The file is read from top to bottom, and so is the conversation: a result cannot come
before the call that it answers.

## Example
```markdown
# %%% Read, done[^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="success"

# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>
```
Use instead:
```markdown
# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>

# %%% Read, done[^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="success"
```

## Fix safety
Not safe: the cell is moved after the one that it belongs to. Cells that belong to it
are moved along if they would otherwise come before it.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.edits import is_open, move_cells
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.msgmd.ids import is_last
from msgls.rules.msgmd.parents import block_end, children, header_id, needed_id, parents, related_id
from msgls.rules.topics import FamilyTopic


class OutOfOrder(FamilyRule):
    code = "MSG305"
    name = "out-of-order"
    severity = Severity.ERROR
    texts = {
        "message.call": "tool call `{id}` comes before its answer `{parent}`",
        "message.result": "tool result `{id}` comes before its call `{parent}`",
        "message.run": "execution output `{id}` comes before its code `{parent}`",
        "related": "`{parent}` is here",
        "fix.move": "Move it after `{parent}`",
    }
    wants = FamilyTopic.LOOSE

    def check(self, family: Family) -> Iterator[Problem]:
        for child in children(family, CellRole.CALL, CellRole.RESULT, CellRole.RUN):
            later = parents(family, child)
            if not later or later[0].placed.label < child.placed.label:
                continue
            parent_id = needed_id(child)
            yield Problem(
                self.code,
                child.placed.label,
                header_id(child).span,
                _KEYS[child.role],
                {"id": child.cell.id or "", "parent": parent_id},
                (related_id(later[0], parent=parent_id),),
                data=_left_behind(family, child, later[0]),
            )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        parent = document.cell(problem.related[0].label)
        after = block_end(document, parent, placed)
        if is_open(after.cell):
            return
        cells = [placed, *[document.cell(label) for label in problem.data]]
        edits = move_cells(document, cells, after, is_last(document, after))
        yield Fix.of("fix.move", *edits, parent=problem.args["parent"])


_KEYS = {
    CellRole.CALL: "message.call",
    CellRole.RESULT: "message.result",
    CellRole.RUN: "message.run",
}


def _left_behind(family: Family, child: Meaning, parent: Meaning) -> tuple[int, ...]:
    """The labels of the cells of a child that would come before it, once it has moved."""
    prefix = f"{child.cell.id}."
    return tuple(
        [
            member.placed.label
            for member in family.members
            if member.placed.label < parent.placed.label
            and (member.cell.id or "").startswith(prefix)
        ]
    )

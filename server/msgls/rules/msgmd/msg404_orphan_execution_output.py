"""An execution output belongs to a code cell that does not exist.

## What it does
Looks for the code cell `id` that each execution output `id.n` belongs to. Where there
is one further down, the output is out of order (MSG305). Where there is none, or where
`id` is the id of something else, it is an orphan. A message without a definition, or
with an unknown type, may be code: that is MSG101 or MSG201, and nothing more.

## Why it matters
Without its code, an output says nothing: neither a person nor a model can tell what
printed it.

## Example
```markdown
# %% Compute[^c1]

[^c1]: [code]

# %%% Output[^c2.1]

[^c2.1]: [python] status="success"

stdout> 42
```
Use instead:
```markdown
# %% Compute[^c1]

[^c1]: [code]

# %%% Output[^c1.1]

[^c1.1]: [python] status="success"

stdout> 42
```

## Fix safety
Not safe: there is a fix for each code cell before the output whose id is nearly the
same, and only the author knows which of them was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.edits import rename_cells
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.msgmd.ids import next_child
from msgls.rules.msgmd.kin import children, header_id, parents, related_id
from msgls.rules.msgmd.overview import overview
from msgls.rules.topics import FamilyTopic
from msgls.text.similar import closest


class OrphanExecutionOutput(FamilyRule):
    """See the module."""

    code = "MSG404"
    name = "orphan-execution-output"
    severity = Severity.ERROR
    texts = {
        "message": (
            "execution output `{id}` has no code cell: there is no cell `{root}` in this file"
        ),
        "message.other": "execution output `{id}` has no code cell: `{root}` is not a code cell",
        "related": "`{root}`, which is not a code cell",
        "fix.code": "Change to a run of `{id}`",
    }
    wants = FamilyTopic.RUNS

    def check(self, family: Family) -> Iterator[Problem]:
        """Runs without a code cell, before or behind them."""
        for run in children(family, CellRole.RUN):
            if parents(family, run):
                continue
            others = family.named(family.root)
            yield Problem(
                self.code,
                run.placed.order,
                header_id(run).span,
                "message.other" if others else "message",
                {"id": run.cell.id or "", "root": family.root},
                tuple([related_id(other, root=family.root) for other in others[:1]]),
            )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """The code cells before it that have nearly that id."""
        document = snapshot.document
        root, _, number = problem.args["id"].partition(".")
        for cell_id in closest(root, overview(document).code_cells_before(problem.order)):
            new_id = f"{cell_id}.{number}"
            if document.entries("header", new_id):
                new_id = next_child(document, cell_id, problem.order)
            edits = rename_cells(document, {problem.order: new_id})
            yield Fix.of("fix.code", *edits, id=cell_id)

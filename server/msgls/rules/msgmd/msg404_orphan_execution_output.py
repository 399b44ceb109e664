"""An execution output belongs to a code cell that does not exist.

## What it does
Reports an execution output `id.n` if the file has no code cell `id`. A code cell that
comes only after the output is MSG305. A message `id` without a definition, or with an
unknown type, may be code, and is only reported as MSG101 or MSG201.

## Why it matters
Without its code, an output means nothing: neither a person nor a model can tell what
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
Not safe: there is a fix for each code cell before the output with a similar id, and
only the author knows which one was meant.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.edits import rename_cells
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.msgmd.ids import next_child
from msgls.rules.msgmd.overview import overview
from msgls.rules.msgmd.parents import orphans
from msgls.rules.topics import FamilyTopic
from msgls.syntax.ids import CellId
from msgls.text.similar import closest


class OrphanExecutionOutput(FamilyRule):
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
    wants = FamilyTopic.LOOSE

    def check(self, family: Family) -> Iterator[Problem]:
        return orphans(self.code, family, CellRole.RUN)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        written = CellId(problem.args["id"])
        for cell_id in closest(written.root, overview(document).code_cells_before(problem.label)):
            new_id = f"{cell_id}.{written.rest}"
            if document.entries("header", new_id):
                new_id = next_child(document, cell_id, problem.label)
            edits = rename_cells(document, {problem.label: new_id})
            yield Fix.of("fix.code", *edits, id=cell_id)

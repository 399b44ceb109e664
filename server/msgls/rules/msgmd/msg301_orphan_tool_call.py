"""A tool call belongs to an answer that does not exist.

## What it does
Reports a tool call `id.nonce` if the file has no answer `id`. An answer that comes only
after the call is MSG305.

## Why it matters
A call is part of the answer that made it. Most services refuse a conversation with a
call that no answer made.

## Example
```markdown
# %%% The answer[^a1]

[^a1]: [assistant]

# %%% Read[^a2.9f3d]

[^a2.9f3d]: [tool] name="read_file"

<read_file/>
```
Use instead:
```markdown
# %%% The answer[^a1]

[^a1]: [assistant]

# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>
```

## Fix safety
Not safe: there is a fix for each answer before the call with a similar id, and only the
author knows which one was meant. The results of the call are renamed with it.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.edits import rename_id
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.msgmd.overview import overview
from msgls.rules.msgmd.parents import orphans
from msgls.rules.topics import FamilyTopic
from msgls.syntax.ids import CellId
from msgls.text.similar import closest


class OrphanToolCall(FamilyRule):
    code = "MSG301"
    name = "orphan-tool-call"
    severity = Severity.ERROR
    texts = {
        "message": "tool call `{id}` has no answer: there is no cell `{root}` in this file",
        "message.other": "tool call `{id}` has no answer: `{root}` is a message",
        "related": "the message `{root}`",
        "fix.answer": "Change to the answer `{id}`",
    }
    wants = FamilyTopic.LOOSE

    def check(self, family: Family) -> Iterator[Problem]:
        return orphans(self.code, family, CellRole.CALL)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        written = CellId(placed.cell.id or "")
        for answer in closest(written.root, overview(document).answers_before(placed.label)):
            call_id = f"{answer}.{written.rest}"
            if not document.entries("header", call_id):
                edits = rename_id(document, placed, call_id)
                yield Fix.of("fix.answer", *edits, id=answer)

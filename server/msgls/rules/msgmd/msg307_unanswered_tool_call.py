"""A tool call has no result, but the conversation continues.

## What it does
Looks for tool calls without a result if a message of the user follows. In the last
turn, a call may still be running, and is not reported.

## Why it matters
Most services refuse a conversation in which a call has no result. A program that sends
this file has to leave the call out, or make up a result.

## Example
```markdown
# %%% [^a1]

[^a1]: [assistant]

I read it.

# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>

# %% [^q2]

[^q2]: [markdown]

Never mind.
```
Use instead:
```markdown
# %%% [^a1]

[^a1]: [assistant]

I read it.

# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>

# %%% [^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="failure"

# %% [^q2]

[^q2]: [markdown]

Never mind.
```

## Fix safety
Not safe: an empty result is added that says that the call failed. Fill in what is
known.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.edits import insert_cell, is_open
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.msgmd.ids import is_last
from msgls.rules.msgmd.parents import children, header_id, parents
from msgls.rules.topics import FamilyTopic
from msgls.syntax.ids import CellId


class UnansweredToolCall(FamilyRule):
    code = "MSG307"
    name = "unanswered-tool-call"
    severity = Severity.INFORMATION
    texts = {
        "message": "tool call `{id}` has no result, but the conversation continues",
        "fix.insert": "Insert the result `{id}`",
    }
    wants = FamilyTopic.TOOLS

    def check(self, family: Family) -> Iterator[Problem]:
        """Calls before the last message that no cell answers; orphans are MSG301's."""
        # What lacks its definition or its header may well be the result: that is said elsewhere.
        entries = family.document.entries
        answered = {
            CellId(cell_id).parent
            for cell_id in family.ids
            if entries("header", cell_id) or entries("definition", cell_id)
        }
        for call in children(family, CellRole.CALL):
            if call.placed.label > family.last_message or call.cell.id in answered:
                continue
            if parents(family, call):
                span = header_id(call).span
                yield self.problem(call.placed.label, span, id=call.cell.id or "")

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        header = placed.cell.header
        if header is None or is_open(placed.cell):
            return
        newline = document.newline
        result_id = f"{problem.args['id']}.1"
        hashes = header.hashes.of(placed.cell.text)
        text = f"{hashes} %%% [^{result_id}]{newline}{newline}"
        text += f'[^{result_id}]: [tool] status="failure"'
        edit = insert_cell(document, placed, text, is_last(document, placed))
        yield Fix.of("fix.insert", edit, id=result_id)

"""A tool call belongs to an answer that does not exist.

## What it does
Looks for the output cell `id` that each tool call `id.nonce` belongs to. Where there is
one further down, the call is out of order (MSG305); where there is none at all, it is
an orphan.

## Why it matters
A call is part of the answer that asked for it. Without that answer it is alone, and
most models reject such a conversation.

## Example
```markdown
# %%% The answer[^a1]

[^a1]: [gpt]

# %%% Read[^a2.9f3d]

[^a2.9f3d]: [tool] name="read_file"

<read_file/>
```
Use instead:
```markdown
# %%% The answer[^a1]

[^a1]: [gpt]

# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>
```

## Fix safety
Not safe: there is a fix for each answer before the call whose id is nearly the same,
and only the author knows which of them was meant. The results of the call follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.edits import rename_id
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.msgmd.kin import children, header_id, parents, related_id
from msgls.rules.msgmd.overview import overview
from msgls.rules.topics import FamilyTopic
from msgls.text.similar import closest


class OrphanToolCall(FamilyRule):
    """See the module."""

    code = "MSG301"
    name = "orphan-tool-call"
    severity = Severity.ERROR
    texts = {
        "message": "tool call `{id}` has no answer: there is no cell `{root}` in this file",
        "message.message": "tool call `{id}` has no answer: `{root}` is a message",
        "related": "the message `{root}`",
        "fix.answer": "Change to the answer `{id}`",
    }
    wants = FamilyTopic.TOOLS

    def check(self, family: Family) -> Iterator[Problem]:
        """Calls without an answer, before or behind them."""
        for call in children(family, CellRole.CALL):
            if parents(family, call):
                continue
            others = family.named(family.root)
            yield Problem(
                self.code,
                call.placed.order,
                header_id(call).span,
                "message.message" if others else "message",
                {"id": call.cell.id or "", "root": family.root},
                tuple([related_id(other, root=family.root) for other in others[:1]]),
            )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """The answers before it that have nearly that id."""
        document = snapshot.document
        placed = document.cell(problem.order)
        root, _, nonce = (placed.cell.id or "").partition(".")
        for answer in closest(root, overview(document).answers_before(placed.order)):
            call_id = f"{answer}.{nonce}"
            if not document.entries("header", call_id):
                edits = rename_id(document, placed, call_id)
                yield Fix.of("fix.answer", *edits, id=answer)

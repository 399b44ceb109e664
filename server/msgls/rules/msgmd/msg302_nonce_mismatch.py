"""A tool result names a call that does not exist.

## What it does
Reports a tool result `id.nonce.n` if the file has no call `id.nonce`. If the answer
`id` exists, the message names the nonces of its calls.

A result is reported even if there is no cell `id` at all; MSG301 is only about calls. A
result that comes before its call is MSG305.

## Why it matters
The nonce is what ties a result to its call. With a wrong one, the result belongs to no
call: the model sees a call without a result, and a result without a call.

## Example
```markdown
# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file/>

# %%% Read, done[^a1.9f3c.1]

[^a1.9f3c.1]: [tool] status="success"
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
Not safe: only the author knows which call was meant. There is a fix for each nonce of
the answer's calls, and one for each call of another answer with the nonce that was
written.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.edits import rename_cells
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Related, Severity
from msgls.rules.msgmd.ids import next_child
from msgls.rules.msgmd.overview import overview
from msgls.rules.msgmd.parents import children, header_id, parents, related_id
from msgls.rules.topics import FamilyTopic
from msgls.syntax.ids import CellId
from msgls.text.phrases import joined

# In an answer with very many calls, only so many of the nearest ones are named and offered.
_MOST_WAYS = 20


class NonceMismatch(FamilyRule):
    code = "MSG302"
    name = "nonce-mismatch"
    severity = Severity.ERROR
    texts = {
        "message.result": (
            "tool result `{id}` does not match a call: `{root}` has the nonce {nonces}"
        ),
        "message.results": (
            "tool result `{id}` does not match a call: `{root}` has the nonces {nonces}"
        ),
        "message.none": "tool result `{id}` does not match a call: `{root}` has no calls",
        "message.nowhere": (
            "tool result `{id}` does not match a call: there is no cell `{root}` in this file"
        ),
        "related": "the call with the nonce `{nonce}`",
        "fix.nonce": "Change the nonce to `{nonce}`",
        "fix.call": "Make it a result of the call `{id}`",
    }
    wants = FamilyTopic.LOOSE

    def check(self, family: Family) -> Iterator[Problem]:
        orphans = [r for r in children(family, CellRole.RESULT) if not parents(family, r)]
        calls: dict[str, Related] = {}
        for call in children(family, CellRole.CALL) if orphans else ():
            nonce = CellId(call.cell.id or "").rest
            calls.setdefault(nonce, related_id(call, nonce=nonce))
        for orphan in orphans:
            yield self._problem(family, orphan, _nearest(calls, orphan.placed.label))

    def _problem(self, family: Family, result: Meaning, calls: Mapping[str, Related]) -> Problem:
        if calls:
            key = "message.result" if len(calls) == 1 else "message.results"
        else:
            key = "message.none" if family.named(family.root) else "message.nowhere"
        args = {
            "id": result.cell.id or "",
            "root": family.root,
            "nonces": joined([f"`{nonce}`" for nonce in calls]),
        }
        span = header_id(result).span
        related = tuple(calls.values())
        return Problem(self.code, result.placed.label, span, key, args, related, data=tuple(calls))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        root, nonce = CellId(problem.args["id"]).segments[:2]
        for other in problem.data:
            new_id = next_child(document, f"{root}.{other}", problem.label)
            edits = rename_cells(document, {problem.label: new_id})
            yield Fix.of("fix.nonce", *edits, nonce=other)
        for call_id in overview(document).calls_with_nonce(nonce)[:_MOST_WAYS]:
            new_id = next_child(document, call_id, problem.label)
            edits = rename_cells(document, {problem.label: new_id})
            yield Fix.of("fix.call", *edits, id=call_id)


def _nearest(calls: Mapping[str, Related], label: int) -> Mapping[str, Related]:
    """The calls that are nearest to a result, in document order."""
    if len(calls) <= _MOST_WAYS:
        return calls
    pairs = list(calls.items())
    at = bisect_left(pairs, label, key=lambda pair: pair[1].label)
    first = min(max(at - _MOST_WAYS // 2, 0), len(pairs) - _MOST_WAYS)
    return dict(pairs[first : first + _MOST_WAYS])

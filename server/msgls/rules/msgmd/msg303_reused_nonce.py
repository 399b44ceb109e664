"""Two calls of different answers have the same nonce.

## What it does
Reports a tool call with the nonce of an earlier call of another answer. The very same
id twice is MSG103. If the answer of the later call does not exist, but that of the
earlier one does, it is MSG301.

## Why it matters
The nonce is a random text that cannot be guessed, so that no other text can pretend to
be the result of a call. Used twice, it ties a result to two calls.

## Example
```markdown
# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

# %%% Read again[^a2.9f3d]

[^a2.9f3d]: [tool] name="read_file"
```
Use instead:
```markdown
# %%% Read again[^a2.5c08e1b7]

[^a2.5c08e1b7]: [tool] name="read_file"
```

## Fix safety
Not safe: the call gets a new random nonce, and its results are renamed with it.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Meaning
from msgls.formats.msgmd.edits import rename_id
from msgls.formats.msgmd.meaning import new_nonce
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.msgmd.parents import children, header_id, is_child, parents, related_id
from msgls.rules.topics import FamilyTopic
from msgls.syntax.cells import CellKind
from msgls.syntax.ids import CellId


class ReusedNonce(FamilyRule):
    code = "MSG303"
    name = "reused-nonce"
    severity = Severity.ERROR
    texts = {
        "message": "the nonce `{nonce}` of `{id}` is already used by `{other}`",
        "related": "the earlier call with the nonce `{nonce}`",
        "fix.nonce": "Change the nonce to `{nonce}`, in the results too",
    }
    wants = FamilyTopic.REUSED

    def check(self, family: Family) -> Iterator[Problem]:
        """Calls with the nonce of an earlier one; of two with one id, only the first."""
        seen: set[str] = set()
        for call in children(family, CellRole.CALL):
            call_id = call.cell.id or ""
            if call_id in seen:
                continue
            seen.add(call_id)
            earlier = _earlier(family, call)
            if earlier is not None and not _is_stray(family, call, earlier):
                nonce = CellId(call_id).rest
                args = {"id": call_id, "nonce": nonce, "other": earlier.cell.id or ""}
                related = related_id(earlier, nonce=nonce)
                span = header_id(call).span
                yield Problem(self.code, call.placed.label, span, args=args, related=(related,))

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        root = CellId(placed.cell.id or "").root
        nonce = new_nonce(document)
        edits = rename_id(document, placed, f"{root}.{nonce}")
        yield Fix.of("fix.nonce", *edits, nonce=nonce)


def _is_stray(family: Family, call: Meaning, earlier: Meaning) -> bool:
    """Whether the call is probably one of the other's answer, under a wrong id: MSG301's."""
    if parents(family, call):
        return False
    root = CellId(earlier.cell.id or "").root
    answers = family.document.entries("header", root)
    return any(CellKind.OUTPUT.value in entry.payloads for entry in answers)


def _earlier(family: Family, call: Meaning) -> Meaning | None:
    """The first call before that one with its nonce and another id."""
    call_id = call.cell.id or ""
    for entry in family.document.entries("nonce", CellId(call_id).rest):
        if entry.label >= call.placed.label:
            return None
        other_id = str(entry.payloads[0])
        if other_id != call_id and other_id.count(".") == 1:
            other = family.snapshot.meaning_at(entry.label)
            if other.role is CellRole.CALL and is_child(other):
                return other
    return None

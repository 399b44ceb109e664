"""A result does not belong to a call.

## What it does
Reports a `call_id` that no earlier call has. A result without `call_id` answers the
earliest unanswered call since the last assistant message; it is reported if there is
none.

## Why it matters
Services refuse a result whose call they do not know.

## Example
```text
@assistant
@call id=c1
read {path: 'a.txt'}
@tool call_id=c2
text of the file
```
Use instead:
```text
@assistant
@call id=c1
read {path: 'a.txt'}
@tool call_id=c1
text of the file
```

## Fix safety
Not safe: unanswered calls are offered, and only the author knows which one is meant.
"""

from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.stf.arguments import quote
from msgls.formats.stf.calls import OpenCalls, answered_place
from msgls.formats.stf.cells import StfCell, Turn
from msgls.rules.base import DocumentRule, Fix, Problem, Severity
from msgls.rules.stf.base import head, stf_cell, written_id
from msgls.text.spans import Edit, Span

_MOST_OFFERED = 5


class UnknownCall(DocumentRule):
    code = "STF019"
    name = "unknown-call"
    severity = Severity.ERROR
    texts = {
        "message": "no call before this result has the id `{call}`",
        "message.none": "no unanswered call is left for this result",
        "fix.answer": "Make it a result of the call `{call}`",
    }
    depends = ("turn",)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        document = snapshot.document
        calls: OpenCalls[str] = OpenCalls()
        known: set[str] = set()
        unanswered: OrderedDict[str, None] = OrderedDict()
        raw_role: str | None = None
        for entry in document.entries("turn", ""):
            turn = entry.payloads[0]
            if not isinstance(turn, Turn):
                continue
            raw_role = turn.role if turn.is_raw else raw_role
            role = turn.role or raw_role
            if role == "assistant":
                calls.start_turn()
            if turn.answers is not None or role == "tool":
                answered = calls.answer(turn.answers)
                if answered is None and turn.answers not in known:
                    offered = tuple(islice(reversed(unanswered), _MOST_OFFERED))
                    yield self._problem(document, entry.label, turn.answers, offered)
                unanswered.pop(answered or turn.answers or "", None)
            for call in turn.calls:
                calls.add(call, call or "")
                if call is not None:
                    known.add(call)
                    unanswered[call] = None

    def _problem(
        self, document: Document, label: int, call: str | None, offered: tuple[str, ...]
    ) -> Problem:
        cell, _ = stf_cell(document, label)
        place = answered_place(cell)
        if place is not None:
            return Problem(self.code, label, place.written, args={"call": call or ""}, data=offered)
        opening = cell.opening
        span = Span(0, cell.length) if opening is None else head(opening)
        return Problem(self.code, label, span, "message.none", data=offered)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """Each call that is not answered yet, the nearest first."""
        cell, start = stf_cell(snapshot.document, problem.label)
        for call in problem.data:
            edit = _naming(cell, call)
            if edit is not None:
                yield Fix.of("fix.answer", Edit(edit.span.shift(start), edit.text), call=call)


def _naming(cell: StfCell, call: str) -> Edit | None:
    """Name ``call`` as what the message answers; relative to the cell."""
    place = answered_place(cell)
    if place is not None:
        return Edit(place.written, written_id(place, call))
    opening = cell.opening
    if opening is None or cell.is_raw or cell.arguments(opening).is_object:
        return None
    at = opening.word_span.end
    return Edit(Span(at, at), f" call_id={quote(call)}")

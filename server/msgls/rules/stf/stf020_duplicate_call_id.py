"""Two calls have the same id.

## What it does
Compares the ids of all calls in the file, those of `raw` messages too. The later call is
reported, and the earlier one is shown beside it.

## Why it matters
It is ambiguous which of the two a result belongs to, and services refuse such a
conversation.

## Example
```text
@assistant
@call id=c1
read {path: 'a.txt'}
@call id=c1
read {path: 'b.txt'}
```
Use instead:
```text
@assistant
@call id=c1
read {path: 'a.txt'}
@call id=c2
read {path: 'b.txt'}
```

## Fix safety
Not safe: the call gets the next free id, and the results that answer it get the same one. Where
both calls have several results, only the author knows which belong to which.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.stf.calls import IdKind, IdPlace, id_places
from msgls.formats.stf.cells import StfCell
from msgls.rules.base import Fix, NameRule, Problem, Related, Severity
from msgls.rules.stf.base import written_id
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span

_NUMBERED = lazy_pattern(r"(.*?)(\d{0,9})")


class _Spoken(NamedTuple):
    """A place that says the id of a call."""

    placed: Placed
    place: IdPlace

    @property
    def span(self) -> Span:
        """Where, absolute."""
        return self.place.written.shift(self.placed.start_offset)


class DuplicateCallId(NameRule):
    """See the module."""

    code = "STF020"
    name = "duplicate-call-id"
    severity = Severity.ERROR
    texts = {
        "message": "an earlier call already has the id `{call}`",
        "related": "the call `{call}` is first used here",
        "fix.rename": "Change the id to `{call}`, with its results",
    }
    formats = ("stf",)
    relations = ("call",)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        """Every call of that id but the first."""
        document = snapshot.document
        entries = document.entries("call", name)
        if sum([len(entry.payloads) for entry in entries]) < 2:
            return
        first, *others = _spoken(document, IdKind.CALL, name)
        related = Related(first.placed.order, first.place.written, "related", {"call": name})
        for other in others:
            yield Problem(
                self.code,
                other.placed.order,
                other.place.written,
                args={"call": name},
                related=(related,),
            )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """The next free id, for the call and its results."""
        document = snapshot.document
        name = problem.args["call"]
        start = document.cell(problem.order).start_offset
        new = _free_id(document, name)
        answered = _answered(document, name)
        call = next(c for c in answered if c.span == problem.span.shift(start))
        edits = [Edit(s.span, written_id(s.place, new)) for s in (call, *answered[call])]
        yield Fix.of("fix.rename", *edits, call=new)


def _spoken(document: Document, kind: IdKind, name: str) -> list[_Spoken]:
    """Every place that says that id, in order."""
    found = []
    for entry in document.entries(kind.value, name):
        placed = document.cell(entry.order)
        places = id_places(placed.cell) if isinstance(placed.cell, StfCell) else ()
        found += [_Spoken(placed, p) for p in places if p.kind is kind and p.text == name]
    return found


def _answered(document: Document, name: str) -> dict[_Spoken, list[_Spoken]]:
    """The calls of that id with the results of each: a result answers the earliest open call."""
    calls, results = [_spoken(document, kind, name) for kind in (IdKind.CALL, IdKind.RESULT)]
    answered: dict[_Spoken, list[_Spoken]] = {call: [] for call in calls}
    next_call = 0
    for result in results:
        if next_call < len(calls) and calls[next_call].span < result.span:
            next_call += 1
        if next_call:
            answered[calls[next_call - 1]].append(result)
    return answered


def _free_id(document: Document, name: str) -> str:
    """The next id like ``name`` that nothing has."""
    match = _NUMBERED.fullmatch(name)
    stem, digits = (name, "") if match is None else match.groups()
    number = int(digits or 1) + 1
    while document.entries("call", f"{stem}{number}") or document.entries(
        "result", f"{stem}{number}"
    ):
        number += 1
    return f"{stem}{number}"

"""Two calls have the same id.

## What it does
Compares the ids of all calls in the file, also those in `raw` messages. The later call
is reported, and the earlier one is shown as related.

## Why it matters
It is unclear which of the two a result belongs to, and services refuse such a
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
Not safe: the call and the results that answer it get the next free id. A result is
taken to answer the earliest call that has none yet. If both calls have several results,
only the author knows which belong to which.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.stf.cells import IdKind, IdPlace, StfCell
from msgls.rules.base import Fix, NameRule, Problem, Related, Severity
from msgls.rules.stf.base import written_id
from msgls.syntax.ids import numbered
from msgls.text.spans import Edit, Span


class _PlacedId(NamedTuple):
    """A place where the id of a call is written."""

    placed: Placed
    place: IdPlace

    @property
    def span(self) -> Span:
        """Where, absolute."""
        return self.place.written.shift(self.placed.start_offset)


class DuplicateCallId(NameRule):
    code = "STF020"
    name = "duplicate-call-id"
    severity = Severity.ERROR
    texts = {
        "message": "an earlier call already has the id `{call}`",
        "related": "the call `{call}` is first used here",
        "fix.rename": "Change the id to `{call}`, with its results",
    }
    relations = ("call",)

    def check(self, snapshot: Snapshot, name: str) -> Iterator[Problem]:
        document = snapshot.document
        entries = document.entries("call", name)
        if sum([len(entry.payloads) for entry in entries]) < 2:
            return
        first, *others = _placed_ids(document, IdKind.CALL, name)
        related = Related(first.placed.label, first.place.written, "related", {"call": name})
        for other in others:
            yield Problem(
                self.code,
                other.placed.label,
                other.place.written,
                args={"call": name},
                related=(related,),
            )

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        span = problem.span.shift(document.cell(problem.label).start_offset)
        new, places = _renames(document)[span]
        edits = [Edit(s.span, written_id(s.place, new)) for s in places]
        yield Fix.of("fix.rename", *edits, call=new)


def _placed_ids(document: Document, kind: IdKind, name: str) -> list[_PlacedId]:
    """Every place where that id is written, in order."""
    found = []
    for entry in document.entries(kind.value, name):
        placed = document.cell(entry.label)
        places = placed.cell.ids if isinstance(placed.cell, StfCell) else ()
        found += [_PlacedId(placed, p) for p in places if p.kind is kind and p.text == name]
    return found


@lru_cache(maxsize=1)
def _renames(document: Document) -> Mapping[Span, tuple[str, list[_PlacedId]]]:
    """A new id for each call that repeats an id, and where to write it: at call and results.

    By the place of the call. Ids are handed out in the order of the calls; a result answers the
    earliest open call.
    """
    by_id: dict[tuple[IdKind, str], list[_PlacedId]] = {}
    for placed in document.cells():
        for place in placed.cell.ids if isinstance(placed.cell, StfCell) else ():
            by_id.setdefault((place.kind, place.text), []).append(_PlacedId(placed, place))
    taken = {name for kind, name in by_id if kind in (IdKind.CALL, IdKind.RESULT)}
    found: dict[Span, tuple[str, list[_PlacedId]]] = {}
    for (kind, name), calls in by_id.items():
        if kind is not IdKind.CALL or len(calls) < 2:
            continue
        ids = _free_ids(name, taken)
        answered = [[call] for call in calls]
        next_call = 0
        for result in by_id.get((IdKind.RESULT, name), ()):
            if next_call < len(calls) and calls[next_call].span < result.span:
                next_call += 1
            if next_call:
                answered[next_call - 1].append(result)
        found |= {places[0].span: (next(ids), places) for places in answered[1:]}
    return found


def _free_ids(name: str, taken: set[str]) -> Iterator[str]:
    """Free ids like ``name``; each is taken once it is returned."""
    stem, digits = numbered(name)
    for number in count(int(digits or 1) + 1):
        if (new := f"{stem}{number}") not in taken:
            taken.add(new)
            yield new

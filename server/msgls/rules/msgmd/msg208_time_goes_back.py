"""An output is older than the one before it.

## What it does
Compares the `time` of every output with that of the nearest output before it that has
one. Moments are compared, so different offsets do no harm.

## Why it matters
A conversation is read from top to bottom. A time that goes back is a mistake in the
time, or a cell that was moved to the wrong place.

## Example
```markdown
# %%% One[^a1]

[^a1]: [assistant] time="2025-05-30T09:30:00+08:00"

# %%% Two[^a2]

[^a2]: [assistant] time="2025-05-30T09:29:00+08:00"
```
Use instead:
```markdown
# %%% One[^a1]

[^a1]: [assistant] time="2025-05-30T09:30:00+08:00"

# %%% Two[^a2]

[^a2]: [assistant] time="2025-05-30T09:31:00+08:00"
```

## Fix safety
There is no fix: only the author knows which of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.formats.base import Entry
from msgls.formats.msgmd.attributes import parse_time, value_inside
from msgls.formats.msgmd.meaning import definition_of
from msgls.formats.msgmd.times import RELATION, Timed, last_time_before, times_of
from msgls.rules.base import CellRule, Problem, Related, Severity, Subject
from msgls.rules.topics import Topic
from msgls.syntax.cells import Attribute


class TimeGoesBack(CellRule):
    """See the module.

    It looks at the definitions that are in a cell, whichever cells they are of: one that
    holds all of a file's definitions is read once.
    """

    code = "MSG208"
    name = "time-goes-back"
    severity = Severity.HINT
    texts = {
        "message": "`{id}` is older than the output before it: `{time}` is before `{before}`",
        "related": "the time of `{id}`",
    }
    wants = Topic.TIME

    def check(self, subject: Subject) -> Iterable[Problem]:
        """Each time in this cell that lies before the nearest one above it."""
        payloads = subject.cell.facts.get((RELATION, ""))
        return () if payloads is None else self._check(subject, Entry(subject.order, payloads))

    def _check(self, subject: Subject, entry: Entry) -> Iterator[Problem]:
        document = subject.document
        before: Timed | None = None
        is_first = True
        for timed in times_of(document, entry):
            if is_first:
                before, is_first = last_time_before(document, subject.order), False
            if before is not None and timed.time < before.time and before.order < timed.order:
                yield from self._problem(document, timed, before)
            before = timed

    def _problem(self, document: Document, timed: Timed, before: Timed) -> Iterator[Problem]:
        attribute, earlier = _attribute(document, timed), _attribute(document, before)
        if attribute is None or earlier is None:
            return
        args = {"id": timed.id, "time": attribute.value, "before": earlier.value}
        related = Related(before.holder, value_inside(earlier), "related", {"id": before.id})
        about = None if timed.holder == timed.order else timed.order
        span = value_inside(attribute)
        yield Problem(self.code, timed.holder, span, "message", args, (related,), about)


def _attribute(document: Document, timed: Timed) -> Attribute | None:
    """The attribute that says it, if the definition that it is in counts."""
    found = definition_of(document, document.cell(timed.order))
    if found is None or found[1].order != timed.holder:
        return None
    attribute = found[0].get("time")
    if attribute is None or parse_time(attribute.value) != timed.time:
        return None
    return attribute

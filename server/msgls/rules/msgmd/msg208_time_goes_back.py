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

from collections.abc import Iterator, Sequence

from msgls.document.document import Document
from msgls.formats.msgmd.attributes import parse_time, value_inside
from msgls.formats.msgmd.meaning import definition_of
from msgls.formats.msgmd.times import (
    RELATION,
    Timed,
    last_time_before,
    moments_in,
    output_time,
)
from msgls.rules.base import CellRule, Problem, Related, Severity, Subject
from msgls.rules.topics import Topic
from msgls.syntax.cells import Attribute, parts_of
from msgls.text.work import MANY


class TimeGoesBack(CellRule):
    """Looks at the definitions that are in a cell, whichever cells they are of.

    A cell that holds all definitions of a file is read once.
    """

    code = "MSG208"
    name = "time-goes-back"
    severity = Severity.HINT
    texts = {
        "message": "`{id}` is older than the output before it: `{time}` is before `{before}`",
        "related": "the time of `{id}`",
    }
    wants = Topic.TIME

    def check(self, subject: Subject) -> Iterator[Problem | None]:
        moments: list[tuple[str, int]] = []
        for part in parts_of(subject.cell.facts):
            said = part.get((RELATION, ""))
            if said:
                moments += moments_in(said)
                yield None
        if moments:
            yield from self._check(subject, moments)

    def _check(
        self, subject: Subject, moments: Sequence[tuple[str, int]]
    ) -> Iterator[Problem | None]:
        document, label = subject.document, subject.label
        above = last_time_before(document, label)
        latest = moments[0][1] if above is None else above.time
        for number, (cell_id, time) in enumerate(moments):
            if not number % MANY:
                yield None
            if time >= latest:
                # No time above it is later, of whatever it is the time.
                latest = time
                continue
            timed = output_time(document, label, cell_id, time)
            if timed is None:
                continue
            above_it = range(number - 1, -1, -1)
            earlier = (output_time(document, label, *moments[at]) for at in above_it)
            before = next((found for found in earlier if found is not None), above)
            if before is not None and time < before.time and before.label < timed.label:
                yield from self._problem(document, timed, before)

    def _problem(self, document: Document, timed: Timed, before: Timed) -> Iterator[Problem]:
        attribute, earlier = _attribute(document, timed), _attribute(document, before)
        if attribute is None or earlier is None:
            return
        args = {"id": timed.id, "time": attribute.value, "before": earlier.value}
        related = Related(before.holder, value_inside(earlier), "related", {"id": before.id})
        about = None if timed.holder == timed.label else timed.label
        span = value_inside(attribute)
        yield Problem(self.code, timed.holder, span, "message", args, (related,), about)


def _attribute(document: Document, timed: Timed) -> Attribute | None:
    """The attribute that says it, if the definition that it is in counts."""
    found = definition_of(document, document.cell(timed.label))
    if found is None or found[1].label != timed.holder:
        return None
    attribute = found[0].get("time")
    if attribute is None or parse_time(attribute.value) != timed.time:
        return None
    return attribute

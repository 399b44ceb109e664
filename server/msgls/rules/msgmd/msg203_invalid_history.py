"""`history` has an invalid value.

## What it does
Looks at `history` in the definition of every cell. `none`, `exclude`, `0` and `false` hide
the cell from the model; `include`, `1` and `true` show it, as if there were no `history`;
`summary` sends only its summary.

## Why it matters
Nobody can tell what another value means. Until it is corrected the cell is not sent to the
model, because it may have been meant to stay hidden.

## Example
```markdown
# %%% An answer[^a1]

[^a1]: [assistant] history="hidden"
```
Use instead:
```markdown
# %%% An answer[^a1]

[^a1]: [assistant] history="exclude"
```

## Fix safety
Not safe: the value decides what the model sees. There is a fix for each of the three
meanings. The likely one comes first; if none is likely, the one that sends nothing.
"""

from collections.abc import Iterable, Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.attributes import ATTRIBUTES, as_written, value_inside
from msgls.formats.values import HISTORY_VALUES
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.definitions import definition_at, is_read, problem_at, reported_definition
from msgls.rules.topics import Topic
from msgls.text.spans import Edit

_KEY = "history"
# A word for each meaning; what was to be hidden by a word that means nothing stays hidden.
_MEANINGS = ("exclude", "include", "summary")


class InvalidHistory(CellRule):
    code = "MSG203"
    name = "invalid-history"
    severity = Severity.ERROR
    texts = {
        "message": "invalid value `{value}` for `history`: use `include`, `exclude` or `summary`",
        "message.empty": "`history` is empty: use `include`, `exclude` or `summary`",
        "fix.value": "Change to `{value}`",
    }
    wants = Topic.HISTORY

    def check(self, subject: Subject) -> Iterable[Problem]:
        if subject.definition is None or subject.value(_KEY) in HISTORY_VALUES:
            return ()
        attribute = subject.definition.get(_KEY)
        if attribute is None:
            return ()
        definition = reported_definition(subject)
        if definition is None or not is_read(definition, attribute):
            return ()
        key = "message" if attribute.value else "message.empty"
        return (problem_at(self, subject, value_inside(attribute), key, value=attribute.value),)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        definition, holder = definition_at(snapshot.document, problem)
        attribute = definition.get(_KEY)
        if attribute is None:
            return
        likely = ATTRIBUTES[_KEY].mend(attribute.value)
        span = attribute.value_span.shift(holder.start_offset)
        for value in dict.fromkeys((likely or _MEANINGS[0], *_MEANINGS)):
            yield Fix.of("fix.value", Edit(span, as_written(attribute, value)), value=value)

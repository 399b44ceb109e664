"""A cell should be summarized, but there is no summary.

## What it does
Looks at cells with `history=summary` whose `summary` is empty, or that have neither a
`summary` nor a first paragraph that could stand in for it.

## Why it matters
The model sees the summary in place of the cell. Without one, it sees nothing of the
cell, or more than was meant.

## Example
```markdown
# %%% A long answer[^a1]

[^a1]: [assistant] history=summary summary=""
```
Use instead:
```markdown
# %%% A long answer[^a1]

[^a1]: [assistant] history=summary summary="About 13.8 billion years."
```

## Fix safety
There is no fix: only the author can write the summary.
"""

from collections.abc import Iterator

from msgls.conversation.cell_visibility import first_paragraph, plain_content
from msgls.formats.msgmd.attributes import CELLS
from msgls.formats.values import SUMMARY_VALUE
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.rules.definitions import is_read, problem_at, reported_definition
from msgls.rules.topics import Topic


class EmptySummary(CellRule):
    code = "MSG602"
    name = "empty-summary"
    severity = Severity.HINT
    texts = {
        "message.empty": "the summary is empty, so the model sees the first paragraph instead",
        "message.none": "there is nothing to summarize: neither a `summary` nor a first paragraph",
    }
    roles = CELLS
    wants = Topic.HISTORY

    def check(self, subject: Subject) -> Iterator[Problem]:
        if subject.value("history") != SUMMARY_VALUE:
            return
        definition = reported_definition(subject)
        if definition is None:
            return
        history, summary = definition.get("history"), definition.get("summary")
        if summary is not None:
            # `summary=` with nothing after it is MSG205.
            if is_read(definition, summary) and not summary.value.strip():
                yield problem_at(self, subject, summary.value_span, "message.empty")
        elif history is not None and not first_paragraph(plain_content(subject.meaning)):
            yield problem_at(self, subject, history.span, "message.none")

"""The model does not see this cell.

## What it does
Marks every cell that is not sent to the model, and says why: `history` excludes it, it
is virtual, it defines an agent, it is the last reset or before it, or, in a plain
`.md`, it is before the section that holds the conversation. A tool call is part of its
answer, and a result part of its call: they are hidden along with it. Editors show such
a cell faded.

## Why it matters
This is not a mistake. But readers of the file should see at a glance which parts of it
the model sees.

## Example
```markdown
# %%% A first try[^a1]

[^a1]: [assistant] history=exclude

Never mind.
```
Use instead, to show it to the model:
```markdown
# %%% A first try[^a1]

[^a1]: [assistant]

Never mind.
```

## Fix safety
There is no fix: nothing is wrong. What is hidden stays hidden until you include it with
the command *Include cell in history*.
"""

from collections.abc import Iterator

from msgls.conversation.cell_visibility import defines_agent, sight_of
from msgls.conversation.visibility import Sight
from msgls.formats.msgmd.attributes import CELLS
from msgls.formats.msgmd.section import section_headings
from msgls.rules.base import CellRule, Problem, Severity, Subject
from msgls.rules.topics import Topic
from msgls.text.spans import Span

_KEYS = {
    Sight.EXCLUDED: "message.excluded",
    Sight.VIRTUAL: "message.virtual",
    Sight.BEFORE_RESET: "message.reset",
    Sight.OUTSIDE: "message.outside",
    Sight.OWNER_HIDDEN: "message.owner",
}


class HiddenFromModel(CellRule):
    code = "MSG603"
    name = "hidden-from-model"
    severity = Severity.HINT
    texts = {
        "message.excluded": "the model does not see this cell: `history={value}`",
        "message.virtual": "the model does not see this cell: it is virtual",
        "message.agent": "the model does not see this cell: it defines an agent",
        "message.reset": "the model does not see this cell: it is before the last reset",
        "message.resetting": "the model does not see this cell: it resets the context",
        "message.outside": "the model does not see this cell: it is outside the section",
        "message.owner": "the model does not see this cell: it belongs to a hidden cell",
    }
    unnecessary = True
    roles = CELLS
    # Whether a call or a result is hidden may be said elsewhere, of its answer.
    wants = Topic.HISTORY | Topic.VIRTUAL | Topic.AGENT | Topic.PASSED
    wants |= Topic.CALL | Topic.RESULT | Topic.UNDEFINED

    def check(self, subject: Subject) -> Iterator[Problem]:
        sight = sight_of(subject.document, subject.meaning, subject.horizon)
        key = _KEYS.get(sight)
        if key is None:
            return
        if sight is Sight.BEFORE_RESET and subject.label == subject.horizon.reset_label:
            key = "message.resetting"
        if sight is Sight.VIRTUAL and defines_agent(subject.meaning):
            key = "message.agent"
        end = len(subject.cell.text)
        if sight is Sight.OUTSIDE and subject.label == subject.horizon.section_label:
            end = section_headings(subject.document)[0].heading.span.start
        span = Span(0, len(subject.cell.text[:end].rstrip(" \t\r\n")))
        yield self.problem(subject.label, span, key, value=subject.meaning.mark("history") or "")

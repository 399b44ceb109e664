"""An answer is not complete.

## What it does
Looks for outputs with `incomplete=1`. `msgls ask` and editors write this attribute
while an answer arrives. If the answer is stopped, fails or is cut off, the attribute
stays, and a `reason` is added.

## Why it matters
The model sees the text as if it were a whole answer, and so does anyone who reads the file.

## Example
```markdown
# %%% [^a1]

[^a1]: [assistant] incomplete=1 reason="stopped"

The three steps are: first, you
```
Use instead:
```markdown
# %%% [^a1]

[^a1]: [assistant]

The three steps are: first, you measure; then you cut; then you measure again.
```

## Fix safety
Not safe: removing the cell, or marking it as complete, changes what the conversation
says. Editors offer to continue the answer and to ask again; at the terminal,
`msgls ask --continue` continues it, and `msgls ask --cell ID` asks again.
"""

from collections.abc import Iterable, Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.attributes import OUTPUTS
from msgls.formats.msgmd.edits import remove_attribute
from msgls.formats.values import TRUE_VALUES
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.definitions import definition_at, problem_at, reported_definition
from msgls.rules.topics import Topic
from msgls.text.spans import Edit

_KEY, _REASON = "incomplete", "reason"


class IncompleteAnswer(CellRule):
    code = "MSG209"
    name = "incomplete-answer"
    severity = Severity.INFORMATION
    texts = {
        "message": "this answer is not complete: {reason}",
        "message.open": "this answer is being written, or was cut off",
        "fix.remove": "Remove the incomplete cell",
        "fix.keep": "Mark it as complete",
    }
    wants = Topic.ATTRIBUTES

    def check(self, subject: Subject) -> Iterable[Problem]:
        if subject.definition is None or subject.meaning.role not in OUTPUTS:
            return ()
        attribute = subject.definition.get(_KEY)
        if attribute is None or attribute.value not in TRUE_VALUES:
            return ()
        if reported_definition(subject) is None:
            return ()
        reason = subject.value(_REASON) or ""
        key = "message" if reason else "message.open"
        return (problem_at(self, subject, attribute.span, key, reason=reason),)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        definition, holder = definition_at(document, problem)
        text, base = holder.cell.text, holder.start_offset
        words = [definition.get(key) for key in (_KEY, _REASON)]
        edits = [remove_attribute(text, word) for word in words if word is not None]
        shifted = [Edit(edit.span.shift(base), edit.text) for edit in edits]
        yield Fix.of("fix.keep", *shifted)
        yield Fix.of("fix.remove", Edit(document.cell(problem.label).span, ""))

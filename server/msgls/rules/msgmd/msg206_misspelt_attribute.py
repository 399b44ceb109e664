"""An attribute looks misspelled.

## What it does
Looks for unknown attributes that are one typo away from a known one, or two if that has
six letters or more: `histroy`, `sumary`, `statsu`. Other unknown attributes are allowed.

## Why it matters
A misspelled attribute has no effect. With `histroy="exclude"` the cell is sent to the
model. So this is a warning if the intended attribute decides what the model sees:
`history`, `virtual`, `reset`, `role` and `summary`; otherwise it is a hint.

## Example
```markdown
# %%% An answer[^a1]

[^a1]: [assistant] histroy="exclude"
```
Use instead:
```markdown
# %%% An answer[^a1]

[^a1]: [assistant] history="exclude"
```

## Fix safety
Not safe: the corrected attribute takes effect. There is no fix if the right key is
already on the line.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.attributes import ATTRIBUTES, known_keys_near
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.definitions import definition_at, problem_at, reported_definition
from msgls.rules.topics import Topic
from msgls.syntax.cells import Attribute
from msgls.text.spans import Edit

# What the model sees depends on these: a slip sends what was to stay hidden.
_DECIDING = frozenset({"history", "virtual", "reset", "role", "summary"})
# So many keys are compared with all known ones between two pauses.
_PORTION = 20


class MisspeltAttribute(CellRule):
    code = "MSG206"
    name = "misspelt-attribute"
    severity = Severity.HINT
    worst = Severity.WARNING
    texts = {
        "message": "`{written}` has no effect: did you mean `{meant}`?",
        "message.sight": (
            "`{written}` has no effect: did you mean `{meant}`, which decides what the model sees?"
        ),
        "fix.rename": "Change to `{key}`",
    }
    wants = Topic.UNKNOWN_ATTRIBUTE

    def check(self, subject: Subject) -> Iterator[Problem | None]:
        definition = subject.definition
        if definition is None:
            return
        slips = []
        for number, attribute in enumerate(definition.attributes, 1):
            near = [] if attribute.key in ATTRIBUTES else meant_keys(attribute, subject.role)
            if near:
                slips.append((attribute, near))
            if not number % _PORTION:
                yield None
        if not slips or reported_definition(subject) is None:
            return
        for attribute, near in slips:
            yield problem_at(
                self,
                subject,
                attribute.key_span,
                "message.sight" if near[0] in _DECIDING else "message",
                data=near,
                written=attribute.key,
                meant=near[0],
            )._replace(severity=Severity.WARNING if near[0] in _DECIDING else None)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        definition, _ = definition_at(document, problem)
        span = problem.span.shift(document.cell(problem.label).start_offset)
        for key in problem.data:
            if definition.get(key) is None:
                yield Fix.of("fix.rename", Edit(span, key), key=key)


def meant_keys(attribute: Attribute, role: CellRole) -> list[str]:
    """The keys that an unknown one may be a misspelling of, the likeliest first.

    Of equally near ones, that is one that means something on such a cell and takes the value.
    """
    near = known_keys_near(attribute.key)
    if not near:
        return []
    # `mime` is one letter from `time`, and short for `mime_type` anyway.
    longer = [key for key in ATTRIBUTES if key.startswith(f"{attribute.key}_")]
    return sorted(
        dict.fromkeys((*near, *longer)),
        key=lambda key: (
            role not in ATTRIBUTES[key].roles,
            not ATTRIBUTES[key].accepts(attribute.value),
        ),
    )

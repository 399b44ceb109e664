"""An attribute has an invalid value.

## What it does
Checks the values of these attributes, on the kinds of cells where they have a meaning:
`role`, `time`, `reasoning`, `status`, `duration`, `mime_type`, `output`, `newline`,
`definition`, `virtual`, `boot`, `reset` and `incomplete`. Elsewhere they may have any
value. `history` has a rule of its own, MSG203.

## Why it matters
A value that cannot be read is ignored, except for `virtual`, `boot` and `reset`: there
every value that does not clearly mean no counts as yes, so that nothing is sent by
mistake. A system prompt with `role="sytem"` is sent as the user's words, and a failure
with `status="fail"` is treated as a success.

## Example
```markdown
# %%% Output[^c1.1]

[^c1.1]: [python] status="ok" duration="0.5 s"
```
Use instead:
```markdown
# %%% Output[^c1.1]

[^c1.1]: [python] status="success" duration="0.5s"
```

## Fix safety
Not safe: the value changes. There is a fix only if a single value can be meant; the
missing offset of a time, for example, is not guessed.
"""

from collections.abc import Iterable, Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.attributes import (
    ATTRIBUTES,
    AttributeSpec,
    ValueKind,
    as_written,
    is_accepted,
    is_impossible_time,
    value_inside,
)
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.definitions import definition_at, is_read, problem_at, reported_definition
from msgls.rules.topics import Topic
from msgls.text.phrases import joined
from msgls.text.spans import Edit

_OTHER_RULES = ("history",)


class InvalidAttributeValue(CellRule):
    code = "MSG204"
    name = "invalid-attribute-value"
    severity = Severity.ERROR
    texts = {
        "message.one": "invalid value `{value}` for `{attribute}`: use {values}",
        "message.list": "invalid value `{value}` for `{attribute}`: use one of {values}",
        "message.time": (
            "invalid value `{value}` for `{attribute}`: use a time with an offset, such as "
            "`2025-05-30T09:30:00+08:00`"
        ),
        "message.date": (
            "invalid value `{value}` for `{attribute}`: this date or time does not exist"
        ),
        "message.duration": (
            "invalid value `{value}` for `{attribute}`: use a number with `ms`, `s`, `m` or `h`, "
            "or a number of seconds"
        ),
        "message.mime-type": (
            "invalid value `{value}` for `{attribute}`: use a type such as `text/plain` or "
            "`image/png`"
        ),
        "fix.value": "Change to `{value}`",
    }
    wants = Topic.ATTRIBUTES

    def check(self, subject: Subject) -> Iterable[Problem]:
        definition = subject.definition
        if definition is None:
            return ()
        keys = [key for key, value in definition.values.items() if not is_accepted(key, value)]
        wrong = [
            (ATTRIBUTES[key], attribute)
            for key in keys
            if key not in _OTHER_RULES
            and subject.role in ATTRIBUTES[key].roles
            and (attribute := definition.get(key)) is not None
            and is_read(definition, attribute)
        ]
        if not wrong or reported_definition(subject) is None:
            return ()
        return [
            problem_at(
                self,
                subject,
                value_inside(attribute),
                _message_key(spec, attribute.value),
                data=spec.key,
                attribute=spec.key,
                value=attribute.value,
                values=joined(f"`{value}`" for value in spec.values),
            )
            for spec, attribute in wrong
        ]

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        definition, holder = definition_at(snapshot.document, problem)
        attribute = definition.get(problem.data)
        if attribute is None:
            return
        value = ATTRIBUTES[problem.data].mend(attribute.value)
        if value is not None:
            span = attribute.value_span.shift(holder.start_offset)
            yield Fix.of("fix.value", Edit(span, as_written(attribute, value)), value=value)


def _message_key(spec: AttributeSpec, value: str) -> str:
    if spec.kind is ValueKind.TIME and is_impossible_time(value):
        return "message.date"
    if spec.kind in (ValueKind.CHOICE, ValueKind.SWITCH):
        return "message.one" if len(spec.values) == 1 else "message.list"
    return f"message.{spec.kind.value}"

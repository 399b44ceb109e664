"""A definition lacks an attribute that it needs.

## What it does
Reports tool calls and definitions of agents without `name`, and outputs of code without
`status`. An empty value counts as missing.

## Why it matters
Without a name, a call reaches no tool, and an agent cannot be asked. Without a status,
it is unknown whether the code succeeded or failed.

## Example
```markdown
# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool]

<read_file path="notes.txt"/>
```
Use instead:
```markdown
# %%% Read[^a1.9f3d]

[^a1.9f3d]: [tool] name="read_file"

<read_file path="notes.txt"/>
```

## Fix safety
Not safe: the value is a guess. The name of a tool is taken from the root element of
its XML, that of an agent from the cell's title or id.
"""

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.attributes import ATTRIBUTES, attributes_on
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.mapped import mapped_call
from msgls.formats.msgmd.meaning import TOOL
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.definitions import (
    cell_of,
    definition_at,
    is_read,
    problem_at,
    reported_definition,
    swallowed,
)
from msgls.rules.msgmd.msg206_misspelt_attribute import meant_keys
from msgls.rules.topics import Topic
from msgls.syntax.cells import CellKind, Definition
from msgls.text.spans import Edit, Span

_REQUIRED = {
    role: [spec for spec in attributes_on(role) if spec.required_on or spec.required_with]
    for role in CellRole
}


class MissingAttribute(CellRule):
    code = "MSG207"
    name = "missing-attribute"
    severity = Severity.WARNING
    texts = {
        "message.tool": "tool call `{id}` does not name a tool: `name` is missing",
        "message.name": "`{id}` defines an agent without a name: `name` is missing",
        "message.status": "execution output `{id}` has no result status: `status` is missing",
        "fix.insert": "Insert `{pair}`",
    }
    roles = (CellRole.MESSAGE, CellRole.CODE, CellRole.CALL, CellRole.RUN)
    wants = Topic.CALL | Topic.RUN | Topic.AGENT

    def check(self, subject: Subject) -> Iterable[Problem]:
        definition = subject.definition
        if definition is None or definition.type_span is None:
            return ()
        missing = [
            spec.key
            for spec in _REQUIRED[subject.role]
            if not (definition.value(spec.key) or "").strip(" \t")
            and spec.is_required(subject.role, definition)
        ]
        if not missing or not _has_sound_id(subject) or reported_definition(subject) is None:
            return ()
        return [
            problem_at(
                self,
                subject,
                _place(definition, key),
                f"message.{key}" if subject.role is not CellRole.CALL else "message.tool",
                data=key,
                id=subject.cell.id or "",
            )
            for key in missing
            if not _has_other_problem(definition, key, subject.role)
        ]

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        definition, holder = definition_at(document, problem)
        key = problem.data
        written = definition.get(key)
        for value in _likely_values(document, problem, key):
            pair = f"{key}={quote_value(value)}"
            if written is not None:
                edit = Edit(written.span.shift(holder.start_offset), pair)
            elif definition.type_span is not None:
                at = definition.type_span.end + 1 + holder.start_offset
                edit = Edit(Span(at, at), " " + pair)
            else:
                return
            yield Fix.of("fix.insert", edit, pair=pair)


def _has_sound_id(subject: Subject) -> bool:
    """A tool cell whose id is not that of a call may be a result: that is MSG111's."""
    return subject.role is not CellRole.CALL or (subject.cell.id or "").count(".") == 1


def _has_other_problem(definition: Definition, key: str, role: CellRole) -> bool:
    """Whether it is on the line after all, misspelled or unread: other rules say so."""
    if key in swallowed(definition):
        return True
    written = definition.get(key)
    if written is not None:
        return not is_read(definition, written)
    return any(
        attribute.key not in ATTRIBUTES and key in meant_keys(attribute, role)[:1]
        for attribute in definition.attributes
    )


def _place(definition: Definition, key: str) -> Span:
    written = definition.get(key)
    if written is not None:
        return written.span
    return definition.type_span or definition.id.span


def _likely_values(document: Document, problem: Problem, key: str) -> Iterator[str]:
    if key == "status":
        yield from ATTRIBUTES[key].values
        return
    placed = cell_of(document, problem)
    title = placed.cell.title
    if placed.cell.kind is CellKind.MESSAGE:
        yield title or placed.cell.id or "agent"
        return
    from msgls.formats.msgmd.toolcalls import parse_tool_xml

    root = parse_tool_xml(mapped_call(document, placed).text).root
    yield root or (title if title.isidentifier() else TOOL)

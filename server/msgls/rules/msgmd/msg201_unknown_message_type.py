"""A message cell has an unknown type.

## What it does
Looks at the type in the definition of every `%%` cell. It must be `markdown`, `code` or
`raw`.

## Why it matters
A program that reads the file does not know what the cell is, and treats it as plain
text: code is not run, and raw text is not left as it is.

## Example
```markdown
# %% A question[^q1]

[^q1]: [markdow]

Why is the sky blue?
```
Use instead:
```markdown
# %% A question[^q1]

[^q1]: [markdown]

Why is the sky blue?
```

## Fix safety
Not safe: the type decides how the cell is read. If the type is an agent's name or
`tool`, and the id suits such an output, another fix makes the cell an output, with
`%%%`. The type `system` becomes `[markdown] role="system"`.
"""

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, TOOL, is_language, is_registered
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.definitions import cell_of, definition_at, problem_at, reported_definition
from msgls.rules.msgmd.ids import is_nonce, positive_number
from msgls.syntax.ids import CellId
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span

_SLIPS = {"md": "markdown", "user": "markdown"}
_SYSTEM = "system"


class UnknownMessageType(CellRule):
    code = "MSG201"
    name = "unknown-message-type"
    severity = Severity.ERROR
    texts = {
        "message": "unknown message type `{type}`: use `markdown`, `code` or `raw`",
        "fix.type": "Change the type to `{type}`",
        "fix.output": "Make it an output of `{type}`, with `%%%`",
        "fix.system": 'Change to `[markdown] role="system"`',
    }
    roles = (CellRole.MESSAGE,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        if subject.definition is None or subject.definition.type in MESSAGE_TYPES:
            return ()
        definition = reported_definition(subject)
        if definition is None or definition.type is None or definition.type_span is None:
            return ()
        return (problem_at(self, subject, definition.type_span, type=definition.type),)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        written = problem.args["type"]
        definition, holder = definition_at(document, problem)
        span = problem.span.shift(holder.start_offset)
        placed = cell_of(document, problem)
        trimmed = written.strip(" \t")
        if trimmed == TOOL or is_registered(document, trimmed):
            header = placed.cell.header
            if header is not None and _fits_output(trimmed, placed.cell.id or ""):
                at = header.percents.end + placed.start_offset
                yield Fix.of("fix.output", Edit(Span(at, at), "%"), type=trimmed)
        if trimmed.casefold() == _SYSTEM and definition.get("role") is None:
            after = Edit(Span(span.end + 1, span.end + 1), ' role="system"')
            yield Fix.of("fix.system", Edit(span, "markdown"), after)
        for kind in self._likely_types(document, trimmed, problem):
            yield Fix.of("fix.type", Edit(span, kind), type=kind)

    def _likely_types(self, document: Document, written: str, problem: Problem) -> list[str]:
        if written.casefold() in _SLIPS:
            return [_SLIPS[written.casefold()]]
        if written in MESSAGE_TYPES:
            return [written]
        near = closest(written, MESSAGE_TYPES)
        if near:
            return near
        has_code = cell_of(document, problem).cell.code_block is not None
        return ["code"] if has_code and is_language(written) else []


def _fits_output(kind: str, cell_id: str) -> bool:
    """Whether an output of that type may have the id: with another one it is MSG111."""
    segments = CellId(cell_id).segments
    if kind != TOOL:
        return len(segments) == 1
    if len(segments) == 2:
        return is_nonce(segments[1])
    return len(segments) == 3 and positive_number(segments[2]) is not None

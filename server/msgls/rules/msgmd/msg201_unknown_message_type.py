"""A message cell has an unknown type.

## What it does
Looks at the type in the definition of every `%%` cell. It is `markdown`, `code` or
`raw`.

## Why it matters
A program that reads the file does not know what the cell is, and treats it as plain
text: code is not run, and raw text is not left alone.

## Example
```markdown
# %% Count the files[^c1]

[^c1]: [cod]
```
Use instead:
```markdown
# %% Count the files[^c1]

[^c1]: [code]
```

## Fix safety
Not safe: another type makes another cell of it. Where the type is an agent's name or
`tool`, and the id is one that such an output may have, there is also a fix that makes the
cell an output, with `%%%`.
"""

from __future__ import annotations

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
    """See the module."""

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
        """A type that is none of the three."""
        if subject.definition is None or subject.definition.type in MESSAGE_TYPES:
            return ()
        definition = reported_definition(subject)
        if definition is None or definition.type is None or definition.type_span is None:
            return ()
        return (problem_at(self, subject, definition.type_span, type=definition.type),)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """The types that it may be a slip of; an output, where an agent or a tool is named."""
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
                yield Fix("fix.output", (Edit(Span(at, at), "%"),), False, {"type": trimmed})
        if trimmed.casefold() == _SYSTEM and definition.get("role") is None:
            after = Edit(Span(span.end + 1, span.end + 1), ' role="system"')
            yield Fix("fix.system", (Edit(span, "markdown"), after))
        for kind in self._likely_types(document, trimmed, problem):
            yield Fix("fix.type", (Edit(span, kind),), False, {"type": kind})

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

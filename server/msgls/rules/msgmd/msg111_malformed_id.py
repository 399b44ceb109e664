"""The id of a cell does not have the shape that its cell asks for.

## What it does
An id is made of segments with dots between them, and a segment holds no blank, no dot
and no bracket. How many segments there are follows from the cell:

| cell | id |
|---|---|
| message, answer | `id` |
| tool call | `id.nonce` |
| tool result | `id.nonce.n` |
| run of code | `id.n` |

`n` is 1, 2, 3 and so on. Everything else is reported: an empty segment, a blank or a
bracket inside, an `n` that is no positive number, a `[tool]` cell with one segment or
more than three, and a dotted id on a message or an answer. An answer whose type is no
registered agent may have been meant as the run of a language that is not known; where
its id ends in a number, the message says so.

## Why it matters
The id says what belongs to what. A result whose id does not name its call answers
nothing, and a message whose id looks like a result is taken for one.

## Example
```markdown
# %%% Read, done[^a1.9f3d.first]

[^a1.9f3d.first]: [tool] status="success"
```
Use instead:
```markdown
# %%% Read, done[^a1.9f3d.1]

[^a1.9f3d.1]: [tool] status="success"
```

## Fix safety
Not safe: a cell gets another id. There is a fix where only one id makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.base import Placed
from msgls.formats.msgmd import meaning as meanings
from msgls.formats.msgmd.edits import insert_definition, own_definition, rename_id
from msgls.formats.msgmd.meaning import CellRole
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject, Surroundings
from msgls.rules.msgmd.ids import (
    likely_definition,
    next_free_id,
    positive_number,
    run_language,
    shape_fault,
)
from msgls.text.patterns import lazy_pattern
from msgls.text.similar import closest
from msgls.text.spans import Edit

_PLAIN = lazy_pattern(r"[^\s.\[\]^]+")
_MESSAGES = (CellRole.MESSAGE, CellRole.CODE)
_NUMBERED = (CellRole.RESULT, CellRole.RUN)
_CHILDREN = (CellRole.CALL, *_NUMBERED)


class MalformedId(CellRule):
    """See the module."""

    code = "MSG111"
    name = "malformed-id"
    severity = Severity.ERROR

    def check(self, subject: Subject) -> Iterator[Problem]:
        """One problem a header, the most basic one."""
        cell_id = subject.cell.id
        if cell_id is None or (subject.role is not CellRole.CALL and _PLAIN.fullmatch(cell_id)):
            return
        header = subject.cell.header
        if header is None or header.id is None:
            return
        fault = shape_fault(cell_id) or _role_fault(subject, cell_id)
        if fault is None:
            return
        args = {
            "id": cell_id,
            "type": subject.meaning.type or "",
            "number": cell_id.rpartition(".")[2],
        }
        yield Problem(self.code, subject.order, header.id.span, f"message.{fault}", args)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """The id that makes sense, if only one does; the language that may have been meant."""
        placed = document.cell(problem.order)
        fault = problem.key.partition(".")[2]
        if fault == "empty":
            yield _give(document, placed)
        if fault == "language":
            yield from _languages(document, placed, problem.args["type"])
        mended = _mended(document, placed, fault)
        if mended is not None:
            edits = rename_id(document, placed, mended)
            yield Fix("fix.rename", tuple(edits), False, {"id": mended})


def _role_fault(subject: Subject, cell_id: str) -> str | None:
    """What is wrong with a well-formed id on this very cell."""
    role, segments = subject.role, cell_id.count(".") + 1
    if role is CellRole.CALL:
        return "call" if segments == 1 else None
    if role is CellRole.RESULT and segments > 3:
        return "result"
    if role in _NUMBERED:
        return "number" if positive_number(cell_id.rpartition(".")[2]) is None else None
    if segments == 1 or role is CellRole.PREAMBLE:
        return None
    if role in _MESSAGES:
        return "message"
    kind = subject.meaning.type
    if kind is None:
        return None
    registered = kind in subject.surroundings.other_agents
    registered = registered or meanings.is_registered(subject.document, kind)
    is_run = segments == 2 and positive_number(cell_id.rpartition(".")[2]) is not None
    return "language" if is_run and not registered else "answer"


def _mended(document: Document, placed: Placed, fault: str) -> str | None:
    cell_id = placed.cell.id or ""
    if fault in ("bracket", "blank", "segment"):
        segments = ["-".join(part.split()) for part in re.sub(r"[\[^]", "", cell_id).split(".")]
        # What has no children's id anyway gets one without dots.
        dot = "." if _may_be_dotted(document, placed) else "-"
        mended = dot.join([segment for segment in segments if segment])
    elif fault == "message" or (fault == "answer" and not _has_parent(document, cell_id)):
        mended = cell_id.replace(".", "-")
    elif fault == "number":
        mended = _next_number(document, placed, cell_id)
    else:
        return None
    if not mended:
        return None
    if document.entries("header", mended):
        return None if "." in mended else next_free_id(document, mended)
    return mended


def _may_be_dotted(document: Document, placed: Placed) -> bool:
    meaning = meanings.meaning_of(document, placed)
    if meaning.definition is None:
        return meaning.role not in _MESSAGES
    return meaning.role in _CHILDREN


def _has_parent(document: Document, cell_id: str) -> bool:
    """Whether the id is probably right, and the type is wrong."""
    return bool(document.entries("header", cell_id.rpartition(".")[0]))


def _next_number(document: Document, placed: Placed, cell_id: str) -> str:
    """The id with the number after that of the sibling before it."""
    parent = cell_id.rpartition(".")[0]
    number = 0
    for entry in document.entries("child", parent):
        if entry.order >= placed.order:
            break
        number = positive_number(str(entry.payloads[0])) or number
    return f"{parent}.{number + 1}"


def _give(document: Document, placed: Placed) -> Fix:
    """An id for ``[^]``, and a definition where there is none."""
    new_id = meanings.next_free_id(document)
    edits = rename_id(document, placed, new_id)
    if own_definition(document, placed) is None:
        line = likely_definition(document, placed, new_id)
        edits.append(insert_definition(document, placed, line))
    return Fix("fix.rename", tuple(edits), False, {"id": new_id})


def _languages(document: Document, placed: Placed, kind: str) -> Iterator[Fix]:
    """The languages that the type may be a slip of."""
    found = own_definition(document, placed)
    if found is None or found[0].type_span is None:
        return
    span = found[0].type_span.shift(found[1].start_offset)
    # Of two that are as near, the one that the code is written in is meant.
    likely = run_language(document, placed.cell.id or "")
    known = sorted(meanings.languages())
    for language in closest(kind, known if likely is None else [likely, *known]):
        yield Fix.of("fix.language", Edit(span, language), language=language)

"""The id of a cell is malformed.

## What it does
An id consists of segments separated by dots, and a segment contains no space, no dot,
no bracket and no `^`. How many segments it has depends on the cell:

| cell | id |
|---|---|
| message, answer | `id` |
| tool call | `id.nonce` |
| tool result | `id.nonce.n` |
| run of code | `id.n` |
| further output of a run | `id.n.m` |

`n` is 1, 2, 3 and so on, and `m` 2, 3 and so on; a nonce has letters from A to Z,
digits, `_` and `-`. Everything else is reported: an empty segment, a space or a bracket
inside, an `n` that is not a positive number, a call's nonce with other characters, a
`[tool]` cell with one segment or more than three. A dotted id on a message or an answer
is only a warning: it is allowed, but looks like something else. If the type of an
answer is not a registered agent and its id ends in a number, it may be a run in an
unknown language, and the message says so. A type that is nearly `tool` is MSG202.

## Why it matters
The id says what belongs to what. A result whose id does not name its call belongs to no
call, and a message whose id looks like that of a result misleads its readers.

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
Not safe: the cell gets another id. There is a fix only if a single id makes sense.
"""

import re
from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd import meaning as meanings
from msgls.formats.msgmd.edits import insert_definition, own_definition, rename_id
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.msgmd.ids import (
    is_nonce,
    is_unknown_run,
    likely_definition,
    next_id_after,
    positive_number,
    run_language,
    shape_fault,
)
from msgls.rules.topics import Topic
from msgls.syntax.ids import CellId
from msgls.text.patterns import lazy_pattern
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span

_PLAIN = lazy_pattern(r"[^\s.\[\]^]+")
_MESSAGES = (CellRole.MESSAGE, CellRole.CODE)
_NUMBERED = (CellRole.RESULT, CellRole.RUN)
_CHILDREN = (CellRole.CALL, *_NUMBERED)
_SHAPES = ("bracket", "blank", "segment")
# Dots that mean nothing on a message or an answer, where any text is an id.
_ALLOWED = ("message", "answer", "agent", "language")


class MalformedId(CellRule):
    code = "MSG111"
    name = "malformed-id"
    severity = Severity.ERROR
    texts = {
        "message.empty": "the id is empty",
        "message.bracket": "the id `{id}` contains a bracket or a `^`",
        "message.blank": "the id `{id}` contains a space",
        "message.segment": "the id `{id}` has an empty segment between its dots",
        "message.call": (
            "the id of a tool call must be `id.nonce`: `{id}` does not name the answer that made "
            "the call"
        ),
        "message.nonce": (
            "`{number}` in `{id}` is not a valid nonce: use only letters from A to Z, digits, "
            "`_` and `-`"
        ),
        "message.result": (
            "the id of a tool result must be `id.nonce.n`: `{id}` has too many segments"
        ),
        "message.number": (
            "`{number}` in `{id}` is not a positive number: results and runs are numbered 1, 2, 3"
        ),
        "message.further": (
            "`{number}` in `{id}` must be 2 or greater: the first output of a run is `id.n`, and "
            "further ones are `id.n.2`, `id.n.3`"
        ),
        "message.message": (
            "the id `{id}` of a message contains a dot: only ids of calls, results and runs do"
        ),
        "message.answer": (
            "the id `{id}` of an answer contains a dot: only ids of calls, results and runs do"
        ),
        "message.agent": (
            "the id `{id}` contains a dot, like the run of a code cell, but `{type}` is an "
            "agent: the id of an answer has no dot"
        ),
        "message.language": (
            "`{id}` contains a dot, like the run of a code cell, but `{type}` is not a known "
            "language: the id of an answer has no dot"
        ),
        "fix.rename": "Change the id to `{id}`",
        "fix.language": "Change the type to `{language}`",
    }
    wants = Topic.ODD_ID

    def check(self, subject: Subject) -> Iterator[Problem]:
        """One problem a header, the most basic one."""
        cell_id = subject.cell.id
        if cell_id is None or (subject.role is not CellRole.CALL and _PLAIN.fullmatch(cell_id)):
            return
        fault = shape_fault(cell_id) or _role_fault(subject, cell_id)
        if fault is None:
            return
        header = subject.cell.header
        if header is None or header.id is None:
            return
        args = {
            "id": cell_id,
            "type": subject.meaning.type or "",
            "number": _number_in(cell_id, subject.role),
        }
        severity = Severity.WARNING if fault in _ALLOWED else None
        span = header.id.span
        yield Problem(self.code, subject.label, span, f"message.{fault}", args, severity=severity)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        fault = problem.key.partition(".")[2]
        if fault == "empty":
            yield _give(document, placed)
        if fault == "language":
            yield from _languages(document, placed, problem.args["type"])
        if fault in _SHAPES:
            placed = _topmost(document, placed)
            fault = shape_fault(placed.cell.id or "") or fault
        mended = _mended(document, placed, fault)
        if mended is not None:
            edits = rename_id(document, placed, mended)
            unread = _unread_definition(placed)
            if unread is not None and unread not in [edit.span for edit in edits]:
                edits = sorted([*edits, Edit(unread, mended)])
            yield Fix.of("fix.rename", *edits, id=mended)


def _role_fault(subject: Subject, cell_id: str) -> str | None:
    """What is wrong with a well-formed id on this very cell."""
    role, segments = subject.role, cell_id.count(".") + 1
    if role is CellRole.CALL:
        if segments == 1:
            return "call"
        # A result with such a nonce belongs to this call, or to none, which is MSG302's.
        return None if is_nonce(CellId(cell_id).rest) else "nonce"
    if role is CellRole.RESULT and segments > 3:
        return "result"
    if role in _NUMBERED:
        numbers = CellId(cell_id).segments[2 if role is CellRole.RESULT else 1 :]
        if positive_number(numbers[0]) is None:
            return "number"
        is_further = role is CellRole.RUN and len(numbers) > 1
        return "further" if is_further and (positive_number(numbers[1]) or 0) < 2 else None
    if segments == 1 or role is CellRole.PREAMBLE:
        return None
    if role in _MESSAGES:
        return "message"
    kind = subject.meaning.type
    if kind is None:
        return None
    if meanings.is_registered(subject.document, kind):
        is_run = is_unknown_run(cell_id) and meanings.is_language(kind)
        return "agent" if is_run else "answer"
    if is_unknown_run(cell_id):
        return "language"
    # The id may be right, and the type is not: one mistake, and MSG202 names the type.
    return None if closest(kind, (meanings.TOOL,)) else "answer"


def _topmost(document: Document, placed: Placed) -> Placed:
    """The ancestor whose id has that fault already, if there is one: its children follow."""
    segments = CellId(placed.cell.id or "").segments
    for count in range(1, len(segments)):
        ancestor = ".".join(segments[:count])
        headers = document.entries("header", ancestor)
        if shape_fault(ancestor) and len(headers) == 1:
            return document.cell(headers[0].label)
    return placed


def _unread_definition(placed: Placed) -> Span | None:
    """The id of the line at home that would define the cell, were there no bracket in it."""
    cell = placed.cell
    if shape_fault(cell.id or "") != "bracket":
        return None
    body = cell.text[cell.body.start :]
    at = len(body) - len(body.lstrip(" \t\r\n"))
    if not body.startswith(f"[^{cell.id}]:", at):
        return None
    start = placed.start_offset + cell.body.start + at + len("[^")
    return Span(start, start + len(cell.id or ""))


def _mended(document: Document, placed: Placed, fault: str) -> str | None:
    cell_id = placed.cell.id or ""
    if fault in _SHAPES:
        segments = [
            "-".join(part.split()) for part in CellId(re.sub(r"[\[\]^]", "", cell_id)).segments
        ]
        # What has no children's id anyway gets one without dots.
        dot = "." if _may_be_dotted(document, placed) else "-"
        mended = dot.join([segment for segment in segments if segment])
    elif fault == "message" or (
        fault in ("answer", "agent") and not _has_parent(document, cell_id)
    ):
        mended = cell_id.replace(".", "-")
    elif fault == "nonce":
        mended = f"{cell_id.partition('.')[0]}.{meanings.new_nonce(document)}"
    elif fault == "further":
        mended = _next_number(document, placed, cell_id, first=2)
    elif fault == "number" and not _is_further_output(document, placed):
        mended = _next_number(document, placed, cell_id)
    else:
        return None
    if not mended:
        return None
    if document.entries("header", mended):
        return None if "." in mended else next_id_after(document, mended)
    return mended


def _may_be_dotted(document: Document, placed: Placed) -> bool:
    meaning = meanings.meaning_of(document, placed)
    if meaning.definition is None:
        return meaning.role not in _MESSAGES
    return meaning.role in _CHILDREN


def _has_parent(document: Document, cell_id: str) -> bool:
    """Whether the id is probably right, and the type is wrong."""
    return bool(document.entries("header", CellId(cell_id).parent))


def _number_in(cell_id: str, role: CellRole) -> str:
    """The segment that a message about a number is about."""
    segments = CellId(cell_id).segments
    if role is CellRole.RUN and len(segments) == 3 and positive_number(segments[1]) is None:
        return segments[1]
    return segments[-1]


def _is_further_output(document: Document, placed: Placed) -> bool:
    """Whether it is a further output of a run: then the number of that run is wrong."""
    role = meanings.meaning_of(document, placed).role
    return role is CellRole.RUN and (placed.cell.id or "").count(".") == 2


def _next_number(document: Document, placed: Placed, cell_id: str, first: int = 1) -> str:
    """The id with the number after that of the sibling before it."""
    parent = CellId(cell_id).parent
    number = first - 1
    for entry in document.entries("child", parent):
        if entry.label >= placed.label:
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
    return Fix.of("fix.rename", *edits, id=new_id)


def _languages(document: Document, placed: Placed, kind: str) -> Iterator[Fix]:
    """The languages that the type may be a misspelling of."""
    found = own_definition(document, placed)
    # With two cells of one id, the definition that counts may be the other cell's.
    if found is None or found[0].type_span is None or found[0].type != kind:
        return
    span = found[0].type_span.shift(found[1].start_offset)
    # Of two that are as near, the one that the code is written in is meant.
    likely = run_language(document, placed.cell.id or "")
    known = sorted(meanings.languages())
    for language in closest(kind, known if likely is None else [likely, *known]):
        yield Fix.of("fix.language", Edit(span, language), language=language)

"""A message has no role.

## What it does
Reports a `message` without `role` if there is no earlier message whose role it could
take, and a `raw` message whose object has no `role`. A role is free text, but one that
services do not know is reported as a hint: they know `user`, `assistant`, `system`,
`developer` and `tool`. A message with any other role is sent as the user's.

## Why it matters
It is unknown who speaks, and services refuse such a message. An unknown role may be a
typo.

## Example
```text
@message
Hello
```
Use instead:
```text
@message role=user
Hello
```

## Fix safety
Not safe: the known role with a similar name may not be the one that was meant. A
missing role has no fix, nor has a role in the object of a `raw` message.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.arguments import Arguments
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import ALIASES, ROLES, Mode
from msgls.formats.stf.lexer import NO_ROLE, Command
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, head, stf_cell
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span


class NoRole(StfRule):
    code = "STF011"
    name = "no-role"
    severity = Severity.ERROR
    texts = {
        "message": "`{word}` has no role, and there is no earlier message to take one from",
        "message.unknown": (
            "services do not know the role `{role}`: the message is sent as the user's"
        ),
        "message.raw": "the object of this message has no `role`",
        "fix.change": "Change to `{role}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        opening = cell.opening
        if opening is None or opening.spec is None or opening.spec.role is not None:
            return
        arguments = cell.arguments(opening)
        if opening.spec.mode is Mode.RAW:
            yield from self._in_raw(cell, opening, arguments, subject.label)
        elif arguments.value("role") is not None:
            yield from self._in_argument(opening, arguments, subject.label)
        elif cell.entry.role == NO_ROLE:
            yield self.problem(subject.label, head(opening), word=opening.word)

    def _in_argument(self, opening: Command, arguments: Arguments, label: int) -> Iterator[Problem]:
        role = arguments.get("role")
        if role is not None and role.value not in ROLES:
            span = role.value_span.shift(opening.rest.start)
            yield self._unknown(label, span, role.value or "")

    def _unknown(self, label: int, span: Span, role: str) -> Problem:
        problem = self.problem(label, span, "message.unknown", role=role)
        return problem._replace(severity=Severity.HINT)

    def _in_raw(
        self, cell: StfCell, opening: Command, arguments: Arguments, label: int
    ) -> Iterator[Problem]:
        message = cell.parsed_block(opening)[1].value
        if not isinstance(message, dict):
            return
        role = message.get("role")
        if role is None and arguments.value("role") is not None:
            yield from self._in_argument(opening, arguments, label)
        elif not isinstance(role, str):
            yield self.problem(label, head(opening), "message.raw")
        elif role not in ROLES:
            yield self._unknown(label, head(opening), role)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        cell, start = stf_cell(snapshot.document, problem.label)
        role = problem.args.get("role", "")
        if problem.span.start >= _arguments_start(cell):
            alias = [ALIASES[role]] if ALIASES.get(role) in ROLES else []
            for near in alias or closest(role, ROLES):
                yield Fix.of("fix.change", Edit(problem.span.shift(start), near), role=near)


def _arguments_start(cell: StfCell) -> int:
    opening = cell.opening
    return cell.length if opening is None else opening.rest.start

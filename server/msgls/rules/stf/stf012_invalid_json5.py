"""Something that must be JSON5 is not.

## What it does
Reads the objects in `raw`, `meta` and `extra`, in arguments and on the line of a
`call`, and the quoted strings in arguments. A block must contain one object. Nesting is
read up to a depth of 100.

## Why it matters
What cannot be read is not sent, or is sent as plain text.

## Example
```text
@raw
{role: 'user', content: 'Hello}
@end
```
Use instead:
```text
@raw
{role: 'user', content: 'Hello'}
@end
```

## Fix safety
The only fix gives a call without arguments an empty object. It is not safe.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import Mode
from msgls.formats.stf.lexer import Command
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, head, stf_cell, with_arguments
from msgls.text.spans import Edit, Span

_MOST_SHOWN = 40


class InvalidJson5(StfRule):
    code = "STF012"
    name = "invalid-json5"
    severity = Severity.ERROR
    texts = {
        "message.empty": "JSON5 is missing here",
        "message.open": "`{text}` is not closed",
        "message.unexpected": "unexpected `{text}` in JSON5",
        "message.after": "`{text}` follows the end of the object",
        "message.number": "`{text}` is not a valid number",
        "message.deep": "nested too deeply",
        "message.object": "this must be an object: `{{…}}`",
        "message.name": "the name of the tool is missing before its arguments",
        "message.arguments": "the arguments of `{text}` are missing: an object must follow",
        "fix.object": "Add an empty object",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for command, arguments in with_arguments(cell):
            for fault in arguments.faults:
                if fault.is_json:
                    span = fault.span.shift(command.rest.start)
                    yield self._at(cell, subject.label, span, fault.key)
            if command.mode in (Mode.RAW, Mode.BLOCK):
                yield from self._in_block(cell, command, subject.label)
            elif command.name == "call":
                yield from self._in_call(cell, command, subject.label)

    def _at(self, cell: StfCell, label: int, span: Span, key: str) -> Problem:
        text = span.of(cell.text)
        shown = text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"
        return self.problem(label, span, f"message.{key}", text=shown.replace("\n", " "))

    def _in_block(self, cell: StfCell, command: Command, label: int) -> Iterator[Problem]:
        block, (_, problem) = cell.parsed_block(command)
        if problem is None:
            return
        if command.end is None and problem.key in ("after", "empty"):
            return  # The missing end of the block is the problem there.
        if not block.text.strip(" \t\r\n"):
            yield self._at(cell, label, head(command), "empty")
        else:
            yield self._at(cell, label, block.span(problem.span), problem.key)

    def _in_call(self, cell: StfCell, command: Command, label: int) -> Iterator[Problem]:
        line = cell.call_line(command)
        if line is None:
            return
        if not line.name:
            yield self._at(cell, label, line.arguments_span, "name")
        elif line.parsed is None:
            yield self._at(cell, label, line.name_span, "arguments")
        elif line.parsed.problem is not None:
            span = line.parsed.problem.span.shift(line.arguments_span.start)
            yield self._at(cell, label, span, line.parsed.problem.key)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        if problem.key == "message.arguments":
            _, start = stf_cell(snapshot.document, problem.label)
            at = problem.span.end + start
            yield Fix.of("fix.object", Edit(Span(at, at), " {}"))

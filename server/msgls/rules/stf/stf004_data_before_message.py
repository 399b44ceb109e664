"""Text or a command is outside any message.

## What it does
Looks for text that is not blank, and for `call`, `embed` and `extra`, before the first
message and after a `flush`. Several lines of text are reported once.

## Why it matters
What is not part of a message is not sent.

## Example
```text
Hello
@assistant
Hi
```
Use instead:
```text
@user
Hello
@assistant
Hi
```

## Fix safety
Not safe: the text becomes a message.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import Mode
from msgls.formats.stf.lexer import Command, Data
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, head, inserted_line, prefix_in, stf_cell
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_NOT_BLANK = lazy_pattern(r"[^ \t\r\n\ufeff]")


class DataBeforeMessage(StfRule):
    code = "STF004"
    name = "data-before-message"
    severity = Severity.ERROR
    texts = {
        "message": "this text is not part of a message: a command such as `{role}` is missing",
        "message.command": "`{word}` is not part of a message: no message is open here",
        "fix.insert": "Insert `{command}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        said = False
        items: list[Data | Command] = [*cell.walk.data, *cell.commands]
        for item in sorted(items, key=lambda item: item.span):
            if isinstance(item, Data):
                line = None if said or item.in_message else _first_line(cell, item.span)
                if line is not None:
                    said = True
                    yield self.problem(subject.label, line, role="user")
            elif item.mode is Mode.PLAIN:
                said = False
            elif _needs_message(item):
                role = "assistant" if item.word == "call" else "user"
                args = {"word": item.word, "role": role}
                yield self.problem(subject.label, head(item), "message.command", **args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        cell, start = stf_cell(document, problem.label)
        command = prefix_in(document) + problem.args["role"]
        edit = inserted_line(cell, start, problem.span.start, command)
        yield Fix.of("fix.insert", edit, command=command)


def _first_line(cell: StfCell, span: Span) -> Span | None:
    """The first line of a stretch of data that is not blank."""
    match = _NOT_BLANK.search(cell.text, *span)
    if match is None:
        return None
    return Span(*line_bounds(cell.text, match.start(), floor=span.start))


def _needs_message(command: Command) -> bool:
    takes_message = command.mode is Mode.LINE or command.name == "extra"
    return takes_message and not command.in_block and not command.in_message

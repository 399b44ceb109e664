"""A block is not closed.

## What it does
Reports `raw`, `meta` and `extra` whose block is not closed by `end` before the next
message or the end of the file.

## Why it matters
Text after the object is read as part of the block, which then cannot be read. Other
programs read on into the messages that follow.

## Example
```text
@raw
{role: 'user', content: 'Hello'}
@assistant
Hi
```
Use instead:
```text
@raw
{role: 'user', content: 'Hello'}
@end
@assistant
Hi
```

## Fix safety
Safe where the block is closed at the place where it is taken to end anyway. If text
follows the object, `end` is inserted before that text, which then belongs to the
message: that is not safe. Nor is closing a block that is still empty.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import END, Mode
from msgls.formats.stf.lexer import Command
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, head, inserted_line, prefix_of, stf_cell


class UnclosedBlock(StfRule):
    code = "STF008"
    name = "unclosed-block"
    severity = Severity.ERROR
    texts = {
        "message": "the block of `{word}` is not closed: `{end}` is missing",
        "fix.insert": "Insert `{end}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        """Each block that is open at the end of its message; a comment that is, goes first."""
        if cell.walk.open_comments:
            return
        for command in cell.commands:
            if command.is_read and command.mode in (Mode.RAW, Mode.BLOCK) and command.end is None:
                args = {"word": command.word, "end": prefix_of(cell) + END}
                yield self.problem(subject.label, head(command), **args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        cell, start = stf_cell(snapshot.document, problem.label)
        command = cell.command_at(problem.span)
        fault = cell.parsed_block(command)[1].problem
        at = cell.length
        if fault is not None and fault.key == "after":
            at = self._end_of_object(cell, command, fault.span.start)
        edit = inserted_line(cell, start, at, problem.args["end"])
        safe = fault is None or fault.key not in ("after", "empty")
        yield Fix("fix.insert", (edit,), safe, problem.args)

    def _end_of_object(self, cell: StfCell, command: Command, after: int) -> int:
        """Where the line after the object starts; the end of the cell if there is none."""
        block = cell.block(command)
        at = block.place(after)
        line = max(cell.text.rfind("\n", 0, at), cell.text.rfind("\r", 0, at)) + 1
        shares_line = cell.text[line:at].strip(" \t")
        return cell.length if shares_line else line

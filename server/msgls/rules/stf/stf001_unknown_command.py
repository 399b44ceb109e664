"""A line starts with an unknown command.

## What it does
Looks at every line that starts with a single prefix (`@` or `;`, see STF015). What
follows must be a command of the file's dialect, in lower case, or a comment. `call` and
`embed` are commands of the dialect `@` only; `meta`, `extra` and `flush` of the dialect
`;` only.

## Why it matters
Such a line is ignored. After a misspelled `@assistant`, the answer becomes part of the
message before it; and a line of text that happens to start with the prefix is lost.

## Example
```text
@User
Hello
@asistant
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
Not safe: a corrected command starts or ends a message, and a doubled prefix makes the
line text. In a message that quotes code (`@Override`, `@interface`), the lines are
meant as text.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import COMMANDS, END, other_dialect
from msgls.formats.stf.lexer import Command
from msgls.rules.base import Fix, Problem, Severity, Subject
from msgls.rules.stf.base import StfRule, head, made_text, prefix_of, stf_cell
from msgls.text.similar import closest
from msgls.text.spans import Edit


class UnknownCommand(StfRule):
    code = "STF001"
    name = "unknown-command"
    severity = Severity.ERROR
    texts = {
        "message": "unknown command `{word}`",
        "message.dialect": "`{word}` is a command of the dialect `{other}`, not of `{prefix}`",
        "message.empty": "no command follows the prefix `{prefix}`",
        "fix.change": "Change to `{word}`",
        "fix.text": "Treat it as text: double the prefix to `{prefix}{prefix}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for command in cell.commands:
            if command.spec is None and not command.in_block:
                span = command.word_span if command.word else head(command)
                args = {"word": command.word, "prefix": prefix_of(cell)}
                args["other"] = other_dialect(args["prefix"])
                yield self.problem(subject.label, span, _key(command, args["other"]), **args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        cell, start = stf_cell(snapshot.document, problem.label)
        word, prefix = problem.args["word"], problem.args["prefix"]
        span = problem.span.shift(start)
        known = [*COMMANDS[prefix], END]
        is_capitals = word.lower() in known
        for near in [word.lower()] if is_capitals else closest(word, known) if word else ():
            yield Fix.of("fix.change", Edit(span, near), word=near)
        # By the command, and not by its character: the word may hold that, too.
        line = cell.command_at(problem.span).span
        yield Fix.of("fix.text", made_text(cell, start, line), prefix=prefix)


def _key(command: Command, other: str) -> str:
    if not command.word:
        return "message.empty"
    return "message.dialect" if command.word in COMMANDS[other] else "message"

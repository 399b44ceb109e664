"""An embedded file does not exist.

## What it does
Looks at the line that follows `embed`. If it is a path relative to the file, there must
be such a file. URLs and absolute paths are not checked.

## Why it matters
The file cannot be sent with the message.

## Example
```text
@user
@embed
pictures/nowhere.png
```
Use instead:
```text
@user
@embed
pictures/garden.png
```

## Fix safety
There is no fix: which file was meant cannot be known.
"""

from collections.abc import Iterator

from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import relative_path
from msgls.rules.base import Problem, Severity, Subject
from msgls.rules.stf.base import StfRule


class MissingEmbed(StfRule):
    code = "STF016"
    name = "missing-embed"
    severity = Severity.WARNING
    texts = {
        "message": "there is no file `{path}`",
    }

    def find(self, cell: StfCell, subject: Subject) -> Iterator[Problem]:
        for command in cell.commands:
            line = cell.data_line(command) if command.is_read and command.name == "embed" else None
            path = None if line is None else relative_path(line.of(cell.text))
            if line is None or path is None:
                continue
            if subject.snapshot.surroundings.exists(path) is False:
                yield self.problem(subject.label, line, path=path)

"""A link points to a file that does not exist.

## What it does
Looks at relative links and images in the text, outside of code, and at `output_file`.
There must be such a file. URLs, absolute paths and links to a heading of the same file
are not checked, nor is anything outside the folders that are open.

## Why it matters
A broken link is useless, and an image that does not exist cannot be sent to a model.

## Example
```markdown
# %% A picture[^m1]

[^m1]: [markdown]

![The garden](pictures/nowhere.png)
```
Use instead:
```markdown
# %% A picture[^m1]

[^m1]: [markdown]

![The garden](pictures/garden.png)
```

## Fix safety
Not safe: only the author knows which file was meant. The fixes offer files in the same
folder with similar names.
"""

from collections.abc import Iterator
from urllib.parse import quote, unquote

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.attributes import CELLS, value_inside
from msgls.formats.prose import is_relative, linked
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.topics import Topic
from msgls.text.similar import closest
from msgls.text.spans import Edit
from msgls.text.work import MANY


class BrokenLink(CellRule):
    code = "MSG605"
    name = "broken-link"
    severity = Severity.WARNING
    texts = {
        "message": "there is no file `{path}`",
        "fix.name": "Change to `{name}`",
    }
    roles = CELLS
    wants = Topic.LINK
    reads = ("definitions", "fences")

    def check(self, subject: Subject) -> Iterator[Problem | None]:
        cell, exists = subject.cell, subject.snapshot.surroundings.exists
        for number, definition in enumerate(cell.definitions, 1):
            if not number % MANY:
                yield None
            file = definition.get("output_file")
            if file is not None and is_relative(file.value) and exists(file.value) is False:
                yield self.problem(subject.label, value_inside(file), path=file.value)
        for number, (span, target) in enumerate(linked(cell), 1):
            if not number % MANY:
                yield None
            path = path_of(target)
            if path and exists(path) is False:
                yield self.problem(subject.label, span, path=path)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        path = problem.args["path"]
        folder, slash, name = path.replace("\\", "/").rpartition("/")
        span = problem.span.shift(document.cell(problem.label).start_offset)
        old = problem.span.of(document.cell(problem.label).cell.text)
        _, mark, fragment = old.partition("#")
        names = [
            found for found in snapshot.surroundings.listing(folder) if not found.endswith("/")
        ]
        for found in closest(name, names):
            text = f"{folder}{slash}{found}"
            text = quote(text, safe="/!$&'*+,;=:@~") if "%" in old or " " in text else text
            yield Fix.of("fix.name", Edit(span, text + mark + fragment), name=found)


def path_of(target: str) -> str:
    """The path of a link, without what names a place in the file."""
    return unquote(target.partition("#")[0].partition("?")[0])

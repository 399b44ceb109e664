r"""A line of the message starts with backticks that are not escaped.

## What it does
Looks for three or more backticks at the start of a line without a backslash before
them. Backticks further in, and fences of tildes, are fine.

## Why it matters
Messages are put into other Markdown, where a fence that is not escaped ends the block
around it. Many messages do without the backslash, so this is only a hint.

## Example
````markdown
; role: user


```python
print("Hello")
```
````
Use instead:
````markdown
; role: user


\```python
print("Hello")
\```
````

## Fix safety
Safe: readers remove the backslash, so the message stays the same. The first fence also
offers to escape every fence of the message at once.
"""

from collections.abc import Iterator
from functools import lru_cache

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.text.spans import Edit, Span


class UnescapedFence(CellRule):
    code = "CBM009"
    name = "unescaped-fence"
    severity = Severity.HINT
    texts = {
        "message": "this fence is not escaped: add a backslash before the backticks",
        "fix.one": "Escape this fence",
        "fix.escape": "Escape every fence of the message",
    }

    def check(self, subject: Subject) -> Iterator[Problem]:
        if isinstance(subject.cell, ChatBuilderCell):
            for span in subject.cell.unescaped:
                yield self.problem(subject.label, span)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        start = document.cell(problem.label).start_offset + problem.span.start
        yield Fix.of("fix.one", _escape(start), safe=True)
        offsets = _unescaped(document)
        if len(offsets) > 1 and start == offsets[0]:
            yield Fix.of("fix.escape", *map(_escape, offsets), safe=True)


def _escape(offset: int) -> Edit:
    return Edit(Span(offset, offset), "\\")


# Asked by each fence, and made of one pass.
@lru_cache(maxsize=1)
def _unescaped(document: Document) -> list[int]:
    return [
        placed.start_offset + span.start
        for placed in document.cells()
        if isinstance(placed.cell, ChatBuilderCell)
        for span in placed.cell.unescaped
    ]

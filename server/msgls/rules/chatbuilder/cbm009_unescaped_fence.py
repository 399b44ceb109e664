r"""A line of the message starts with backticks that are not escaped.

## What it does
Looks for three or more backticks at the start of a line without a backslash before
them. Backticks further in, and fences of tildes, are fine.

## Why it matters
Messages are put into other Markdown, where a bare fence ends the block around it. Many
messages do without the backslash, so this is no more than a hint.

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
Safe: reading takes the backslash away, so the message says the same. All fences of the
message are escaped at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.text.spans import Edit, Span


class UnescapedFence(CellRule):
    """See the module."""

    code = "CBM009"
    name = "unescaped-fence"
    severity = Severity.HINT
    texts = {
        "message": "this fence is not escaped: add a backslash before the backticks",
        "fix.escape": "Escape every fence of the message",
    }
    formats = ("chatbuilder",)

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Every bare run of backticks."""
        if isinstance(subject.cell, ChatBuilderCell):
            for span in subject.cell.unescaped:
                yield self.problem(subject.order, span)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        """A backslash before each of them, in all of the message."""
        yield Fix("fix.escape", _escape_all(snapshot.document), safe=True)


# The fix of each fence is the same: all of them are made of one pass.
@lru_cache(maxsize=1)
def _escape_all(document: Document) -> tuple[Edit, ...]:
    offsets = [
        placed.start_offset + span.start
        for placed in document.cells()
        if isinstance(placed.cell, ChatBuilderCell)
        for span in placed.cell.unescaped
    ]
    return tuple([Edit(Span(offset, offset), "\\") for offset in offsets])

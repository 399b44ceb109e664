"""A code cell has more than one fenced block.

## What it does
Counts the fenced blocks of every cell of type `code`.

## Why it matters
Only the first block is run. The others are reasoning.

## Example
````markdown
# %% Load and count[^c1]

[^c1]: [code]

```python
files = load()
```

```python
len(files)
```
````
Use instead:
````markdown
# %% Load[^c1]

[^c1]: [code]

```python
files = load()
```

# %% Count[^c1-2]

[^c1-2]: [code]

```python
len(files)
```
````

## Fix safety
Not safe: the block becomes a cell of its own, together with the text between it and the
block before.
"""

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.meaning import definition_of, next_free_id
from msgls.rules.base import CellRule, Fix, Problem, Related, Severity, Subject
from msgls.rules.definitions import is_read
from msgls.syntax.cells import Fence
from msgls.text.spans import Edit, Span

# What holds for a cell as a whole holds for both of its halves.
_KEPT = ("role", "history")


class ExtraCodeBlock(CellRule):
    code = "MSG402"
    name = "extra-code-block"
    severity = Severity.HINT
    texts = {
        "message": "this block is not run: only the first block of a code cell is",
        "related": "the block that runs",
        "fix.split": "Split the cell: move this block to a new cell `{id}`",
    }
    roles = (CellRole.CODE,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        fences = subject.cell.fences
        if len(fences) < 2:
            return ()
        related = (Related(subject.label, _opening(fences[0]), "related"),)
        return [
            Problem(self.code, subject.label, _opening(fence), related=related, data=number)
            for number, fence in enumerate(fences[1:], start=1)
        ]

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = document.cell(problem.label)
        cell, header = placed.cell, placed.cell.header
        before, fence = cell.fences[problem.data - 1 : problem.data + 1]
        if header is None or not cell.id or "." in cell.id or fence.in_list or before.in_list:
            return  # A list item would be torn apart; an id with a dot is not a code cell's.
        # A number for each block, so that several of them can be split at once.
        new_id = next_free_id(document, f"{cell.id}-", problem.data + 1)
        newline = document.newline
        marker = f"{header.hashes.of(cell.text)} %% [^{new_id}]"
        line = " ".join([f"[^{new_id}]: [code]", *_kept(document, placed)])
        follows = cell.text[before.span.end :].replace("\r\n", "\n")[:2]
        apart = "" if not follows.strip("\r\n") else newline
        at = before.span.end + placed.start_offset
        new = newline.join(["", "", marker, "", line + apart])
        yield Fix.of("fix.split", Edit(Span(at, at), new), id=new_id)


def _kept(document: Document, placed: Placed) -> Iterator[str]:
    """What the definition says of the whole cell, as it is written."""
    found = definition_of(document, placed)
    if found is None:
        return
    definition, holder = found
    for key in _KEPT:
        attribute = definition.get(key)
        if attribute is not None and is_read(definition, attribute):
            yield f"{key}={attribute.value_span.of(holder.cell.text)}"


def _opening(fence: Fence) -> Span:
    return Span(fence.fence.start, max(fence.fence.end, fence.info.end))

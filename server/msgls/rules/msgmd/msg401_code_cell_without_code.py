"""A code cell has no fenced block.

## What it does
Looks for a fenced block in every cell of type `code`.

## Why it matters
The first fenced block is the code that runs, and the rest of the cell is reasoning.
Without a block there is nothing to run.

## Example
````markdown
# %% Count the files[^c1]

[^c1]: [code]

len(files)
````
Use instead:
````markdown
# %% Count the files[^c1]

[^c1]: [code]

```python
len(files)
```
````

## Fix safety
Not safe: what was reasoning becomes code. The text of the cell is wrapped in a fence;
an empty cell gets an empty block. The language is that of the cell's runs, or else that
of the nearest code cell above.
"""

from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import CellRole, Placed
from msgls.formats.msgmd.content import escape_offsets
from msgls.formats.msgmd.mapped import mapped_content
from msgls.formats.msgmd.meaning import meaning_of, own_home
from msgls.rules.base import CellRule, Fix, Problem, Severity, Subject
from msgls.rules.definitions import cell_of, problem_at, reported_definition
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span

_BACKTICKS = lazy_pattern("`{3,}")
# How far up a code cell is looked for: what is further away says little.
_MOST_CELLS = 200


class CodeCellWithoutCode(CellRule):
    code = "MSG401"
    name = "code-cell-without-code"
    severity = Severity.WARNING
    texts = {
        "message": "code cell `{id}` has no code: add a fenced block",
        "fix.wrap": "Wrap the content in a fenced block",
        "fix.insert": "Insert a fenced block",
    }
    roles = (CellRole.CODE,)

    def check(self, subject: Subject) -> Iterable[Problem]:
        """On the type, which says that there is code."""
        if subject.cell.fences:
            return ()
        definition = reported_definition(subject)
        if definition is None or definition.type_span is None:
            return ()
        return (problem_at(self, subject, definition.type_span, id=subject.cell.id or ""),)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        placed = cell_of(document, problem)
        newline = document.newline
        language = _likely_language(document, placed)
        content = mapped_content(document, placed)
        if not content.text:
            yield Fix.of("fix.insert", _insert(placed, language, newline))
            return
        span = content.in_cell(Span(0, len(content.text)))
        cell = placed.cell
        if any(span.covers(definition.span) for definition in cell.definitions):
            return  # Inside a fence that definition would not be seen.
        longest = max((len(run) for run in _BACKTICKS.findall(content.text)), default=2)
        fence = "`" * (longest + 1)
        base = placed.start_offset
        edits = [Edit(Span(at, at + 1), "") for at in escape_offsets(cell)]
        edits.append(Edit(Span(span.start, span.start), f"{fence}{language}{newline}"))
        edits.append(Edit(Span(span.end, span.end), f"{newline}{fence}"))
        yield Fix.of(
            "fix.wrap", *[Edit(edit.span.shift(base), edit.text) for edit in sorted(edits)]
        )


def _insert(placed: Placed, language: str, newline: str) -> Edit:
    """An empty block below the definition, or below the header where that is elsewhere."""
    cell = placed.cell
    home = own_home(cell)
    above = cell.body if cell.header is None else cell.header.span
    at = above.end if home is None else home.span.end
    at_end = not cell.text[at:].strip(" \t")
    block = f"{newline}{newline}```{language}{newline}```{newline if at_end else ''}"
    return Edit(Span(at, at).shift(placed.start_offset), block)


def _likely_language(document: Document, placed: Placed) -> str:
    for entry in document.entries("child", placed.cell.id or ""):
        run = meaning_of(document, document.cell(entry.label))
        if run.role is CellRole.RUN and run.type:
            return run.type
    number = document.number_of(placed.label)
    for above in range(number - 1, max(number - _MOST_CELLS, 0) - 1, -1):
        other = meaning_of(document, document.cell_number(above))
        block = other.cell.code_block if other.role is CellRole.CODE else None
        if block is not None:
            return block.info.of(other.cell.text).partition(" ")[0]
    return ""

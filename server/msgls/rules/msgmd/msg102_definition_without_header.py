"""A definition belongs to a cell that does not exist.

## What it does
Looks for lines `[^id]: [type] key=value …` whose id no header has. A line counts only
if all that follows `[type]` reads as attributes, so an ordinary footnote such as `[^1]:
[Smith] The origin of ideas` is not reported. Neither is a bare `[^1]: [sic]` that the
text refers to, nor anything before the first cell. A reference in a title does not
count: `# %% Title [^q1] more` may be what is left of the header.

## Why it matters
Such a line is left over from a cell whose header was deleted or renamed. It has no
effect as a definition, and the model reads it as part of the message around it. Only
what hides a cell still counts where the line stands right below a header: its id may be
a slip.

## Example
```markdown
# %%% The answer[^a1]

[^a1]: [assistant]

Forty-two.

[^a2]: [assistant] time="2025-05-30T00:00:00+08:00"
```
Use instead:
```markdown
# %%% The answer[^a1]

[^a1]: [assistant]

Forty-two.
```

## Fix safety
Not safe: the line is removed, becomes the definition of the header above it, or starts
a new cell. All of them change what the model reads.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import remove_line
from msgls.formats.msgmd.meaning import MESSAGE_TYPES, definition_of
from msgls.rules.base import Family, FamilyRule, Fix, Problem, Severity
from msgls.rules.definitions import definition_at
from msgls.rules.msgmd.ids import give_id, is_claimed
from msgls.rules.topics import FamilyTopic
from msgls.syntax.cells import CellKind, Definition
from msgls.text.lines import count_breaks
from msgls.text.spans import Edit, Span


class DefinitionWithoutHeader(FamilyRule):
    code = "MSG102"
    name = "definition-without-header"
    severity = Severity.WARNING
    texts = {
        "message": "this line defines `{id}`, but no cell has that id",
        "fix.rename": "Change the id to `{id}`, so that it defines the header above",
        "fix.header": "Add `[^{id}]` to the header above",
        "fix.remove": "Remove the line",
        "fix.cell": "Start a cell `{id}` here",
    }
    wants = FamilyTopic.HEADLESS

    def check(self, family: Family) -> Iterator[Problem]:
        document = family.document
        for cell_id in family.ids:
            if document.entries("header", cell_id) or not document.entries("definition", cell_id):
                continue
            for placed, definition in family.definitions(cell_id):
                if placed.cell.kind is CellKind.PREAMBLE or is_claimed(document, definition):
                    continue
                yield self.problem(placed.label, definition.span, id=cell_id)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        definition, placed = definition_at(document, problem)
        yield from _give_to_header(document, placed, definition)
        line = remove_line(placed.cell.text, *definition.span).shift(placed.start_offset)
        yield Fix.of("fix.remove", Edit(line, ""))
        header = _header_for(document, placed, definition)
        at = placed.start_offset + definition.span.start
        yield Fix.of("fix.cell", Edit(Span(at, at), header), id=definition.id.text)


def _give_to_header(document: Document, placed: Placed, definition: Definition) -> Iterator[Fix]:
    """The line is where the definition of the header above belongs, and that has none."""
    header = placed.cell.header
    if header is None or placed.cell.home != definition:
        return
    if header.id is None:
        edit = give_id(placed, definition.id.text)
        yield Fix.of("fix.header", edit, id=definition.id.text)
    elif definition_of(document, placed) is None:
        span = definition.id.span.shift(placed.start_offset)
        yield Fix.of("fix.rename", Edit(span, header.id.text), id=header.id.text)


def _header_for(document: Document, placed: Placed, definition: Definition) -> str:
    """The header that the definition lacks, set apart from the line above it."""
    newline = document.newline
    above = placed.cell.text[: definition.span.start]
    is_apart = count_breaks(above[len(above.rstrip(" \t\r\n")) :]) > 1 or not above
    percents = "%%" if definition.type in MESSAGE_TYPES else "%%%"
    gap = "" if is_apart else newline
    return f"{gap}# {percents} [^{definition.id.text}]{newline}{newline}"

"""The file names a section for its conversation, but has no such heading.

## What it does
In a plain `.md` whose frontmatter has `message_section`, looks for the heading with
that text: of any level, with `#` or underlined, ignoring case, emphasis and spaces.
`true`, or no value at all, means `Discussion`, or what the setting `section` says. If a
heading has a similar text, the message names it.

## Why it matters
Cells are recorded below that heading and nowhere else. Without it, the file contains no
conversation at all.

## Example
```markdown
---
message_section: Discussion
---

# The age of the universe
```
Use instead:
```markdown
---
message_section: Discussion
---

# The age of the universe

## Discussion
```

## Fix safety
Appending the heading is safe if the file has no cells and no heading with a similar
text: nothing is recorded before or after it. Otherwise no fix is safe: correcting a
heading, or inserting one before the first cell, makes cells part of the conversation,
and a heading at the end leaves them outside.
"""

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd import MSGMD
from msgls.formats.msgmd.cells import fold_heading
from msgls.formats.msgmd.edits import blank_line_after, is_open
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.formats.msgmd.section import PlacedHeading, section_headings, section_name
from msgls.rules.base import DocumentRule, Fix, Problem, Severity
from msgls.syntax.cells import CellKind
from msgls.text.similar import closest
from msgls.text.spans import Edit, Span


class MissingSection(DocumentRule):
    code = "MSG501"
    name = "missing-section"
    severity = Severity.ERROR
    texts = {
        "message": "there is no heading `{name}`: without it, nothing is recorded",
        "message.near": (
            "there is no heading `{name}`, so nothing is recorded: did you mean `{near}`?"
        ),
        "fix.correct": "Change the heading `{near}` to `{name}`",
        "fix.before": "Insert the heading `{name}` before the first cell",
        "fix.append": "Append the heading `{name}`",
    }
    on_cells = True
    depends = ("heading",)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        document = snapshot.document
        name = section_name(document)
        if name is None or section_headings(document):
            return
        frontmatter, first = frontmatter_of(document), document.first_cell()
        if frontmatter is not None and frontmatter.message_section_span and first is not None:
            near = next(_misspelt(document, name), None)
            key, args = "message", {"name": name}
            if near is not None:
                key, args = "message.near", {"name": name, "near": near.heading.text}
            yield self.problem(first.label, frontmatter.message_section_span, key, **args)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        name = problem.args["name"]
        near = list(_misspelt(document, name))
        for found in near:
            span = found.heading.text_span.shift(found.placed.start_offset)
            yield Fix.of("fix.correct", Edit(span, name), name=name, near=found.heading.text)
        newline = document.newline
        heading = ("##" if document.entries("level", "1") else "#") + " " + name + newline
        if not _is_heading_of(heading, name):
            return
        first = next((p for p in document.cells() if p.cell.kind is not CellKind.PREAMBLE), None)
        if first is not None:
            at = Span(first.start_offset, first.start_offset)
            yield Fix.of("fix.before", Edit(at, heading + newline), name=name)
        last = document.cell_number(document.cell_count - 1)
        if is_open(last.cell):
            return
        at = Span(last.span.end, last.span.end)
        apart = blank_line_after(last.cell.text, newline)
        yield Fix.of(
            "fix.append", Edit(at, apart + heading), safe=first is None and not near, name=name
        )


def _misspelt(document: Document, name: str) -> Iterator[PlacedHeading]:
    """The headings that are nearly called ``name``, the likeliest first."""
    folded = fold_heading(name)
    first = {
        text: document.entries("heading", text)[0].label for text in document.index.names("heading")
    }
    # Of equally near ones, the first in the document; the index has them in the order of edits.
    known = sorted([text for text in first if text], key=lambda text: (first[text], text))
    for text in closest(folded, known, limit=2):
        placed = document.cell(first[text])
        for heading in placed.cell.headings:
            if fold_heading(heading.text) == text:
                yield PlacedHeading(heading, placed)
                break


def _is_heading_of(line: str, name: str) -> bool:
    """Whether that line says that name: not where it breaks, or ends in what closes a heading."""
    first = Document.open("", line, MSGMD).first_cell()
    headings = () if first is None else first.cell.headings
    return [fold_heading(heading.text) for heading in headings] == [fold_heading(name)]

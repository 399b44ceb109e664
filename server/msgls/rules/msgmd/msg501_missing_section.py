"""The file names a section for its conversation, and has no such heading.

## What it does
In a plain `.md` whose frontmatter has `message_section`, looks for the heading with
that text: any level, `#` or underlined, in any case. `true` means `Discussion`, or what the
setting `section` says.

## Why it matters
Cells are recorded below that heading and nowhere else. Without it, the file holds no
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
Appending the heading is safe where the file has no cells: nothing is recorded before or
after it. Where cells are in the file, neither fix is safe: the heading before the first of
them makes them part of the conversation, and the heading at the end leaves them outside.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.formats.msgmd import MSGMD, SectionedMessageFile
from msgls.formats.msgmd.cells import fold_heading
from msgls.formats.msgmd.edits import blank_line_after, is_open, line_break_of
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.formats.msgmd.section import section_headings, section_name
from msgls.model.cells import CellKind
from msgls.rules.base import DocumentRule, Fix, Problem, Severity, Surroundings
from msgls.text.spans import Edit, Span


class MissingSection(DocumentRule):
    """See the module."""

    code = "MSG501"
    name = "missing-section"
    severity = Severity.ERROR
    on_cells = True

    def check(self, document: Document, surroundings: Surroundings) -> Iterator[Problem]:
        """The name in the frontmatter, where no heading has it."""
        if not isinstance(document.format, SectionedMessageFile):
            return
        name = section_name(document)
        if name is None or section_headings(document):
            return
        frontmatter, first = frontmatter_of(document), document.first_cell()
        if frontmatter is not None and frontmatter.message_section_span and first is not None:
            yield self.problem(first.order, frontmatter.message_section_span, name=name)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Put the heading before the first cell, or at the end of the file."""
        name = problem.args["name"]
        newline = line_break_of(document)
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
        yield Fix.of("fix.append", Edit(at, apart + heading), safe=first is None, name=name)


def _is_heading_of(line: str, name: str) -> bool:
    """Whether that line says that name: not where it breaks, or ends in what closes a heading."""
    first = Document.open("", line, MSGMD).first_cell()
    headings = () if first is None else first.cell.headings
    return [fold_heading(heading.text) for heading in headings] == [fold_heading(name)]

"""The heading of the section that holds the conversation occurs twice.

## What it does
In a plain `.md` with a section for its conversation, looks for a second heading with the
section's name. A heading inside a cell of the section is content, and fine, where it is
deeper than the section's own or than the marker of its cell.

## Why it matters
The first heading is used. Programs that look for the last one write to another place
than the one that is read.

## Example
```markdown
## Discussion

# %% How old is the universe?[^q1]

# Discussion

# %% And how do we know?[^q2]
```
Use instead:
```markdown
## Discussion

# %% How old is the universe?[^q1]

# %% And how do we know?[^q2]
```

## Fix safety
There is no fix: which of the two is meant, only the author knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd import SectionedMessageFile
from msgls.formats.msgmd.section import is_section_like, section_headings
from msgls.rules.base import DocumentRule, Problem, Related, Severity


class DuplicateSection(DocumentRule):
    """See the module."""

    code = "MSG504"
    name = "duplicate-section"
    severity = Severity.ERROR
    texts = {
        "message": "duplicate section `{name}`: the first one is used",
        "related": "the section `{name}` starts here",
    }
    on_cells = True

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        """Each heading of that name but the first."""
        document = snapshot.document
        if not isinstance(document.format, SectionedMessageFile):
            return
        headings = section_headings(document)
        if len(headings) < 2:
            return
        first = headings[0]
        args = {"name": first.heading.text}
        related = (Related(first.placed.order, first.heading.span, "related", args),)
        for heading in headings[1:]:
            is_recorded = heading.placed.order > first.placed.order
            if is_recorded and not is_section_like(heading.placed, heading.heading.level, first):
                continue
            order, span = heading.placed.order, heading.heading.span
            yield Problem(self.code, order, span, "message", args, related)

"""The heading of the section that holds the conversation occurs twice.

## What it does
In a plain `.md` with a section for its conversation, looks for a second heading with
the section's name. A heading inside a cell of the section is content, and fine, if it
is deeper than the section's heading or than the cell's marker.

## Why it matters
The first heading is used. A program that looks for the last one writes to another place
than the one that is read.

## Example
```markdown
## Discussion

# %% A question[^q1]

[^q1]: [markdown]

How old is the universe?

# Discussion

# %% Another question[^q2]

[^q2]: [markdown]

And how do we know?
```
Use instead:
```markdown
## Discussion

# %% A question[^q1]

[^q1]: [markdown]

How old is the universe?

# %% Another question[^q2]

[^q2]: [markdown]

And how do we know?
```

## Fix safety
There is no fix: only the author knows which of the two is meant.
"""

from collections.abc import Iterator

from msgls.document.snapshot import Snapshot
from msgls.formats.msgmd.section import is_section_like, section_headings
from msgls.rules.base import DocumentRule, Problem, Related, Severity


class DuplicateSection(DocumentRule):
    code = "MSG504"
    name = "duplicate-section"
    severity = Severity.ERROR
    texts = {
        "message": "duplicate section `{name}`: the first one is used",
        "related": "the section `{name}` starts here",
    }
    on_cells = True
    depends = ("heading",)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        document = snapshot.document
        headings = section_headings(document)
        if len(headings) < 2:
            return
        first = headings[0]
        args = {"name": first.heading.text}
        related = (Related(first.placed.label, first.heading.span, "related", args),)
        for heading in headings[1:]:
            is_recorded = heading.placed.label > first.placed.label
            if is_recorded and not is_section_like(heading.placed, heading.heading.level, first):
                continue
            label, span = heading.placed.label, heading.heading.span
            yield Problem(self.code, label, span, "message", args, related)

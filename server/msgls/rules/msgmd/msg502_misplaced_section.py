"""The section that holds the conversation is not the last one.

## What it does
In a plain `.md` with a section for its conversation, looks for headings behind that
section's own heading that are of the same or a higher level and are no cell markers.

## Why it matters
Programs append to the section, and so to the end of the file. A heading of the same
level ends the section: what stands below it is not recorded. Inside an answer such a
heading is read as part of the answer, but every Markdown viewer shows it as the start of
another section.

## Example
```markdown
## Discussion

# %% How old is the universe?[^q1]

## Literature
```
Use instead:
```markdown
## Literature

## Discussion

# %% How old is the universe?[^q1]
```

## Fix safety
Not safe. Where no cell follows the heading, the section moves to the end of the file;
where cells follow, the heading is made deeper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from msgls.document.document import Document
from msgls.formats.msgmd import SectionedMessageFile
from msgls.formats.msgmd.edits import blank_line_after, is_open, line_break_of
from msgls.formats.msgmd.section import (
    PlacedHeading,
    count_headings_behind,
    headings_behind,
    section_headings,
)
from msgls.rules.base import DocumentRule, Fix, Problem, Related, Severity, Surroundings
from msgls.text.spans import Edit, Span, apply_edits

_DEEPEST = 6
# The message tells how many there are; a list of thousands helps nobody.
_MOST_RELATED = 20


class MisplacedSection(DocumentRule):
    """See the module."""

    code = "MSG502"
    name = "misplaced-section"
    severity = Severity.ERROR
    on_cells = True

    def check(self, document: Document, surroundings: Surroundings) -> Iterator[Problem]:
        """The section's own heading, where others follow."""
        if not isinstance(document.format, SectionedMessageFile):
            return
        headings = section_headings(document)
        if not headings:
            return
        section = headings[0]
        behind = list(islice(headings_behind(document, section), _MOST_RELATED))
        if not behind:
            return
        count = count_headings_behind(document, section)
        last = document.cell_number(document.cell_count - 1).order
        related = tuple(
            Related(
                follower.placed.order,
                follower.heading.span,
                "related.end" if follower.placed.order == last else "related.inside",
            )
            for follower in behind
        )
        args = {
            "name": section.heading.text,
            "heading": behind[0].heading.text,
            "count": str(count),
        }
        key = "message.one" if count == 1 else "message.many"
        order, span = section.placed.order, section.heading.span
        yield Problem(self.code, order, span, key, args, related)

    def fixes(
        self, document: Document, problem: Problem, surroundings: Surroundings
    ) -> Iterator[Fix]:
        """Deepen what stands in cells, and move the section behind the rest."""
        section = section_headings(document)[0]
        behind = list(headings_behind(document, section))
        last = document.cell_number(document.cell_count - 1)
        inside = [follower for follower in behind if follower.placed.order != last.order]
        trailing = [follower for follower in behind if follower.placed.order == last.order]
        if inside and section.heading.level == _DEEPEST:
            return
        edits = list(_deepened(inside, section.heading.level))
        if not trailing:
            yield Fix.of("fix.deepen" if len(inside) == 1 else "fix.deepen.many", *edits)
        elif not is_open(last.cell):
            moved = Span(section.span.start, trailing[0].span.start)
            text = apply_edits(
                document.store.slice(moved),
                [Edit(edit.span.shift(-moved.start), edit.text) for edit in edits],
            )
            newline = line_break_of(document)
            at = Span(last.span.end, last.span.end)
            apart = blank_line_after(last.cell.text, newline)
            appended = apart + text.rstrip(" \t\r\n") + newline
            above = section.placed.cell.text[: section.heading.span.start]
            closed_up = Edit(moved, blank_line_after(above, newline))
            yield Fix.of("fix.move", closed_up, Edit(at, appended), name=section.heading.text)


def _deepened(followers: Iterable[PlacedHeading], level: int) -> Iterator[Edit]:
    """Each one below ``level``; those of one cell keep their ranks among themselves."""
    highest: dict[int, int] = {}
    followers = list(followers)
    for follower in followers:
        order = follower.placed.order
        highest[order] = min(highest.get(order, _DEEPEST), follower.heading.level)
    for follower in followers:
        heading, base = follower.heading, follower.placed.start_offset
        more = level + 1 - highest[follower.placed.order]
        hashes = "#" * min(heading.level + more, _DEEPEST)
        if heading.setext:
            yield Edit(heading.span.shift(base), f"{hashes} {heading.text}")
        else:
            text = follower.placed.cell.text
            start = text.index("#", heading.span.start)
            yield Edit(Span(start, start + heading.level).shift(base), hashes)

"""A heading in the section that holds the conversation looks like a separate section.

## What it does
In a plain `.md` with a section for its conversation, looks for headings after that
section's own heading that are not deeper than it. In a cell, a heading that is deeper
than the cell's marker is a part of the cell, and not a problem, as `## Step 1` below `#
%%% Answer`. The problem is reported once, on the section's own heading, and the
headings that follow are shown as related.

## Why it matters
Programs append to the section, and so to the end of the file: it must be the last one.
From the first cell on, all of the file is recorded, so nothing in a cell is lost; but
every Markdown viewer shows such a heading as the start of another section, and what
follows it may have been meant as one. That is a warning. Before the first cell, the
heading says that the section has ended: that is an error.

## Example
```markdown
## Discussion

## Literature
```
Use instead:
```markdown
## Literature

## Discussion
```

## Fix safety
Not safe: only the author knows what the heading is. In a cell, one fix makes it deeper
than the cell's marker, and the other moves it, with all that follows in the cell,
before the section. Before the first cell, the fix moves the section's heading to just
before its cells, or to the end of the file.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Placed
from msgls.formats.msgmd.edits import blank_line_after, is_open
from msgls.formats.msgmd.section import (
    PlacedHeading,
    count_headings_after,
    deepened,
    headings_after,
    section_headings,
)
from msgls.rules.base import DocumentRule, Fix, Problem, Related, Severity
from msgls.text.spans import Edit, Span

# The message says how many there are, so a list of thousands would not help.
_MOST_RELATED = 20


class MisplacedSection(DocumentRule):
    code = "MSG502"
    name = "misplaced-section"
    severity = Severity.ERROR
    texts = {
        "message.one": (
            "the section `{name}` must be the last, but the heading `{heading}` follows"
        ),
        "message.many": (
            "the section `{name}` must be the last, but {count} headings follow, starting with "
            "`{heading}`"
        ),
        "message.inside.one": (
            "the heading `{heading}` in a cell of the section `{name}` looks like a separate "
            "section"
        ),
        "message.inside.many": (
            "{count} headings in cells of the section `{name}` look like separate sections, "
            "starting with `{heading}`"
        ),
        "related.inside": "this heading is not deeper than the marker of its cell",
        "related.before": "this heading comes before any cell",
        "fix.move": "Move the section `{name}` to the end of the file",
        "fix.move.cells": "Move the heading `{name}` to just before its first cell",
        "fix.deepen": "`{heading}` is part of the cell: make it deeper than the cell's marker",
        "fix.deepen.many": "They are parts of the cells: make them deeper than the cells' markers",
        "fix.out": "`{heading}` is a separate section: move it before `{name}`",
        "fix.out.many": "They are separate sections: move them before `{name}`",
    }
    on_cells = True
    depends = ("heading",)

    def check(self, snapshot: Snapshot) -> Iterator[Problem]:
        document = snapshot.document
        section = next(iter(section_headings(document)), None)
        after = [] if section is None else list(_some_after(document, section))
        if section is None or not after:
            return
        count = count_headings_after(document, section)
        related = tuple(
            Related(
                follower.placed.label,
                follower.heading.span,
                "related.before" if _is_before_cells(follower, section) else "related.inside",
                has_fixes=True,
            )
            for follower in after
        )
        args = {
            "name": section.heading.text,
            "heading": after[0].heading.text,
            "count": str(count),
        }
        is_plain = _is_before_cells(after[0], section)
        key = ("message" if is_plain else "message.inside") + (".one" if count == 1 else ".many")
        severity = None if is_plain else Severity.WARNING
        label, span = section.placed.label, section.heading.span
        yield Problem(self.code, label, span, key, args, related, severity=severity)

    def fixes(self, snapshot: Snapshot, problem: Problem) -> Iterator[Fix]:
        document = snapshot.document
        section = section_headings(document)[0]
        after = list(headings_after(document, section))
        if _is_before_cells(after[0], section):
            yield from _moved_section(document, section, after[0])
        inside = [follower for follower in after if not _is_before_cells(follower, section)]
        if not inside or any(is_open(follower.placed.cell) for follower in inside):
            return
        one = len(inside) == 1
        key = "fix.deepen" if one else "fix.deepen.many"
        heading = inside[0].heading.text
        deeper = [edit for placed, _ in _by_cell(inside) for edit in deepened(placed)]
        yield Fix.of(key, *deeper, heading=heading)
        key = "fix.out" if one else "fix.out.many"
        moved = _moved_out(document, section, inside)
        yield Fix.of(key, *moved, heading=heading, name=section.heading.text)


def _some_after(document: Document, section: PlacedHeading) -> Iterator[PlacedHeading]:
    return islice(headings_after(document, section), _MOST_RELATED)


def _is_before_cells(follower: PlacedHeading, section: PlacedHeading) -> bool:
    """Whether it is between the section's heading and the first recorded cell."""
    return follower.placed.label == section.placed.label


def _moved_section(
    document: Document, section: PlacedHeading, first: PlacedHeading
) -> Iterator[Fix]:
    """The section's heading and its words, right before its cells or at the end of the file."""
    if is_open(section.placed.cell):
        return
    newline = document.newline
    moved = Span(section.span.start, first.span.start)
    text = document.store.slice(moved).rstrip(" \t\r\n") + newline
    at = section.placed.span.end
    above = section.placed.cell.text[: section.heading.span.start]
    closed_up = Edit(moved, blank_line_after(above, newline))
    apart = blank_line_after(section.placed.cell.text, newline)
    is_end = at == len(document.store)
    appended = Edit(Span(at, at), apart + text + ("" if is_end else newline))
    key = "fix.move" if is_end else "fix.move.cells"
    yield Fix.of(key, closed_up, appended, name=section.heading.text)


def _moved_out(
    document: Document, section: PlacedHeading, followers: Sequence[PlacedHeading]
) -> Iterator[Edit]:
    """From the first such heading of each cell to the cell's end, before the section."""
    newline = document.newline
    texts: list[str] = []
    taken: list[Edit] = []
    for placed, several in _by_cell(followers):
        start = several[0].heading.span.start
        texts.append(placed.cell.text[start:].rstrip(" \t\r\n") + newline + newline)
        above = placed.cell.text[:start]
        gap = "" if placed.span.end == len(document.store) else blank_line_after(above, newline)
        taken.append(Edit(Span(start, placed.cell.length).shift(placed.start_offset), gap))
    at = section.span.start
    yield Edit(Span(at, at), "".join(texts))
    yield from taken


def _by_cell(followers: Iterable[PlacedHeading]) -> Iterator[tuple[Placed, list[PlacedHeading]]]:
    for _, several in groupby(followers, key=lambda follower: follower.placed.label):
        found = list(several)
        yield found[0].placed, found

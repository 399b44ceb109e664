"""The record of a plain Markdown file: the section that its frontmatter names.

Owns the answer to "what of this file is conversation". In a ``.msg.md`` all of
it is.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby
from typing import NamedTuple

from msgls.formats.base import Entry, Placed, View
from msgls.formats.msgmd import SectionedMessageFile
from msgls.formats.msgmd.cells import fold_heading
from msgls.formats.msgmd.meaning import frontmatter_of
from msgls.syntax.cells import CellKind, Heading
from msgls.text.spans import Edit, Span

_DEEPEST = 6


class PlacedHeading(NamedTuple):
    """A heading and the cell that it stands in."""

    heading: Heading
    placed: Placed

    @property
    def span(self) -> Span:
        """Where the heading is, absolute."""
        return self.heading.span.shift(self.placed.start_offset)


class Section(NamedTuple):
    """The section of a file that records a conversation."""

    name: str
    headings: tuple[PlacedHeading, ...]
    """Every heading with that name; the first one counts."""
    followers: tuple[PlacedHeading, ...]
    """Headings after it that look like sections of their own: they misplace it."""
    record: Span
    """What is recorded; empty where there is no such heading.

    From the first cell on all of it is, whatever headings stand in the cells. A section without
    cells ends where the next one begins.
    """


def section_of(view: View) -> Section | None:
    """The section of an activated plain file; nothing for any other."""
    name = section_name(view)
    if name is None:
        return None
    headings = tuple(_headings(view, name))
    last_marker, end = _bounds(view)
    if not headings:
        return Section(name, (), (), Span(end, end))
    first = headings[0]
    followers = tuple(headings_after(view, first))
    if followers and last_marker < first.span.start:
        end = followers[0].span.start
    return Section(name, headings, followers, Span(first.span.end, end))


def _headings(view: View, name: str) -> list[PlacedHeading]:
    wanted = fold_heading(name)
    found = []
    for entry in view.entries("heading", wanted):
        placed = view.cell(entry.label)
        found += [
            PlacedHeading(heading, placed)
            for heading in placed.cell.headings
            if fold_heading(heading.text) == wanted
        ]
    return found


def section_name(view: View) -> str | None:
    """The name of the section that an activated plain file records in; nothing for any other."""
    format = view.format
    if not isinstance(format, SectionedMessageFile):
        return None
    frontmatter = frontmatter_of(view)
    if frontmatter is None:
        return None
    named = frontmatter.message_section
    return format.default_section or named if frontmatter.names_no_section else named


def section_headings(view: View) -> list[PlacedHeading]:
    """Every heading with the section's name, in order; the first one counts."""
    name = section_name(view)
    return [] if name is None else _headings(view, name)


def section_label(view: View) -> int:
    """The label of the cell that holds the section's heading: cells up to there are outside.

    Below every label where the whole file is the record. Where the heading is missing too:
    that is one mistake of the file, not one of each cell.
    """
    name = section_name(view)
    entries = () if name is None else view.entries("heading", fold_heading(name))
    return entries[0].label if entries else -1


def headings_after(view: View, section: PlacedHeading) -> Iterator[PlacedHeading]:
    """Headings after the section's own that look like sections of their own, in order.

    Those are not deeper than the section's heading, nor than the marker of their cell. One at a
    time: answers of a long conversation may hold thousands of them.
    """
    yield from _in_own_cell(section)
    wanted = fold_heading(section.heading.text)
    levels = [_levels_after(view, section.placed.label, level) for level in _levels(section)]
    labels = (entry.label for entry in merge(*levels, key=lambda entry: entry.label))
    for label, _ in groupby(labels):
        placed = view.cell(label)
        header = placed.cell.header
        most = section.heading.level if header is None else min(section.heading.level, header.depth)
        for heading in placed.cell.headings:
            if heading.level <= most and fold_heading(heading.text) != wanted:
                yield PlacedHeading(heading, placed)


def deepened(placed: Placed) -> Iterator[Edit]:
    """Edits that make all headings of a cell deeper than its marker, in the ranks that they have.

    None where they are deeper already.
    """
    header, headings = placed.cell.header, placed.cell.headings
    depth = 0 if header is None else header.depth
    more = depth + 1 - min([heading.level for heading in headings], default=_DEEPEST)
    for heading in headings if more > 0 else ():
        hashes = "#" * min(heading.level + more, _DEEPEST)
        span = heading.span.shift(placed.start_offset)
        if heading.setext:
            yield Edit(span, f"{hashes} {heading.text}")
        else:
            start = placed.cell.text.index("#", heading.span.start)
            yield Edit(Span(start, start + heading.level).shift(placed.start_offset), hashes)


def _in_own_cell(section: PlacedHeading) -> Iterator[PlacedHeading]:
    """Those before the first cell of the section: of its cell, only what is above counts."""
    wanted = fold_heading(section.heading.text)
    for heading in section.placed.cell.headings:
        is_after = heading.span.start >= section.heading.span.end
        is_like = heading.level <= section.heading.level
        if is_after and is_like and fold_heading(heading.text) != wanted:
            yield PlacedHeading(heading, section.placed)


def count_headings_after(view: View, section: PlacedHeading) -> int:
    """How many headings ``headings_after`` would find, without a look at the cells."""
    own = section.placed.label
    count = sum(1 for _ in _in_own_cell(section))
    for level in _levels(section):
        count += sum(len(entry.payloads) for entry in _levels_after(view, own, level))
    same = view.entries("heading", fold_heading(section.heading.text))
    for entry in same[bisect_right(same, own, key=lambda entry: entry.label) :]:
        placed = view.cell(entry.label)
        count -= sum(is_section_like(placed, level, section) for level in entry.payloads)
    return count


def is_section_like(placed: Placed, level: object, section: PlacedHeading) -> bool:
    """Whether a heading of that level in a recorded cell looks like a section of its own."""
    header = placed.cell.header
    return level in _levels(section) and (header is None or level in range(header.depth + 1))


def _levels(section: PlacedHeading) -> range:
    return range(1, section.heading.level + 1)


def _levels_after(view: View, label: int, level: int) -> Sequence[Entry]:
    """The cells after that label with such headings that are not deeper than their markers."""
    entries = view.entries("level", str(level))
    return entries[bisect_right(entries, label, key=lambda entry: entry.label) :]


def _bounds(view: View) -> tuple[int, int]:
    """Where the last cell starts (before the text where there is none), and the text's end."""
    start, end = -1, 0
    for placed in view.cells():
        end = placed.span.end
        if placed.cell.kind is not CellKind.PREAMBLE:
            start = placed.start_offset
    return start, end

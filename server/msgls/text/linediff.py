"""Which lines of two texts are the same, in nearly linear time.

Lines that are exactly once in both texts are anchors (patience diff); what lies between
two anchors is short, and difflib compares that. difflib alone takes the square of the
number of differences.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from typing import NamedTuple

from msgls.text.lines import line_starts
from msgls.text.spans import Edit, difference

# A longer stretch without an anchor counts as replaced: a diff of it would not be readable.
_LONGEST_GAP = 4_000


class Block(NamedTuple):
    """``size`` equal lines, from ``a`` on in the one text and from ``b`` on in the other."""

    a: int
    b: int
    size: int


def matching_blocks(a: Sequence[str], b: Sequence[str]) -> list[Block]:
    """The runs of lines that both texts have, in order and not empty."""
    blocks: list[Block] = []
    at_a = at_b = 0
    for anchor_a, anchor_b in [*_anchors(a, b), (len(a), len(b))]:
        for block in _gap(a, b, at_a, anchor_a, at_b, anchor_b):
            _add(blocks, block)
        if anchor_a < len(a):
            _add(blocks, Block(anchor_a, anchor_b, 1))
        at_a, at_b = anchor_a + 1, anchor_b + 1
    return blocks


def line_edits(before: str, after: str) -> list[Edit]:
    """The edits that turn one text into another, line by line, in order."""
    (start, end), _ = difference(before, after)
    # Whole lines: what they have in common says more than common letters.
    start = before.rfind("\n", 0, start) + 1
    cut = before.find("\n", end) + 1 or len(before)
    a, b = (
        split_lines(before[start:cut]),
        split_lines(after[start : len(after) - (len(before) - cut)]),
    )
    places = [start, *[start + length for length in accumulate(map(len, a))]]
    edits = []
    for change in _changes(a, b):
        lines = "".join(b[change.b_start : change.b_end])
        place = places[change.a_start]
        span, text = difference(before[place : places[change.a_end]], lines)
        edits.append(Edit(span.shift(place), text))
    return edits


def unified_diff(a: Sequence[str], b: Sequence[str], path: str, context: int = 3) -> Iterator[str]:
    """The lines of a unified diff; each but the headings ends as its line does."""
    for number, hunk in enumerate(_hunks(list(_changes(a, b)), 2 * context)):
        if not number:
            yield f"--- {path}\n+++ {path}\n"
        first, last = hunk[0], hunk[-1]
        before = min(context, first.a_start)
        after = min(context, len(a) - last.a_end)
        old = _range(first.a_start - before, last.a_end + after)
        new = _range(first.b_start - before, last.b_end + after)
        yield f"@@ -{old} +{new} @@\n"
        at = first.a_start - before
        for change in hunk:
            yield from (" " + line for line in a[at : change.a_start])
            yield from ("-" + line for line in a[change.a_start : change.a_end])
            yield from ("+" + line for line in b[change.b_start : change.b_end])
            at = change.a_end
        yield from (" " + line for line in a[at : at + after])


class _Change(NamedTuple):
    """Lines that are others in the other text."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int


def _changes(a: Sequence[str], b: Sequence[str]) -> Iterator[_Change]:
    at_a = at_b = 0
    for block in [*matching_blocks(a, b), Block(len(a), len(b), 0)]:
        if (at_a, at_b) != (block.a, block.b):
            yield _Change(at_a, block.a, at_b, block.b)
        at_a, at_b = block.a + block.size, block.b + block.size


def _hunks(changes: Sequence[_Change], most: int) -> list[list[_Change]]:
    """Changes with at most so many equal lines between them, together."""
    hunks: list[list[_Change]] = []
    for change in changes:
        if hunks and change.a_start - hunks[-1][-1].a_end <= most:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _range(start: int, end: int) -> str:
    """A range of lines as a unified diff names it."""
    length = end - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """The longest run of lines that are unique in both texts and in the same order in both."""
    in_a, in_b = Counter(a), Counter(b)
    places_b = {line: number for number, line in enumerate(b) if in_b[line] == 1}
    pairs = [
        (n, places_b[line]) for n, line in enumerate(a) if in_a[line] == 1 and line in places_b
    ]
    # Patience sorting: each pile ends as low as it can, and knows what lay on top before it.
    tops: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        before.append(last[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            last.append(number)
        else:
            tops[pile], last[pile] = place, number
    chosen: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _gap(
    a: Sequence[str], b: Sequence[str], a_start: int, a_end: int, b_start: int, b_end: int
) -> Iterator[Block]:
    """The equal lines between two anchors."""
    while a_start < a_end and b_start < b_end and a[a_start] == b[b_start]:
        yield Block(a_start, b_start, 1)
        a_start, b_start = a_start + 1, b_start + 1
    tail = 0
    while (
        a_start < a_end - tail
        and b_start < b_end - tail
        and a[a_end - tail - 1] == b[b_end - tail - 1]
    ):
        tail += 1
    a_end, b_end = a_end - tail, b_end - tail
    if a_start < a_end and b_start < b_end and a_end - a_start + b_end - b_start <= _LONGEST_GAP:
        matcher = SequenceMatcher(None, a[a_start:a_end], b[b_start:b_end])
        for block in matcher.get_matching_blocks():
            yield Block(a_start + block.a, b_start + block.b, block.size)
    yield Block(a_end, b_end, tail)


def _add(blocks: list[Block], block: Block) -> None:
    """Append a block, joined with the last one where it continues that."""
    if not block.size:
        return
    last = blocks[-1] if blocks else None
    if last is not None and (last.a + last.size, last.b + last.size) == block[:2]:
        blocks[-1] = last._replace(size=last.size + block.size)
    else:
        blocks.append(block)


# -- Two texts that came from one, put together line by line.
# Owns the merge of lines: what one side changed is taken, what both changed in the same way
# is taken once, and what they changed differently is a conflict. Knows nothing of cells.

Lines = Sequence[str]


class Conflict(NamedTuple):
    """Lines that both sides changed, each in its own way."""

    ours: Lines
    theirs: Lines


class _Common(NamedTuple):
    """Lines that are in all three: where, and how many."""

    base: int
    ours: int
    theirs: int
    length: int


def split_lines(text: str) -> list[str]:
    """The lines of a text, each with its break."""
    starts = [*line_starts(text), len(text)]
    return [text[start:end] for start, end in pairwise(starts) if end > start]


def merge_lines(base: Lines, ours: Lines, theirs: Lines) -> Iterator[Lines | Conflict]:
    """Runs of merged lines, and the conflicts between them."""
    at_base = at_ours = at_theirs = 0
    for common in _common(base, ours, theirs):
        yield from _resolved(
            base[at_base : common.base],
            ours[at_ours : common.ours],
            theirs[at_theirs : common.theirs],
        )
        yield base[common.base : common.base + common.length]
        at_base = common.base + common.length
        at_ours = common.ours + common.length
        at_theirs = common.theirs + common.length


def written(
    merged: Iterable[Lines | Conflict], marker_size: int = 7, newline: str = "\n"
) -> tuple[str, int]:
    """The text with the usual markers around conflicts, and how many of those there are."""
    pieces: list[str] = []
    conflicts = 0
    for part in merged:
        if not isinstance(part, Conflict):
            pieces += [line for line in part if line]
            continue
        conflicts += 1
        if pieces and not pieces[-1].endswith(("\n", "\r")):
            pieces.append(newline)
        pieces += ["<" * marker_size, " ours", newline]
        pieces += [_ended("".join(part.ours), newline), "=" * marker_size, newline]
        pieces += [_ended("".join(part.theirs), newline), ">" * marker_size, " theirs", newline]
    return "".join(pieces), conflicts


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else text + newline


def _resolved(base: Lines, ours: Lines, theirs: Lines) -> Iterator[Lines | Conflict]:
    if ours == theirs or theirs == base:
        yield ours
        return
    if ours == base:
        yield theirs
        return
    # What both have at the start and at the end is not in conflict.
    shorter = min(len(ours), len(theirs))
    start = 0
    while start < shorter and ours[start] == theirs[start]:
        start += 1
    end = 0
    while end < shorter - start and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    yield ours[:start]
    yield Conflict(ours[start : len(ours) - end], theirs[start : len(theirs) - end])
    yield ours[len(ours) - end :]


def _common(base: Lines, ours: Lines, theirs: Lines) -> Iterator[_Common]:
    """The runs of lines that neither side touched, with an empty one at the end."""
    one, other = matching_blocks(base, ours), matching_blocks(base, theirs)
    at_one = at_other = 0
    while at_one < len(one) and at_other < len(other):
        (base_ours, in_ours, ours_count) = one[at_one]
        (base_theirs, in_theirs, theirs_count) = other[at_other]
        start = max(base_ours, base_theirs)
        end = min(base_ours + ours_count, base_theirs + theirs_count)
        if start < end:
            yield _Common(
                start, in_ours + start - base_ours, in_theirs + start - base_theirs, end - start
            )
        if base_ours + ours_count < base_theirs + theirs_count:
            at_one += 1
        else:
            at_other += 1
    yield _Common(len(base), len(ours), len(theirs), 0)

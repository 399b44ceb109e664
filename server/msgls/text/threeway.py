"""Two texts that came from one, put together line by line.

Owns the merge of lines: what one side changed is taken, what both changed in the same way
is taken once, and what they changed differently is a conflict. Knows nothing of cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgls.text.linediff import matching_blocks
from msgls.text.lines import line_starts

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
    # What both have at the start and at the end is no matter of dispute.
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

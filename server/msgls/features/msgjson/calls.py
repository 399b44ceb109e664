"""Tool calls: every place that names one, by run, and which of them belong together.

Owns what counts as the same call: the same id in the same run. A place that belongs to no
run goes with all of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from msgls.document.document import Document
from msgls.features.msgjson.reading import here_at, inside_quotes, json_cell, quoted, text_of
from msgls.formats.base import Entry, Placed
from msgls.formats.jsontree import Found, Path
from msgls.formats.msgjson.cells import TOOL_CALL, JsonCell, Spoken
from msgls.formats.msgjson.records import Mention, MentionKind
from msgls.text.spans import Span

CALLS = (MentionKind.START, MentionKind.PART)
RESULTS = (MentionKind.RESULT, MentionKind.LOOSE_RESULT)
ALL = tuple(MentionKind)


class Said(NamedTuple):
    """A mention of a tool call in its place."""

    order: int
    segment: int
    mention: Mention

    @property
    def gives(self) -> bool:
        """Whether the call is made here, and not only spoken of."""
        return self.mention.kind in CALLS


def said_at(document: Document, offset: int) -> Said | None:
    """The mention whose id, or the key of it, is at ``offset``."""
    here = here_at(document, offset)
    record = None if here is None else here.cell.segments[here.segment].record
    if here is None or record is None or not record.mentions:
        return None
    path = here.path
    if not _is_inside(here.cell.find(here.segment, path), here.at):
        return None
    for mention in record.mentions:
        if mention.path == path:
            return Said(here.placed.order, here.segment, mention)
    return None


def _is_inside(found: Found | None, at: int) -> bool:
    """Whether a place lies in what a path leads to: of two keys of a name that is the last."""
    if found is None or found.key_span is None:
        return False
    return found.key_span.start <= at <= found.value.span.end


def occurrences(
    document: Document, call: str, run: str | None, kinds: Collection[MentionKind] = ALL
) -> list[Said]:
    """Every place that names a call, in order, or those of some kinds."""
    return _said(document.entries(TOOL_CALL, call), run, kinds)


def nearest(document: Document, said: Said, furthest: int) -> list[Said]:
    """The places around one that name the same call, from so many cells on either side."""
    entries = document.entries(TOOL_CALL, said.mention.call)
    own = bisect_left(entries, said.order, key=lambda entry: entry.order)
    around = entries[max(own - furthest, 0) : own + furthest + 1]
    return _said(around, said.mention.run, ALL)


def _said(entries: Iterable[Entry], run: str | None, kinds: Collection[MentionKind]) -> list[Said]:
    return [
        Said(entry.order, spoken.segment, spoken.mention)
        for entry in entries
        for spoken in entry.payloads
        if isinstance(spoken, Spoken)
        and spoken.mention.kind in kinds
        and _is_same(spoken.mention.run, run)
    ]


def _is_same(run: str | None, other: str | None) -> bool:
    return run is None or other is None or run == other


def id_span(document: Document, said: Said) -> Span:
    """Where an id stands, without its quotes, absolute."""
    placed = document.cell(said.order)
    cell = json_cell(placed)
    if cell is None:
        return Span(placed.start_offset, placed.start_offset)
    base = placed.start_offset + cell.segments[said.segment].span.start
    return _in_segment(cell, said).shift(base)


def _in_segment(cell: JsonCell, said: Said) -> Span:
    """As plain text where that is beyond doubt: a tree of each of a thousand lines takes long."""
    record = cell.segments[said.segment].record
    if record is not None and len(record.mentions) == 1:
        text = cell.segment_text(said.segment)
        plain = [match.span(1) for match in _written(said.mention.call).finditer(text)]
        if len(plain) == 1:
            return Span(*plain[0])
    found = cell.find(said.segment, said.mention.path)
    return Span(0, 0) if found is None else inside_quotes(found.value)


@lru_cache(maxsize=64)
def _written(call: str) -> re.Pattern[str]:
    return re.compile(r'"toolCallId"[ \t\r\n]*:[ \t\r\n]*"(' + re.escape(quoted(call)[1:-1]) + ')"')


def parse_errors(document: Document, said: Said) -> Iterator[Span]:
    """Where the message of a call names it among those that could not be read."""
    if said.mention.kind is not MentionKind.PART:
        return
    placed = document.cell(said.order)
    cell = json_cell(placed)
    if cell is None:
        return
    message = said.mention.path[:-4]
    found = cell.find(said.segment, (*message, "meta", "parseErrors"))
    base = placed.start_offset + cell.segments[said.segment].span.start
    for item in () if found is None else found.value.items:
        if text_of(item, cell.segment_text(said.segment)) == said.mention.call:
            yield inside_quotes(item).shift(base)


def holder_of(document: Document, said: Said) -> tuple[Placed, Span]:
    """The cell of a mention, and where in it the delta or the part stands."""
    placed = document.cell(said.order)
    cell = json_cell(placed)
    # The path ends in `payload`, `toolCallId`.
    path: Path = said.mention.path[:-2]
    return placed, Span(0, 0) if cell is None else cell.span_of(said.segment, path)

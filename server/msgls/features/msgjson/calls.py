"""Tool calls: every mention of one, and which mentions belong together.

Owns what counts as the same call: the same id in the same run. A mention without a run matches
any run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgls.document.document import Document
from msgls.features.msgjson.reading import here_at, json_cell, text_of
from msgls.features.names import PlacedName, places, places_of
from msgls.features.rename import RenameRefused, check_id
from msgls.formats.base import Placed
from msgls.formats.jsontree import Found
from msgls.formats.msgjson.nodes import written
from msgls.formats.msgjson.records import MentionKind
from msgls.rules.msgjson.streams import PlacedMention, mentions_of
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

CALLS = (MentionKind.START, MentionKind.PART)
RESULTS = (MentionKind.RESULT, MentionKind.LOOSE_RESULT)


def mention_at(document: Document, offset: int) -> PlacedMention | None:
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
            return PlacedMention(here.placed.label, here.segment, mention)
    return None


def _is_inside(found: Found | None, at: int) -> bool:
    """Whether an offset is in the member that a path leads to (the last one of duplicate keys)."""
    if found is None or found.key_span is None:
        return False
    return found.key_span.start <= at <= found.value.span.end


def occurrences(
    document: Document, call: str, run: str | None, kinds: Collection[MentionKind]
) -> list[PlacedMention]:
    """Every mention of a call of these kinds, in order."""
    found = mentions_of(document, call, kinds)
    return [said for said in found if _is_same(said.mention.run, run)]


def _is_same(run: str | None, other: str | None) -> bool:
    return run is None or other is None or run == other


def id_span(document: Document, said: PlacedMention) -> Span:
    """Where an id is, without its quotes, absolute."""
    placed = document.cell(said.label)
    cell = json_cell(placed)
    found = cell.find(said.segment, said.mention.path)
    if found is None:
        return Span(placed.start_offset, placed.start_offset)
    return found.value.inside.shift(placed.start_offset + cell.segments[said.segment].span.start)


def holder_of(document: Document, said: PlacedMention) -> tuple[Placed, Span]:
    """The cell of a mention, and where in it the delta or the part is."""
    placed = document.cell(said.label)
    # The path ends in `payload`, `toolCallId`.
    return placed, json_cell(placed).span_of(said.segment, said.mention.path[:-2])


# -- Rename in messages and deltas: every mention of the id of a tool call in its run.

NOTHING = Phrase("nothing to rename here: put the cursor on a `toolCallId`")


def rename(document: Document, found: PlacedName, new: str) -> list[Edit]:
    """The edits that give a call the id ``new``. Raises ``RenameRefused``."""
    check_id(new)
    if places_of(document, found.name._replace(text=new)):
        raise RenameRefused("`{new}` is taken: another call of this run has that id", new=new)
    said = places(document, found)
    spans = {place.span for place in said}
    spans.update(span for place in said for span in _parse_errors(place))
    return [Edit(span, written(new)[1:-1]) for span in sorted(spans)]


def _parse_errors(place: PlacedName) -> Iterator[Span]:
    """Where the ``parseErrors`` of a message list a call."""
    cell, call = json_cell(place.placed), place.name.text
    for number, segment in enumerate(cell.segments):
        for mention in () if segment.record is None else segment.record.mentions:
            if mention.kind is not MentionKind.PART or mention.call != call:
                continue
            found = cell.find(number, (*mention.path[:-4], "meta", "parseErrors"))
            base = place.placed.start_offset + segment.span.start
            for item in () if found is None else found.value.items:
                if text_of(item, cell.segment_text(number)) == call:
                    yield item.inside.shift(base)

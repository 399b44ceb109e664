"""Rename in messages and deltas: the id of a tool call, in its run, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.msgjson.reading import json_cell, text_of
from msgls.features.names import PlacedName, places, places_of
from msgls.features.rename import RenameRefused, check_id
from msgls.formats.msgjson.nodes import written
from msgls.formats.msgjson.records import MentionKind
from msgls.text.phrases import Phrase
from msgls.text.spans import Edit, Span

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
    """Where the message of a call names it among those that could not be read."""
    cell, call = json_cell(place.placed), place.name.text
    for number, segment in enumerate(() if cell is None else cell.segments):
        for mention in () if segment.record is None else segment.record.mentions:
            if cell is None or mention.kind is not MentionKind.PART or mention.call != call:
                continue
            found = cell.find(number, (*mention.path[:-4], "meta", "parseErrors"))
            base = place.placed.start_offset + segment.span.start
            for item in () if found is None else found.value.items:
                if text_of(item, cell.segment_text(number)) == call:
                    yield item.inside.shift(base)

"""The names that a JSON cell says: the ids of tool calls, each unique in its run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache

from msgls.formats.msgjson.cells import JsonCell
from msgls.formats.msgjson.records import Mention, MentionKind
from msgls.syntax.names import Name, NameKind, Use
from msgls.text.spans import Span

_USES = {
    MentionKind.START: Use.DECLARES,
    MentionKind.PART: Use.DECLARES,
    MentionKind.RESULT: Use.ANSWERS,
    MentionKind.LOOSE_RESULT: Use.ANSWERS,
}


def names_in(cell: JsonCell) -> tuple[Name, ...]:
    """Every name that a cell says, in order."""
    return tuple(sorted(_names(cell), key=lambda name: name.reach))


def _names(cell: JsonCell) -> Iterator[Name]:
    for number, segment in enumerate(cell.segments):
        mentions = () if segment.record is None else segment.record.mentions
        for mention in mentions:
            found = _place(cell, number, mention, len(mentions) == 1)
            if found is not None:
                span, reach = (place.shift(segment.span.start) for place in found)
                use = _USES.get(mention.kind, Use.USES)
                yield Name(NameKind.CALL, mention.call, span, use, reach, mention.run)


def _place(
    cell: JsonCell, segment: int, mention: Mention, is_alone: bool
) -> tuple[Span, Span] | None:
    """The id without its quotes, and all from its key on.

    As plain text where that is beyond doubt: a tree of each of a thousand lines takes long.
    """
    if is_alone:
        text = cell.segment_text(segment)
        plain = list(_written(mention.call).finditer(text))
        if len(plain) == 1:
            return Span(*plain[0].span(1)), Span(*plain[0].span())
    found = cell.find(segment, mention.path)
    if found is None or found.key_span is None:
        return None
    return found.value.inside, Span(found.key_span.start, found.value.span.end)


@lru_cache(maxsize=64)
def _written(call: str) -> re.Pattern[str]:
    quoted = re.escape(written(call)[1:-1])
    return re.compile(r'"toolCallId"[ \t\r\n]*:[ \t\r\n]*"(' + quoted + ')"')


def written(text: str) -> str:
    """A text as JSON has it, readable as far as it can be."""
    # A half of an emoji can be kept in no file as it is.
    is_whole = text.isascii() or not any("\ud800" <= mark <= "\udfff" for mark in text)
    return json.dumps(text, ensure_ascii=not is_whole)

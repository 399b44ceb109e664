"""What the lines before a place say: runs, numbers, calls, and the values of keys.

Looks back at a bounded number of cells, the nearest first, so that typing costs the same at
the end of any file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgls.document.document import Document
from msgls.features.msgjson.reading import json_cell
from msgls.formats.msgjson.cells import JsonCell, Segment
from msgls.formats.msgjson.records import Mention, MentionKind, Step

_FURTHEST = 400
_FURTHEST_READ = 60


class SeenCall(NamedTuple):
    """A tool call that the lines before speak of."""

    id: str
    run: str | None
    is_open: bool
    """Whether its arguments have not ended."""
    is_answered: bool


def _cells_before(document: Document, number: int, furthest: int) -> Iterator[JsonCell]:
    """The cells with lower numbers, the nearest first."""
    for other in range(number - 1, max(number - furthest, 0) - 1, -1):
        cell = json_cell(document.cell_number(other))
        if cell is not None:
            yield cell


def _after(document: Document, offset: int) -> int:
    """The number of the cell behind the one at ``offset``."""
    number = document.number_at_offset(offset)
    return 0 if number is None else number + 1


def _segments_before(document: Document, number: int) -> Iterator[Segment]:
    for cell in _cells_before(document, number, _FURTHEST):
        yield from reversed(cell.segments)


def steps_before(document: Document, number: int) -> Iterator[Step]:
    """The deltas of the cells with lower numbers, the nearest first."""
    for segment in _segments_before(document, number):
        if segment.record is not None:
            yield from reversed(segment.record.steps)


def calls_before(document: Document, offset: int) -> list[SeenCall]:
    """The tool calls before a place, the nearest first, those that wait for something first."""
    mentions: dict[tuple[str, str | None], list[Mention]] = {}
    for segment in _segments_before(document, _after(document, offset)):
        for mention in () if segment.record is None else reversed(segment.record.mentions):
            mentions.setdefault((mention.call, mention.run), []).append(mention)
    found = [_seen(call, run, said) for (call, run), said in mentions.items()]
    return sorted(found, key=lambda seen: seen.is_answered)


def _seen(call: str, run: str | None, said: list[Mention]) -> SeenCall:
    kinds = {mention.kind for mention in said}
    is_open = MentionKind.START in kinds and MentionKind.END not in kinds
    is_answered = bool(kinds & {MentionKind.RESULT, MentionKind.LOOSE_RESULT})
    return SeenCall(call, run, is_open, is_answered)


def texts_before(document: Document, offset: int, key: str) -> list[str]:
    """The texts that a key has in the values before a place, the nearest first, each once."""
    found: dict[str, None] = {}
    quoted = f'"{key}"'
    for cell in _cells_before(document, _after(document, offset), _FURTHEST_READ):
        for number, segment in enumerate(cell.segments):
            if segment.record is not None and quoted in cell.segment_text(number):
                found.update(dict.fromkeys(_texts_of(cell.value(number), key)))
    return list(found)


def _texts_of(value: Any, key: str) -> Iterator[str]:
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            said = one.get(key)
            if isinstance(said, str) and said:
                yield said
            todo += one.values()
        elif isinstance(one, list):
            todo += one

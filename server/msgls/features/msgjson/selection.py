"""Growing selections in messages and deltas.

From a word over values, keys with them and objects to the line, the stream and the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.msgjson.reading import Here, here_at
from msgls.features.msgjson.streams import delta_at, span_of, stream_of
from msgls.features.selection import growing
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_WORD = lazy_pattern(r"\w+")
_FURTHEST_WORD = 200


def selection_spans(document: Document, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute."""
    placed = document.cell_at_offset(offset)
    if placed is None:
        return [Span(0, 0)]
    spans = [placed.span, Span(0, len(document.store))]
    here = here_at(document, offset)
    if here is not None:
        spans += [span.shift(here.base) for span in _inside(here)]
        spans += _stream(document, here)
    return growing(spans, offset)


def _inside(here: Here) -> Iterator[Span]:
    text = here.cell.segment_text(here.segment)
    low, high = max(here.at - _FURTHEST_WORD, 0), here.at + _FURTHEST_WORD
    for match in _WORD.finditer(text, low, high):
        yield Span(*match.span())
    path = here.path
    for length in range(len(path) + 1):
        found = here.cell.find(here.segment, path[:length])
        if found is None:
            continue
        yield found.value.inside
        yield found.value.span
        if found.key_span is not None:
            yield Span(found.key_span.start + 1, max(found.key_span.end - 1, 0))
            yield found.key_span
            yield Span(found.key_span.start, max(found.value.span.end, found.key_span.end))


def _stream(document: Document, here: Here) -> Iterator[Span]:
    delta = delta_at(here.cell, here.placed.order, here.segment, here.path)
    stream = None if delta is None else stream_of(document, delta)
    if delta is None or stream is None or stream.end is None or not stream.holds(delta):
        return
    yield Span(span_of(document, stream.start).start, span_of(document, stream.end).end)

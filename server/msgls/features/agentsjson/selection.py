"""Growing selections in ``agents.json``: strings, values, members, objects, the file."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.document.document import Document
from msgls.features.agentsjson.places import Place, place_at
from msgls.features.selection import growing
from msgls.formats.jsontree import JsonValue
from msgls.text.spans import Span


def selection_spans(document: Document, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute."""
    whole = Span(0, len(document.store))
    place = place_at(document, offset)
    if place is None:
        return growing([whole], offset)
    spans = [span.shift(place.start) for span in _spans(place)]
    if place.placed is not None:
        # Outside of the agent, the list that it stands in.
        spans.append(place.placed.span)
    return growing([*spans, whole], offset)


def _spans(place: Place) -> Iterator[Span]:
    if place.root is not None:
        yield from _of_value(place.root)
    for step in place.steps:
        if step.member is not None:
            start, end = step.member.key_span
            yield Span(start + 1, max(end - 1, start + 1))
            yield step.member.key_span
            yield step.member.span
        yield from _of_value(step.value)


def _of_value(value: JsonValue) -> Iterator[Span]:
    yield value.inside
    yield value.span

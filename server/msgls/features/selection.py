"""Growing selections: ever larger pieces of a document around a place."""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.spans import Span


def selection_spans(document: Document, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute; never none."""
    found = provided(document, selection_spans)
    return [Span(offset, offset)] if found is None else found(document, offset)


def growing(spans: Iterable[Span], offset: int) -> list[Span]:
    """Those of the spans that hold ``offset``, each one larger than the one before it."""
    result: list[Span] = []
    for span in sorted(set(spans), key=lambda span: span.end - span.start):
        if span.contains(offset) and (not result or span.covers(result[-1])):
            result.append(span)
    return result or [Span(offset, offset)]

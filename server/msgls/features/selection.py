"""Growing selections: ever larger pieces of a document around a place."""

from __future__ import annotations

from collections.abc import Iterable

from msgls.document.document import Document
from msgls.features.dispatch import provided
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_BLANK_LINE = lazy_pattern(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")


def selection_spans(document: Document, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute; never none."""
    found = provided(document, selection_spans)
    return [Span(offset, offset)] if found is None else found(document, offset)


def paragraph(text: str, block: Span, at: int) -> Span:
    """The lines of ``block`` around ``at`` that no blank line parts."""
    start = block.start
    for match in _BLANK_LINE.finditer(text, block.start, at):
        start = match.end()
    after = _BLANK_LINE.search(text, max(at, block.start), block.end)
    return Span(min(start, at), block.end if after is None else after.start())


def growing(spans: Iterable[Span], offset: int) -> list[Span]:
    """Those of the spans that hold ``offset``, each one larger than the one before it."""
    result: list[Span] = []
    for span in sorted(set(spans), key=lambda span: span.end - span.start):
        if span.contains(offset) and (not result or span.covers(result[-1])):
            result.append(span)
    return result or [Span(offset, offset)]

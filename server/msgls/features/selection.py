"""Selection ranges: ever larger spans of a document around an offset.

A word, the nodes around it, the line and the paragraph of a text, the cell, and what the format
adds: a turn, a section, a stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.syntax.nodes import NodeKind
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_BLANK_LINE = lazy_pattern(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_WORD = lazy_pattern(r"\w+")
_FURTHEST_WORD = 200
"""How far a word is searched for: a line may be as long as a book."""


def selection_spans(snapshot: Snapshot, offset: int) -> list[Span]:
    """Ever larger spans around ``offset``, the smallest first, absolute; at least one."""
    document = snapshot.document
    number = document.number_at_offset(offset)
    if number is None:
        return [Span(offset, offset)]
    placed = document.cell_number(number)
    spans = [span.shift(placed.start_offset) for span in _inside(placed, offset)]
    spans += [placed.span, *language_of(document).groups(document, number, offset)]
    return growing([*spans, Span(0, len(document.store))], offset)


def _inside(placed: Placed, offset: int) -> Iterator[Span]:
    text, at = placed.cell.text, min(offset - placed.start_offset, placed.cell.length)
    for match in _WORD.finditer(text, max(at - _FURTHEST_WORD, 0), at + _FURTHEST_WORD):
        yield Span(*match.span())
    nodes = [node for node in placed.cell.nodes_at(at) if node.span.start < node.span.end]
    yield from (node.span for node in nodes)
    blocks = [node.span for node in nodes if node.kind is NodeKind.TEXT]
    # In JSON, a line is not a meaningful part.
    if not any(node.kind is NodeKind.OBJECT for node in nodes):
        yield Span(*line_bounds(text, at))
    if blocks:
        yield _paragraph(text, min(blocks, key=lambda span: span.length), at)


def _paragraph(text: str, block: Span, at: int) -> Span:
    """The lines of ``block`` around ``at``, up to the next blank lines."""
    start = block.start
    for match in _BLANK_LINE.finditer(text, block.start, at):
        start = match.end()
    after = _BLANK_LINE.search(text, max(at, block.start), block.end)
    return Span(min(start, at), block.end if after is None else after.start())


def growing(spans: Iterable[Span], offset: int) -> list[Span]:
    """The spans that contain ``offset``, each one larger than the one before it."""
    result: list[Span] = []
    for span in sorted(set(spans), key=lambda span: span.length):
        if span.contains(offset) and (not result or span.covers(result[-1])):
            result.append(span)
    return result or [Span(offset, offset)]

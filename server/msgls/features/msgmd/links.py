"""Links of a message file: ``output_file``, and relative links and images in the prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.links import Link, PlacedLink
from msgls.model.cells import Cell
from msgls.text.spans import Span

_MARKDOWN_LINK = re.compile(r"\]\((?P<target>[^()\s<>\\]+)(?:[ \t]+\"[^\"\r\n]*\")?\)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


_LINKS: WeakKeyDictionary[Cell, tuple[Link, ...]] = WeakKeyDictionary()


def links(document: Document) -> Iterator[PlacedLink]:
    """Every link of a document, by cell."""
    for placed in document.cells():
        for link in cell_links(placed.cell):
            yield PlacedLink(placed, link)


def cell_links(cell: Cell) -> tuple[Link, ...]:
    """The links of one cell, remembered with it."""
    found = _LINKS.get(cell)
    if found is None:
        found = _LINKS[cell] = tuple(_find(cell))
    return found


def _find(cell: Cell) -> Iterator[Link]:
    for definition in cell.definitions:
        attribute = definition.get("output_file")
        if attribute is not None and _is_relative(attribute.value):
            inner = 1 if attribute.quote else 0
            span = attribute.value_span
            yield Link(Span(span.start + inner, span.end - inner), attribute.value)
    if "](" not in cell.text:
        return
    fences = iter([*cell.fences])
    fence = next(fences, None)
    for match in _MARKDOWN_LINK.finditer(cell.text, cell.body.start):
        while fence is not None and fence.span.end <= match.start():
            fence = next(fences, None)
        if fence is not None and fence.span.start <= match.start():
            continue
        target = match.group("target")
        if _is_relative(target):
            yield Link(Span(*match.span("target")), target)


def _is_relative(target: str) -> bool:
    """A path that stays below the document's folder or names one beside it; no URL."""
    return bool(target) and not target.startswith(("#", "/", "\\")) and not _SCHEME.match(target)

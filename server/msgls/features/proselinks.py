"""Links in prose: what Markdown of every format has, outside of its fences."""

from __future__ import annotations

from collections.abc import Iterator

from msgls.features.links import Link
from msgls.model.cells import Cell
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span

_MARKDOWN_LINK = lazy_pattern(r"\]\((?P<target>[^()\s<>\\]+)(?:[ \t]+\"[^\"\r\n]*\")?\)")
_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")


def prose_links(cell: Cell) -> Iterator[Link]:
    """The relative links and images of a cell's body."""
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
        if is_relative(target):
            yield Link(Span(*match.span("target")), target)


def is_relative(target: str) -> bool:
    """A path that stays below the document's folder or names one beside it; no URL."""
    return bool(target) and not target.startswith(("#", "/", "\\")) and not _SCHEME.match(target)

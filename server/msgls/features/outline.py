"""The outline of a document, as a tree.

Owns what a node is; ``lsp`` and ``cli`` show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from msgls.document.snapshot import Snapshot
from msgls.features.language import language_of
from msgls.formats.base import Placed
from msgls.formats.prose import section_ends
from msgls.syntax.cells import Cell
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span
from msgls.text.work import MANY, Pausing, Work


class SymbolKind(Enum):
    """The kind of a line of the outline."""

    FRONTMATTER = "frontmatter"
    FIELD = "field"
    AGENT = "agent"
    HEADING = "heading"
    MESSAGE = "message"
    CODE = "code"
    ANSWER = "answer"
    CALL = "call"
    RESULT = "result"
    RUN = "run"
    FILE = "file"


CELLS = frozenset(
    {
        SymbolKind.MESSAGE,
        SymbolKind.CODE,
        SymbolKind.ANSWER,
        SymbolKind.CALL,
        SymbolKind.RESULT,
        SymbolKind.RUN,
    }
)
"""The kinds of nodes that are cells."""


@dataclass(slots=True)
class OutlineNode:
    """A line of the outline. Spans are relative to the cell that it is in."""

    name: str
    detail: str
    kind: SymbolKind
    placed: Placed
    selection: Span
    """The span that is selected when the user goes there."""
    end: tuple[Placed, int]
    """Where the last thing below it ends: a cell, and an offset in it."""
    children: list[OutlineNode] = field(default_factory=list)
    time: str = ""
    """Its time, as it is written in the file."""

    def all(self) -> Iterator[OutlineNode]:
        """It and all below it, in order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += reversed(node.children)

    def beside(self, now: datetime | None = None) -> str:
        """The text beside its name, with the time in short, relative to now."""
        if not self.time:
            return self.detail
        time = self.time if now is None else short_time(self.time, now)
        return joined([self.detail, time], " · ") if self.detail else time


class Symbol(NamedTuple):
    """A line of the outline, from one cell: it nests in the last one before with less depth."""

    name: str
    detail: str
    kind: SymbolKind
    selection: Span
    end: int
    depth: int
    time: str = ""
    owner_id: str = ""
    """The id of the cell that it belongs to: it is nested in that one, if that is still open."""


@Pausing
def outline(snapshot: Snapshot) -> Work[list[OutlineNode]]:
    """The outermost nodes, in order."""
    return language_of(snapshot.document).outline(snapshot)


def by_depth(
    snapshot: Snapshot, symbols: Callable[[Snapshot, Placed], Iterable[Symbol]]
) -> Work[list[OutlineNode]]:
    """The outermost nodes, where each line nests in the last one before with less depth."""
    tree = _Tree()
    for placed in snapshot.document.cells():
        yield from placed.cell.reading("headings")
        for number, symbol in enumerate(symbols(snapshot, placed)):
            if number and not number % MANY:
                yield
            tree.add(placed, symbol)
        yield
    return tree.roots


class _Tree:
    """Builds the outline."""

    def __init__(self) -> None:
        self.roots: list[OutlineNode] = []
        self.opened: list[tuple[int, OutlineNode]] = []
        """The nodes that the next line may nest in, each with its depth, the innermost last."""

    def add(self, placed: Placed, symbol: Symbol) -> None:
        name, detail, kind, selection, end, depth, time, owner_id = symbol
        node = OutlineNode(name, detail, kind, placed, selection, (placed, end), time=time)
        for owner_depth, owner in reversed(self.opened):
            if (
                owner_id
                and owner.kind is not SymbolKind.HEADING
                and owner.placed.cell.id == owner_id
            ):
                depth = max(depth, owner_depth + 1)
                break
        while self.opened and self.opened[-1][0] >= depth:
            self.opened.pop()
        (self.opened[-1][1].children if self.opened else self.roots).append(node)
        for _, ancestor in self.opened:
            holder, reached = ancestor.end
            if (placed.label, end) > (holder.label, reached):
                ancestor.end = node.end
        self.opened.append((depth, node))


def heading_symbols(cell: Cell, first_depth: int) -> Iterator[Symbol]:
    """The headings of a cell, each deeper than ``first_depth`` by its level."""
    for heading, end in zip(cell.headings, section_ends(cell.headings, cell.length), strict=True):
        name = shorten(heading.text.strip(" \t")) or Phrase("(empty heading)")
        depth = first_depth + heading.level
        yield Symbol(name, "", SymbolKind.HEADING, heading.text_span, end, depth)


def short_time(written: str, now: datetime) -> str:
    """A time from a file, in the zone of ``now``; unchanged if it cannot be parsed.

    Only the time for today, the day and the time for this year, else only the date.
    """
    try:
        time = datetime.fromisoformat(written.strip())
        local = time.astimezone(now.tzinfo)
    except (ValueError, OverflowError):
        return written
    if local.date() == now.date():
        return f"{local:%H:%M}"
    return f"{local:%m-%d %H:%M}" if local.year == now.year else f"{local.date()}"

"""The outline of a document: what stands in it, as a tree.

Owns what a node is; ``lsp`` and ``cli`` draw it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from msgls.document.snapshot import Snapshot
from msgls.features.dispatch import provided
from msgls.features.times import short_time
from msgls.formats.base import Placed
from msgls.text.phrases import joined
from msgls.text.spans import Span


class NodeKind(Enum):
    """What a node of the outline stands for."""

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
        NodeKind.MESSAGE,
        NodeKind.CODE,
        NodeKind.ANSWER,
        NodeKind.CALL,
        NodeKind.RESULT,
        NodeKind.RUN,
    }
)
"""The kinds of nodes that are cells."""


@dataclass(slots=True)
class OutlineNode:
    """A line of the outline. Spans are relative to the cell that it stands in."""

    name: str
    detail: str
    kind: NodeKind
    placed: Placed
    selection: Span
    """What is selected when somebody goes there."""
    end: tuple[Placed, int]
    """Where the last thing below it ends: a cell, and an offset in it."""
    children: list[OutlineNode] = field(default_factory=list)
    time: str = ""
    """When it was said, as the file has it."""

    def all(self) -> Iterator[OutlineNode]:
        """It and all below it, in order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += reversed(node.children)

    def beside(self, now: datetime | None = None) -> str:
        """What stands beside its name; the time in short for a person who looks at it now."""
        if not self.time:
            return self.detail
        time = self.time if now is None else short_time(self.time, now)
        return joined([self.detail, time], " · ") if self.detail else time


def outline(snapshot: Snapshot) -> list[OutlineNode]:
    """The outermost nodes, in order."""
    found = provided(snapshot.document, outline)
    return [] if found is None else found(snapshot)

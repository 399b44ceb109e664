"""Nodes: the pieces of a cell that mean something. They nest by their spans.

A format makes the nodes of a cell when they are first asked for, and they are kept with the cell.
Growing selections, folds and semantic tokens are made of nodes alone, and links of links.
"""

from enum import Enum, auto
from typing import NamedTuple

from msgls.text.spans import Span


class NodeKind(Enum):
    """What a node is."""

    FRONTMATTER = auto()
    HEADER = auto()
    MARKER = auto()
    TITLE = auto()
    ID = auto()
    SEGMENT = auto()
    """A piece of an id between dots."""
    TYPE = auto()
    FIELD = auto()
    """A key with its value: an attribute, an argument, a field, a member."""
    KEY = auto()
    VALUE = auto()
    DEFINITIONS = auto()
    """Definitions that follow each other."""
    COMMAND = auto()
    CALL = auto()
    SECTION = auto()
    """A heading with all below it."""
    FENCE = auto()
    TEXT = auto()
    """Lines of prose or code: the content of a cell or of a fence."""
    STREAM = auto()
    """The prefix that names the stream of a line of output."""
    COMMENT = auto()
    OBJECT = auto()


class FoldKind(Enum):
    """What is folded."""

    BLOCK = ""
    REGION = "region"
    COMMENT = "comment"
    IMPORTS = "imports"


class Node(NamedTuple):
    """A piece of a cell, relative to it."""

    kind: NodeKind
    span: Span
    token: tuple[str, ...] = ()
    """How it is coloured: the type of its semantic token, and modifiers."""
    fold: FoldKind | None = None
    """Whether its lines can be folded into the first one."""
    label: str = ""
    """The text shown in place of folded lines."""


class Link(NamedTuple):
    """A reference to a file, relative to the document's folder."""

    span: Span
    target: str


def nodes_at(nodes: tuple[Node, ...], at: int) -> list[Node]:
    """The nodes that a cursor is in."""
    return [node for node in nodes if node.span.contains(at)]

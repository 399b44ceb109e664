"""The outline of a Simple Text Format file: messages by role and name, calls, files and blocks.

Owns what a message is called. Names are remembered with the cell.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.outline import NodeKind, OutlineNode
from msgls.features.stf.meaning import cell_of, first_words, name_of, role_of
from msgls.formats.base import Placed
from msgls.formats.stf.calls import CallPlace, calls_in, commands_of, is_raw
from msgls.formats.stf.cells import StfCell
from msgls.formats.stf.commands import Mode
from msgls.formats.stf.lexer import Command
from msgls.formats.stf.nodes import block_end
from msgls.model.cells import CellKind
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

_KINDS = {"assistant": NodeKind.ANSWER, "tool": NodeKind.RESULT}
_NO_ROLE = Phrase("no role")


def outline(snapshot: Snapshot) -> list[OutlineNode]:
    """The outline of a file: its messages in order."""
    document = snapshot.document
    roots: list[OutlineNode] = []
    for placed in document.cells():
        cell = cell_of(placed)
        if cell is None:
            continue
        if cell.kind is CellKind.PREAMBLE:
            roots += _children(placed, cell)
            continue
        kind, name = message_name(document, placed)
        node = OutlineNode(name, detail(cell), kind, placed, head_of(cell), (placed, cell.length))
        node.children = _children(placed, cell)
        roots.append(node)
    return roots


def message_name(document: Document, placed: Placed) -> tuple[NodeKind, str]:
    """What a message is, and how it is called: by its role and its name."""
    cell = cell_of(placed)
    role = role_of(document, placed)
    name = None if cell is None else name_of(cell)
    said = role or _NO_ROLE
    kind = _KINDS.get(role or "", NodeKind.MESSAGE)
    return kind, joined([said, name], " · ") if name else said


_DETAILS: WeakKeyDictionary[StfCell, str] = WeakKeyDictionary()


def detail(cell: StfCell) -> str:
    """The id of a message and its first words."""
    known = _DETAILS.get(cell)
    if known is None:
        pieces = ["raw" if is_raw(cell) else "", cell.id or "", first_words(cell)]
        known = _DETAILS[cell] = " · ".join([piece for piece in pieces if piece])
    return known


def head_of(cell: StfCell) -> Span:
    """The line that starts a message."""
    opening = cell.opening
    return Span(0, 0) if opening is None else opening.span


def call_name(call: CallPlace) -> str:
    """How a call is called in lists."""
    return call.tool or call.id or Phrase("(call)")


class _Child(NamedTuple):
    """What stands below a message; it moves with its cell."""

    selection: Span
    end: int
    name: str
    detail: str
    kind: NodeKind

    def node(self, placed: Placed) -> OutlineNode:
        return OutlineNode(
            self.name, self.detail, self.kind, placed, self.selection, (placed, self.end)
        )


_CHILDREN: WeakKeyDictionary[StfCell, tuple[_Child, ...]] = WeakKeyDictionary()


def _children(placed: Placed, cell: StfCell) -> list[OutlineNode]:
    """The calls, files and blocks of a cell, remembered with it."""
    known = _CHILDREN.get(cell)
    if known is None:
        found = [_call(call) for call in calls_in(cell)]
        for command in commands_of(cell):
            if command.spec is not None and command.spec.name == "embed":
                found.append(_embed(cell, command))
            elif command.spec is not None and command.spec.mode is Mode.BLOCK:
                found.append(_block(cell, command))
        known = _CHILDREN[cell] = tuple(sorted(found, key=lambda child: child.selection))
    return [child.node(placed) for child in known]


def _call(call: CallPlace) -> _Child:
    shown = call.id or "" if call.tool else ""
    selection = Span(call.span.start, max(call.selection.end, call.span.start))
    return _Child(selection, call.span.end, call_name(call), shown, NodeKind.CALL)


def _embed(cell: StfCell, command: Command) -> _Child:
    line = cell.data_line(command)
    name = "embed" if line is None else line.of(cell.text)[:80]
    end = command.span.end if command.data is None else command.data.end
    return _Child(command.span, end, name, "embed", NodeKind.FILE)


def _block(cell: StfCell, command: Command) -> _Child:
    """``meta`` or ``extra``."""
    value = cell.parsed_block(command)[1].value
    shown = ", ".join(list(value)[:6]) if isinstance(value, dict) else ""
    return _Child(command.span, block_end(command), command.word, shown, NodeKind.FRONTMATTER)

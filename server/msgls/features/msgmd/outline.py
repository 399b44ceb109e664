"""The outline of a message file: cells nested by depth, their headings, its agents.

Owns what a cell is called and how cells nest.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.outline import NodeKind, OutlineNode
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.meaning import frontmatter_of, meaning_of
from msgls.formats.msgmd.section import section_headings
from msgls.model.cells import Cell, CellKind, Heading
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

_LONGEST_NAME = 80


KINDS = {
    CellRole.MESSAGE: NodeKind.MESSAGE,
    CellRole.CODE: NodeKind.CODE,
    CellRole.ANSWER: NodeKind.ANSWER,
    CellRole.CALL: NodeKind.CALL,
    CellRole.RESULT: NodeKind.RESULT,
    CellRole.RUN: NodeKind.RUN,
}
# A run belongs to its code, and is shown below it.
_OWNERS = (NodeKind.CODE,)
_UNTITLED = {
    CellRole.MESSAGE: Phrase("(message)"),
    CellRole.CODE: Phrase("(code)"),
    CellRole.ANSWER: Phrase("(answer)"),
    CellRole.CALL: Phrase("(tool call)"),
    CellRole.RESULT: Phrase("(tool result)"),
}
_PLAIN = "text/plain"


def outline(snapshot: Snapshot) -> list[OutlineNode]:
    """The outline of a message file."""
    document = snapshot.document
    roots: list[OutlineNode] = []
    opened: list[tuple[int, OutlineNode]] = []
    """What the next cell may nest in, the innermost last: depths, and what is that deep."""
    section = next(iter(section_headings(document)), None)
    for placed in document.cells():
        if placed.cell.kind is CellKind.PREAMBLE:
            roots += _preamble(document, placed)
        else:
            node = _cell_node(meaning_of(document, placed))
            _nest(node, _depth(placed, opened), roots, opened)
        if section is not None and section.placed.order == placed.order:
            # The record stands below its heading, however deep its cells are.
            at = section.heading.text_span
            opened = [(0, node) for node in _path(roots, placed, at)]
    return roots


def _nest(
    node: OutlineNode, depth: int, roots: list[OutlineNode], opened: list[tuple[int, OutlineNode]]
) -> None:
    while opened and opened[-1][0] >= depth:
        opened.pop()
    (opened[-1][1].children if opened else roots).append(node)
    opened.append((depth, node))
    for _, ancestor in opened:
        ancestor.end = node.end


def _depth(placed: Placed, opened: list[tuple[int, OutlineNode]]) -> int:
    """How deep a cell is: by its header, but what belongs to a cell is below it at least."""
    depth = placed.cell.header.depth if placed.cell.header is not None else 1
    cell_id = placed.cell.id or ""
    for owner_depth, owner in reversed(opened):
        owner_id = owner.placed.cell.id
        if owner_id and owner.kind in _OWNERS and cell_id.startswith(f"{owner_id}."):
            return max(depth, owner_depth + 1)
    return depth


def _path(nodes: list[OutlineNode], placed: Placed, selection: Span) -> list[OutlineNode]:
    """The nodes from the outermost to the one of a heading."""
    for node in nodes:
        if node.placed.order == placed.order and node.selection == selection:
            return [node]
        below = _path(node.children, placed, selection)
        if below:
            return [node, *below]
    return []


def _preamble(document: Document, placed: Placed) -> Iterator[OutlineNode]:
    frontmatter = frontmatter_of(document)
    if frontmatter is not None and placed.cell.frontmatter is not None:
        span = placed.cell.frontmatter
        opening = Span(span.start, min(span.start + 3, span.end))
        node = OutlineNode(
            Phrase("frontmatter"), "", NodeKind.FRONTMATTER, placed, opening, (placed, span.end)
        )
        default = frontmatter.default_agent_name
        for agent in frontmatter.agents:
            detail = ", ".join(agent.values.models)
            if agent.name == default:
                default_said = Phrase("default")
                detail = joined([detail, default_said], " · ") if detail else default_said
            end = (placed, agent.span.end)
            child = OutlineNode(agent.name, detail, NodeKind.AGENT, placed, agent.name_span, end)
            node.children.append(child)
        yield node
    yield from _headings(placed)


def _headings(placed: Placed) -> list[OutlineNode]:
    """The headings of a cell, nested by level."""
    headings = placed.cell.headings
    if not headings:
        return []
    roots: list[OutlineNode] = []
    opened: list[tuple[int, OutlineNode]] = []
    length = placed.cell.length
    for number, heading in enumerate(headings):
        node = _heading_node(placed, heading, _heading_end(headings, number, length))
        while opened and opened[-1][0] >= heading.level:
            opened.pop()
        (opened[-1][1].children if opened else roots).append(node)
        opened.append((heading.level, node))
    return roots


def _heading_end(headings: tuple[Heading, ...], number: int, length: int) -> int:
    """A heading reaches to the next one of its level or a higher one."""
    level = headings[number].level
    following = (h.span.start for h in headings[number + 1 :] if h.level <= level)
    return next(following, length)


def _heading_node(placed: Placed, heading: Heading, end: int) -> OutlineNode:
    name = _shorten(heading.text) or Phrase("(empty heading)")
    return OutlineNode(name, "", NodeKind.HEADING, placed, heading.text_span, (placed, end))


def _cell_node(meaning: Meaning) -> OutlineNode:
    placed, cell = meaning.placed, meaning.cell
    header = cell.header
    selection = Span(0, 0)
    if header is not None:
        selection = Span(header.hashes.start, header.span.end)
    name = _shorten(cell.title) or _name(meaning)
    node = OutlineNode(
        name, detail(meaning), KINDS[meaning.role], placed, selection, (placed, cell.length)
    )
    node.children = _headings(placed)
    if meaning.role is not CellRole.CALL:
        node.time = meaning.value("time") or ""
    return node


def _name(meaning: Meaning) -> str:
    """What a cell without a title is called."""
    if meaning.role is CellRole.RUN:
        mime_type = meaning.value("mime_type") or _PLAIN
        what = Phrase("text") if mime_type == _PLAIN else mime_type
        number = (meaning.cell.id or "").partition(".")[2].partition(".")[0]
        return Phrase("Out {number} · {what}", number=number, what=what)
    return _name_from_content(meaning.cell) or _UNTITLED[meaning.role]


def detail(meaning: Meaning) -> str:
    """Id, type, tool and status of a cell, as far as it has them."""
    key = "name" if meaning.role is CellRole.CALL else "status"
    pieces = [meaning.cell.id or "", meaning.type or "", meaning.value(key) or ""]
    return " · ".join([piece for piece in pieces if piece])


_NAMES: WeakKeyDictionary[Cell, str] = WeakKeyDictionary()


def _name_from_content(cell: Cell) -> str:
    """The first words of a cell without a title."""
    name = _NAMES.get(cell)
    if name is None:
        start = cell.body.start
        if cell.home is not None and cell.home.is_typed:
            start = cell.home.span.end
        text = cell.text[start : start + 400].strip(" \t\r\n")
        line = text.split("\n", 1)[0].split("\r", 1)[0]
        name = _NAMES[cell] = _shorten(line.lstrip("#>*- \t`"))
    return name


def _shorten(text: str) -> str:
    text = text.strip(" \t")
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…"

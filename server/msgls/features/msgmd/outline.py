"""The outline of a message file: cells nested by depth, their headings, its agents.

Owns what a cell is called and how cells nest.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.features.outline import NodeKind, OutlineNode
from msgls.formats.base import Placed
from msgls.formats.msgmd.meaning import CellRole, Meaning, frontmatter_of, meaning_of
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
_UNTITLED = {
    CellRole.MESSAGE: Phrase("(message)"),
    CellRole.CODE: Phrase("(code)"),
    CellRole.ANSWER: Phrase("(answer)"),
    CellRole.CALL: Phrase("(tool call)"),
    CellRole.RESULT: Phrase("(tool result)"),
    CellRole.RUN: Phrase("(execution output)"),
}


def outline(document: Document) -> list[OutlineNode]:
    """The outline of a message file."""
    roots: list[OutlineNode] = []
    open_cells: list[tuple[int, OutlineNode]] = []
    for placed in document.cells():
        if placed.cell.kind is CellKind.PREAMBLE:
            roots += _preamble(document, placed)
            continue
        meaning = meaning_of(document, placed)
        node = _cell_node(meaning)
        depth = placed.cell.header.depth if placed.cell.header is not None else 1
        while open_cells and open_cells[-1][0] >= depth:
            open_cells.pop()
        (open_cells[-1][1].children if open_cells else roots).append(node)
        open_cells.append((depth, node))
        for _, ancestor in open_cells:
            ancestor.end = node.end
    return roots


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
    name = _shorten(cell.title) or _name_from_content(cell) or _UNTITLED[meaning.role]
    node = OutlineNode(
        name, detail(meaning), KINDS[meaning.role], placed, selection, (placed, cell.length)
    )
    node.children = _headings(placed)
    return node


def detail(meaning: Meaning) -> str:
    """Type, tool, time and status of a cell, as far as it has them."""
    pieces = [meaning.cell.id or "", meaning.type or ""]
    if meaning.role is CellRole.CALL:
        pieces.append(meaning.value("name") or "")
    else:
        pieces += [meaning.value("status") or "", meaning.value("time") or ""]
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

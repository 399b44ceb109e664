"""The outline of a message file: cells nested by depth, their headings, its agents.

Owns what a cell is called and how cells nest.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.outline import NodeKind, Symbol, heading_symbols
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.meaning import frontmatter_of, is_code_cell
from msgls.formats.msgmd.section import section_headings, section_order
from msgls.syntax.cells import Cell, CellKind
from msgls.syntax.ids import CellId
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

KINDS = {
    CellRole.MESSAGE: NodeKind.MESSAGE,
    CellRole.CODE: NodeKind.CODE,
    CellRole.ANSWER: NodeKind.ANSWER,
    CellRole.CALL: NodeKind.CALL,
    CellRole.RESULT: NodeKind.RESULT,
    CellRole.RUN: NodeKind.RUN,
}
# Deeper than any cell: a cell does not nest in a heading.
_HEADING_DEPTH = 100
_UNTITLED = {
    CellRole.MESSAGE: Phrase("(message)"),
    CellRole.CODE: Phrase("(code)"),
    CellRole.ANSWER: Phrase("(answer)"),
    CellRole.CALL: Phrase("(tool call)"),
    CellRole.RESULT: Phrase("(tool result)"),
}
_PLAIN = "text/plain"


def symbols(snapshot: Snapshot, placed: Placed) -> Iterator[Symbol]:
    """A cell with its headings; the frontmatter with its agents."""
    document = snapshot.document
    # The record stands below its heading, however deep its cells are.
    holds_record = section_order(document) == placed.order
    section = section_headings(document)[0] if holds_record else None
    if placed.cell.kind is CellKind.PREAMBLE:
        yield from _frontmatter(document, placed)
    else:
        symbol = _cell_symbol(document, snapshot.meaning(placed))
        yield symbol._replace(depth=symbol.depth - 4 * _HEADING_DEPTH * holds_record)
    for symbol in heading_symbols(placed.cell, _HEADING_DEPTH):
        start = -1 if section is None else section.heading.text_span.start
        is_above = holds_record and symbol.selection.start <= start < symbol.end
        yield symbol._replace(depth=symbol.depth - 2 * _HEADING_DEPTH * is_above)


def _frontmatter(document: Document, placed: Placed) -> Iterator[Symbol]:
    frontmatter, span = frontmatter_of(document), placed.cell.frontmatter
    if frontmatter is None or span is None:
        return
    opening = Span(span.start, min(span.start + 3, span.end))
    name = Phrase("frontmatter")
    yield Symbol(name, "", NodeKind.FRONTMATTER, opening, span.end, _HEADING_DEPTH + 10)
    default = frontmatter.default_agent_name
    for agent in frontmatter.agents:
        detail = ", ".join(agent.values.models)
        if agent.name == default:
            default_said = Phrase("default")
            detail = joined([detail, default_said], " · ") if detail else default_said
        end, depth = agent.span.end, _HEADING_DEPTH + 11
        yield Symbol(agent.name, detail, NodeKind.AGENT, agent.name_span, end, depth)


def _cell_symbol(document: Document, meaning: Meaning) -> Symbol:
    cell, header = meaning.cell, meaning.cell.header
    selection = Span(0, 0) if header is None else Span(header.hashes.start, header.span.end)
    name = shorten(cell.title.strip(" \t")) or _name(meaning)
    time = "" if meaning.role is CellRole.CALL else meaning.value("time") or ""
    depth = 1 if header is None else header.depth
    return Symbol(
        name,
        detail(meaning),
        KINDS[meaning.role],
        selection,
        cell.length,
        depth,
        time,
        _owner_id(document, CellId(cell.id or "")),
    )


def _owner_id(document: Document, cell_id: CellId) -> str:
    """What belongs to a code cell is shown below it."""
    is_owned = cell_id.parent and is_code_cell(document, cell_id.root)
    return cell_id.root if is_owned else ""


def _name(meaning: Meaning) -> str:
    """What a cell without a title is called."""
    if meaning.role is CellRole.RUN:
        mime_type = meaning.value("mime_type") or _PLAIN
        what = Phrase("text") if mime_type == _PLAIN else mime_type
        number = CellId(meaning.cell.id or "").rest.partition(".")[0]
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
        name = _NAMES[cell] = shorten(line.lstrip("#>*- \t`"))
    return name

"""The outline of a message file: cells nested by depth, their headings, its agents.

Owns the names of cells and how cells nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features.outline import Symbol, SymbolKind, heading_symbols
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.meaning import frontmatter_of, is_code_cell
from msgls.formats.msgmd.section import section_headings, section_label
from msgls.syntax.cells import Cell, CellKind, remembered
from msgls.syntax.ids import CellId
from msgls.text.lines import shorten
from msgls.text.phrases import Phrase, joined
from msgls.text.spans import Span

KINDS = {
    CellRole.MESSAGE: SymbolKind.MESSAGE,
    CellRole.CODE: SymbolKind.CODE,
    CellRole.ANSWER: SymbolKind.ANSWER,
    CellRole.CALL: SymbolKind.CALL,
    CellRole.RESULT: SymbolKind.RESULT,
    CellRole.RUN: SymbolKind.RUN,
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
    # The conversation is below the heading of its section, whatever the depth of its cells.
    holds_record = section_label(document) == placed.label
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


def cell_symbols(snapshot: Snapshot, placed: Placed) -> Iterable[Symbol]:
    """A cell without its headings, which may be very many."""
    if placed.cell.kind is CellKind.PREAMBLE:
        return ()
    return (_cell_symbol(snapshot.document, snapshot.meaning(placed)),)


def _frontmatter(document: Document, placed: Placed) -> Iterator[Symbol]:
    frontmatter, span = frontmatter_of(document), placed.cell.frontmatter
    if frontmatter is None or span is None:
        return
    opening = Span(span.start, min(span.start + 3, span.end))
    name = Phrase("frontmatter")
    yield Symbol(name, "", SymbolKind.FRONTMATTER, opening, span.end, _HEADING_DEPTH + 10)
    default = frontmatter.default_agent_name
    for agent in frontmatter.agents:
        detail = ", ".join(agent.values.models)
        if agent.name == default:
            default_said = Phrase("default")
            detail = joined([detail, default_said], " · ") if detail else default_said
        end, depth = agent.span.end, _HEADING_DEPTH + 11
        yield Symbol(agent.name, detail, SymbolKind.AGENT, agent.name_span, end, depth)


def _cell_symbol(document: Document, meaning: Meaning) -> Symbol:
    cell, header = meaning.cell, meaning.cell.header
    selection = Span(0, 0) if header is None else Span(header.hashes.start, header.span.end)
    name = cell_name(meaning)
    time = "" if meaning.role is CellRole.CALL else meaning.value("time") or ""
    depth = 1 if header is None else header.depth
    return Symbol(
        name,
        _detail(meaning, name),
        KINDS[meaning.role],
        selection,
        cell.length,
        depth,
        time,
        _owner_id(document, CellId(cell.id or "")),
    )


def _owner_id(document: Document, cell_id: CellId) -> str:
    """The id of the code cell that a cell belongs to, below which it is shown."""
    is_owned = cell_id.parent and is_code_cell(document, cell_id.root)
    return cell_id.root if is_owned else ""


def cell_name(meaning: Meaning) -> str:
    """The title of a cell; without one, its tool, the number of the run, or its first words."""
    title = shorten(meaning.cell.title.strip(" \t"))
    if title:
        return title
    if meaning.role is CellRole.RUN:
        mime_type = meaning.value("mime_type") or _PLAIN
        what = Phrase("text") if mime_type == _PLAIN else mime_type
        number = CellId(meaning.cell.id or "").rest.partition(".")[0]
        return Phrase("Out {number} · {what}", number=number, what=what)
    tool = meaning.value("name") if meaning.role is CellRole.CALL else None
    return tool or _name_from_content(meaning.cell) or _UNTITLED[meaning.role]


def _detail(meaning: Meaning, name: str) -> str:
    """The id, type, tool and status of a cell, without those that are missing or its name."""
    key = "name" if meaning.role is CellRole.CALL else "status"
    pieces = [meaning.cell.id or "", meaning.type or "", meaning.value(key) or ""]
    return " · ".join([piece for piece in pieces if piece and piece != name])


# An opening fence is skipped, with the language of its code.
_FIRST_WORDS = re.compile(r"(?:[ \t\r\n]|(?:```|~~~)[^\r\n]*[\r\n])*([^\r\n]*)")


@remembered
def _name_from_content(cell: Cell) -> str:
    """The first words of a cell without a title."""
    start = cell.body.start
    if cell.home is not None and cell.home.is_typed:
        start = cell.home.span.end
    found = _FIRST_WORDS.match(cell.text, start, start + 400)
    return "" if found is None else shorten(found[1].lstrip("#>*- \t`"))

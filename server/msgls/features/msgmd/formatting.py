"""The formatter of message files: headers, definitions and blank lines.

Owns what a formatted cell looks like: the header with single spaces, one blank line, the
definition below the header with single spaces and normalised quotes, one blank line, the content,
one blank line before the next cell. Content, frontmatter and fences are never touched. The meaning
of the file is compared before and after: if an edit would change it, nothing is formatted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.formats.base import Meaning, Placed
from msgls.formats.msgmd.content import BLANK, escape, escape_offsets, trim_blank_lines
from msgls.formats.msgmd.definitions import quote_value
from msgls.formats.msgmd.edits import is_open, remove_line
from msgls.formats.msgmd.meaning import meaning_of, own_home
from msgls.formats.msgmd.section import section_of
from msgls.syntax.cells import Cell, CellKind, Definition, Header
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit, Span
from msgls.text.work import MANY, Work, done, gathered

_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_BREAK = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"


def format_document(snapshot: Snapshot) -> Work[list[Edit]]:
    """The edits that format a message file."""
    document = snapshot.document
    for moving in (True, False):
        edits = yield from _Formatter(document, moving).edits()
        if not edits:
            return []
        if (yield from _is_meaning_kept(document, edits)):
            return edits
    return []


def format_range(snapshot: Snapshot, span: Span) -> list[Edit]:
    """The edits that format the cells that a span touches; no definition moves to another cell."""
    document = snapshot.document
    edits = done(_Formatter(document, moving=False).edits(span))
    if not edits:
        return []
    return edits if done(_is_meaning_kept(document, edits)) else []


class _Home(NamedTuple):
    """A definition, and the text of the cell that it is in now."""

    definition: Definition
    text: str

    def line(self) -> str:
        """The formatted definition."""
        definition = self.definition
        if definition.problems:
            # A definition with errors is not rewritten.
            return definition.span.of(self.text).lstrip(" ")
        pairs = [f" {pair.key}={quote_value(pair.value)}" for pair in definition.attributes]
        return f"[^{definition.id.text}]: [{definition.type}]" + "".join(pairs)


class _Formatter:
    """One pass over a document."""

    def __init__(self, document: Document, moving: bool) -> None:
        self.document = document
        self.newline = document.newline
        section = section_of(document)
        self.record = Span(0, len(document.store)) if section is None else section.record
        self.homes: dict[int, _Home] = {}
        """The definition that belongs below the header, by the label of the cell."""
        self.cuts: dict[int, list[Span]] = {}
        """The definition lines that are moved, by the label of the cell that they are in now."""
        self._moving = moving

    def _is_recorded(self, placed: Placed) -> bool:
        inside = self.record.start <= placed.start_offset < self.record.end
        return inside and placed.cell.kind is not CellKind.PREAMBLE

    def _settle(self, placed: Placed) -> None:
        """Find the definition to put below the header of a cell, and where it is now."""
        home, holder = own_home(placed.cell), placed
        if home is None and self._moving:
            found = self._only_definition(placed)
            if found is not None:
                home, holder = found
        if home is not None:
            text = holder.cell.text
            self.homes[placed.label] = _Home(home, text)
            self.cuts.setdefault(holder.label, []).append(remove_line(text, *home.span))

    def _only_definition(self, placed: Placed) -> tuple[Definition, Placed] | None:
        """The definition of a cell, if no other cell and no other definition has that id."""
        cell_id = placed.cell.id
        if cell_id is None or len(self.document.entries("header", cell_id)) != 1:
            return None
        entries = self.document.entries("definition", cell_id)
        if len(entries) != 1:
            return None
        holder = self.document.cell(entries[0].label)
        found = [d for d in holder.cell.definitions_of(cell_id) if d.is_typed]
        return (found[0], holder) if len(found) == 1 else None

    def edits(self, within: Span | None = None) -> Work[list[Edit]]:
        """The edits of the whole document, or of the cells that a span touches."""
        for placed in self.document.cells():
            if self._is_recorded(placed):
                self._settle(placed)
            yield
        text_end = len(self.document.store)
        found: list[Edit] = []
        for placed in self.document.cells():
            if within is None or _touches(placed.span, within):
                edits = self._cell_edits(placed, placed.span.end == text_end)
                found += yield from gathered(
                    (
                        Edit(edit.span.shift(placed.start_offset), edit.text)
                        for edit in edits
                        if not _differs_in_breaks_alone(edit.span.of(placed.cell.text), edit.text)
                    ),
                    MANY,
                )
            yield
        return found

    def _cell_edits(self, placed: Placed, is_last: bool) -> Iterator[Edit]:
        """The edits of one cell, relative to it and in order."""
        cell = placed.cell
        header = cell.header
        cuts = sorted(self.cuts.get(placed.label, ()))
        if header is None or not self._is_recorded(placed):
            yield from self._other_edits(cell, cuts, is_last)
            return
        core = _core(cell.text, cell.body.start, cuts)
        gap = _first_break(cell.text, header.span.end) or self.newline
        home = self.homes.get(placed.label)
        blocks = [_header_line(header, cell.text)]
        blocks += [] if home is None else [home.line()]
        head = (gap + gap).join(blocks)
        if core is None:
            tail = gap if is_last else gap + gap
            yield Edit(Span(header.hashes.start, len(cell.text)), head + tail)
            return
        yield Edit(Span(header.hashes.start, core.start), head + gap + gap)
        yield from [Edit(cut, "") for cut in cuts if core.start <= cut.start < core.end]
        if not (is_last and is_open(cell)):
            # The first line break belongs to the content, and keeps its style.
            end = _first_break(cell.text, core.end) or gap
            yield Edit(Span(core.end, len(cell.text)), end if is_last else end + end)

    def _other_edits(self, cell: Cell, cuts: list[Span], is_last: bool) -> Iterator[Edit]:
        """The edits of the preamble and of cells outside of the section: only the gap below."""
        readable = cell.frontmatter is None or cell.frontmatter_closed
        mark = len(_BOM) if cell.text.startswith(_BOM) else 0
        core = _core(cell.text, mark, cuts)
        if core is None and cuts and cell.kind is CellKind.PREAMBLE:
            # It has only definitions, and all of them are moved.
            yield Edit(Span(mark, len(cell.text)), "")
            return
        if core is None or not readable or is_last or cell.kind is not CellKind.PREAMBLE:
            yield from [Edit(cut, "") for cut in cuts]
            return
        yield from [Edit(cut, "") for cut in cuts if cut.start < core.end]
        gap = _first_break(cell.text, core.end) or self.newline
        yield Edit(Span(core.end, len(cell.text)), gap + gap)


def _touches(cell: Span, within: Span) -> bool:
    return cell.start < max(within.end, within.start + 1) and within.start < cell.end


def _core(text: str, start: int, cuts: list[Span]) -> Span | None:
    """From the first to the last line that is neither blank nor cut, without its line break."""
    ends = {cut.start: cut.end for cut in cuts}
    starts = {cut.start for cut in cuts}
    while True:
        match = _BLANK_LINES.match(text, start)
        start = start if match is None else match.end()
        if start not in ends or start >= len(text):
            break
        start = ends[start]
    end = len(text)
    while end > start:
        visible_end = len(text[start:end].rstrip(BLANK)) + start
        if visible_end <= start:
            return None
        line_start, line_end = line_bounds(text, visible_end)
        if line_start not in starts:
            return Span(start, line_end)
        end = line_start
    return None


def _differs_in_breaks_alone(old: str, new: str) -> bool:
    return old == new or _BREAK.sub("\n", old) == _BREAK.sub("\n", new)


def _first_break(text: str, offset: int) -> str:
    match = _BREAK.search(text, offset)
    return "" if match is None else match.group()


def _header_line(header: Header, text: str) -> str:
    line = f"{header.hashes.of(text)} {header.percents.of(text)}"
    title = header.title.of(text)
    if title:
        line += f" {title}"
    if header.id_brackets is None:
        return line
    # A backslash right before the bracket would escape the id.
    apart = "" if title and not title.endswith("\\") else " "
    return line + apart + header.id_brackets.of(text)


# -- the meaning of a file, which must stay the same -------------------------------------------


def _is_meaning_kept(document: Document, edits: list[Edit]) -> Work[bool]:
    """Whether edits do not change the meaning of a file."""
    before = yield from _meaning_of_file(document)
    after = yield from _meaning_of_file((yield from document.rewriting(edits)))
    if len(before) != len(after):
        return False
    for one, other in zip(before, after, strict=True):
        if one != other:
            return False
        yield
    return True


def _meaning_of_file(document: Document) -> Work[list[tuple[object, ...]]]:
    """The meaning of a file, cell by cell, as conversion reads it."""
    meanings: list[Meaning] = []
    honoured: set[tuple[int, int]] = set()
    for placed in document.cells():
        meaning = meaning_of(document, placed)
        meanings.append(meaning)
        if meaning.definition is not None and meaning.holder is not None:
            honoured.add((meaning.holder.label, meaning.definition.span.start))
        yield
    said: list[tuple[object, ...]] = []
    section = section_of(document)
    end = len(document.store) if section is None else section.record.end
    start = 0 if section is None else section.record.start
    for meaning in meanings:
        yield
        placed, cell = meaning.placed, meaning.cell
        yield from cell.reading("definitions", "fences")
        cuts = yield from gathered(
            (
                remove_line(cell.text, *definition.span)
                for definition in cell.definitions
                if (placed.label, definition.span.start) in honoured
            ),
            MANY,
        )
        cuts += yield from gathered((Span(at, at + 1) for at in escape_offsets(cell)), MANY)
        last = min(cell.body.end, max(end - placed.start_offset, 0))
        frontmatter = None if cell.frontmatter is None else cell.frontmatter.of(cell.text)
        content = trim_blank_lines(_without(cell.text, Span(cell.body.start, last), cuts))
        if cell.kind is CellKind.PREAMBLE and frontmatter is None and content in ("", _BOM):
            # An empty preamble means the same as none.
            continue
        said.append(
            (
                cell.kind,
                meaning.role,
                start <= placed.start_offset < end,
                cell.id,
                cell.title,
                1 if cell.header is None else cell.header.depth,
                meaning.type,
                _attributes(meaning.definition),
                frontmatter,
                content,
            )
        )
    return said


def _attributes(definition: Definition | None) -> tuple[object, ...]:
    if definition is None:
        return ()
    faults = [problem.fault for problem in definition.problems]
    return (*[(pair.key, pair.value) for pair in definition.attributes], *faults)


def _without(text: str, part: Span, cuts: list[Span]) -> str:
    pieces, done = [], part.start
    for cut in sorted(cuts):
        if done <= cut.start < part.end:
            pieces.append(text[done : cut.start])
            done = cut.end
    pieces.append(text[done : max(part.end, done)])
    return "".join(pieces)


# -- Escaping text that is to be content of a message file.
# Owns where a backslash is needed: at line starts outside of fences, because everything in a fence
# is content already.

_DEFINED_ID = lazy_pattern(r"\[\^([^\s\[\]^]+)\]:")


def escaped(snapshot: Snapshot, offset: int, text: str) -> str:
    """Lines, escaped so that none of them begins or defines a cell at ``offset``."""
    document = snapshot.document
    if _is_fenced(document, offset):
        return text
    ids = {name for name in _DEFINED_ID.findall(text) if document.entries("header", name)}
    return escape(text, ids)


def _is_fenced(document: Document, offset: int) -> bool:
    placed = document.cell_at_offset(offset)
    if placed is None:
        return False
    inside = offset - placed.start_offset
    return any(
        fence.content.start <= inside and (fence.close is None or inside <= fence.close.start)
        for fence in placed.cell.fences
        if fence.span.start < inside <= fence.span.end
    )

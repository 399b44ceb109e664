"""The language of message files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from msgls.document.document import Document
from msgls.document.snapshot import Snapshot
from msgls.features import msgmd
from msgls.features.definition import Target, line_at
from msgls.features.folding import Fold, last_line, line_of
from msgls.features.language import Language, delegate
from msgls.features.msgmd import names, outline, rename
from msgls.features.msgmd.places import PlaceKind, owner_of, place_at
from msgls.features.names import bare_name, declaring, places_of
from msgls.formats.base import CellRole, Meaning, Placed
from msgls.formats.msgmd.edits import descendant_ids
from msgls.formats.msgmd.meaning import meaning_of
from msgls.formats.msgmd.section import section_of
from msgls.rules.base import Subject
from msgls.rules.msgmd.ids import likely_definition
from msgls.rules.msgmd.msg101_header_without_definition import HeaderWithoutDefinition
from msgls.syntax.cells import CellKind
from msgls.syntax.names import Name, NameKind
from msgls.syntax.nodes import FoldKind, NodeKind
from msgls.text.phrases import Phrase
from msgls.text.spans import Span
from msgls.text.work import Work

if TYPE_CHECKING:
    from msgls.features.command_table import Command
    from msgls.features.commands import Run

_ASKERS = (CellRole.ANSWER, CellRole.CALL, CellRole.CODE)
_TRAFFIC = (CellRole.CALL, CellRole.RESULT)
_LEAST_TRAFFIC = 3


class MessageFile(Language):
    """Cells in Markdown, with their metadata in footnotes."""

    shared_kind = NameKind.AGENT
    nothing_to_rename = rename.NOTHING
    other_types = Phrase("a language, an agent, tool")

    counts = delegate(lambda: names.counts)
    unindexed_name = delegate(lambda: names.unindexed_name)
    counterparts = delegate(lambda: names.counterparts)
    symbols = delegate(lambda: outline.symbols)
    cell_symbols = delegate(lambda: outline.cell_symbols)
    elsewhere = delegate(lambda: names.elsewhere)
    linked = delegate(lambda: names.linked)
    renamable = delegate(lambda: rename.renamable)
    rename = delegate(lambda: rename.rename)
    rename_shared = delegate(lambda: rename.rename_shared)
    ignoring = delegate(lambda: msgmd.actions.ignoring)
    cell_actions = delegate(lambda: msgmd.actions.cell_actions)
    range_actions = delegate(lambda: msgmd.actions.range_actions)
    involved_agents = delegate(lambda: msgmd.agents.involved_agents)
    add_agent = delegate(lambda: msgmd.agents.add_agent)
    set_default = delegate(lambda: msgmd.agents.set_default)
    check_agent = delegate(lambda: msgmd.appending.check_agent)
    append_cell = delegate(lambda: msgmd.appending.append_cell)
    complete = delegate(lambda: msgmd.completion.complete)
    opens = delegate(lambda: msgmd.completion.opens)
    documentation = delegate(lambda: msgmd.completion.documentation)
    format_document = delegate(lambda: msgmd.formatting.format_document)
    format_range = delegate(lambda: msgmd.formatting.format_range)
    hints = delegate(lambda: msgmd.hints.hints)
    hover = delegate(lambda: msgmd.hover.hover)
    lenses = delegate(lambda: msgmd.hints.lenses)
    lens_text = delegate(lambda: msgmd.hints.lens_text)
    escaped = delegate(lambda: msgmd.formatting.escaped)

    def longer_names(self, document: Document, name: Name) -> Iterable[str]:
        """The ids of a cell's descendants, which begin with its own."""
        is_id = name.kind is NameKind.CELL
        return descendant_ids(document, name.text) if is_id else ()

    def jump(self, document: Document, offset: int) -> tuple[Span, list[Target]] | None:
        """From the type of a call, a result or a run to the cell that it belongs to."""
        place = place_at(document, offset)
        owner = None if place is None else owner_of(document, place)
        if place is None or owner is None or place.kind is not PlaceKind.TYPE:
            return None
        parent = bare_name(NameKind.CELL, meaning_of(document, owner).parent_id or "")
        spans = declaring(places_of(document, parent))
        return place.span, [Target(span, line_at(document, span)) for span in spans]

    def groups(self, document: Document, number: int, offset: int) -> Iterator[Span]:
        """The turn around a cell, and the section with the conversation."""
        yield _turn(document, number)
        section = section_of(document)
        if section is not None and section.headings:
            yield Span(section.headings[0].span.start, section.record.end)

    def folds(self, document: Document) -> Work[list[Fold]]:
        """The prose before the block of each code cell, and sequences of calls and results."""
        found: list[Fold] = []
        traffic: list[Meaning] = []
        for placed in document.cells():
            meaning = meaning_of(document, placed)
            if meaning.role is CellRole.CODE:
                found += _reasoning(placed)
            if meaning.role in _TRAFFIC:
                traffic.append(meaning)
            else:
                found += _traffic(traffic)
                traffic = []
            yield
        return [*found, *_traffic(traffic)]

    def uncoloured(self, document: Document, placed: Placed) -> Collection[NodeKind]:
        """All cells but runs: only a run has streams."""
        is_run = meaning_of(document, placed).role is CellRole.RUN
        return () if is_run else (NodeKind.STREAM,)

    def cell_types(self) -> Mapping[str, str]:
        return {
            "markdown": Phrase("a message"),
            "code": Phrase("code to run"),
            "raw": Phrase("a message that is sent verbatim"),
        }

    def commands(self) -> Mapping[Command, Run]:
        return msgmd.commands.RUNS

    def missing_definition(self, snapshot: Snapshot, offset: int) -> str | None:
        """The definition of a new cell, as the fix of MSG101 writes it."""
        document = snapshot.document
        placed = document.cell_at_offset(offset)
        header = None if placed is None else placed.cell.header
        if placed is None or header is None or header.id is None:
            return None
        line = document.position_of(offset).line
        header_line = document.position_of(placed.start_offset + header.span.start).line
        if line != header_line + 1 or document.store.line_text(line):
            return None
        subject = Subject(snapshot, snapshot.meaning(placed))
        if next(HeaderWithoutDefinition().check(subject), None) is None:
            return None
        newline = document.newline
        is_last = document.store.line_span(line).end == len(document.store)
        is_followed = not is_last and document.store.line_text(line + 1).strip(" \t") != ""
        text = newline + likely_definition(document, placed, header.id.text)
        return text + (newline if is_last or is_followed else "")

    def answers(
        self, snapshot: Snapshot, placed: Placed, span: Span
    ) -> Iterator[tuple[Placed, int]]:
        """Calls of an answer, results of a call, runs of code: the cells with its id as parent."""
        cell_id = placed.cell.id
        for entry in snapshot.document.entries("child", cell_id) if cell_id else ():
            child = snapshot.document.cell(entry.label)
            if any(asker.label == placed.label for asker, _ in self.askers(snapshot, child, span)):
                yield child, 0

    def askers(
        self, snapshot: Snapshot, placed: Placed, span: Span
    ) -> Iterator[tuple[Placed, int]]:
        """The last cell before it with its parent's id."""
        parent_id = snapshot.meaning(placed).parent_id
        headers = snapshot.document.entries("header", parent_id) if parent_id else ()
        before = bisect_left(headers, placed.label, key=attrgetter("label"))
        if before:
            meaning = snapshot.meaning_at(headers[before - 1].label)
            if meaning.role in _ASKERS:
                yield meaning.placed, 0


def _turn(document: Document, number: int) -> Span:
    """A message with all outputs up to the next message."""
    first = number
    while first > 0 and document.cell_number(first).cell.kind is CellKind.OUTPUT:
        first -= 1
    last = number
    while last + 1 < document.cell_count:
        if document.cell_number(last + 1).cell.kind is not CellKind.OUTPUT:
            break
        last += 1
    return Span(document.cell_number(first).span.start, document.cell_number(last).span.end)


def _reasoning(placed: Placed) -> Iterator[Fold]:
    cell = placed.cell
    start = cell.body.start if cell.home is None else cell.home.span.end
    prose = "" if cell.code_block is None else cell.text[start : cell.code_block.span.start]
    if prose.strip(" \t\r\n"):
        first = line_of(placed, start + len(prose) - len(prose.lstrip(" \t\r\n")))
        last = last_line(placed, start + len(prose))
        yield Fold(first, last, FoldKind.COMMENT, Phrase("reasoning"))


def _traffic(meanings: Sequence[Meaning]) -> Iterator[Fold]:
    if len(meanings) >= _LEAST_TRAFFIC:
        text = Phrase("{count} tool cells", count=len(meanings))
        first, last = meanings[0].placed.start_line, last_line(meanings[-1].placed)
        yield Fold(first, last, FoldKind.REGION, text)

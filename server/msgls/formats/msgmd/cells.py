"""From pieces to a cell: header, definitions, fences, headings, references, facts.

Owns the making of a ``Cell`` out of the pieces it consists of, nearly always one. Looks only at the
lines that the lexer found significant, so that a cell of many pieces is put together without
reading its text again; and reads a part only on demand. Never raises: what is half-written is a
cell with parts missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar, cast

from msgls.formats.msgmd.definitions import (
    TYPED_LINE,
    definition_without_colon,
    parse_definition,
    plain_definition,
)
from msgls.formats.msgmd.lexer import (
    FRONTMATTER,
    NORMAL,
    QUOTED_HEADER,
    UNICODE_BLANKS,
    FenceRun,
    Lexed,
    Line,
    LineKind,
    after_break,
)
from msgls.formats.msgmd.nodes import reading_links, reading_names, reading_nodes
from msgls.syntax.cells import (
    Cell,
    CellKind,
    ConflictLine,
    Definition,
    DefinitionHead,
    FactKey,
    Facts,
    Fence,
    Header,
    Heading,
    Held,
    Id,
    NearMiss,
    PartedFacts,
    Suppression,
    by_id,
)
from msgls.syntax.names import Name
from msgls.syntax.nodes import Link, Node
from msgls.text.lines import line_bounds
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Span
from msgls.text.work import MANY, Work, at_once, done

_HEADER = lazy_pattern(r"\ufeff?(#{1,5})[ \t]+(%%%?)")
_ATX = lazy_pattern(r"[ ]{0,3}(#{1,6})(?=[ \t]|\Z)")
_NEAR_MISS = lazy_pattern(
    rf"\ufeff?[ ]{{0,3}}([\#\uff03]+)[ \t{UNICODE_BLANKS}]*([%\uff05]{{2,5}})(?![%\uff05])"
    r"([^\r\n]*)"
)
_BLANK = lazy_pattern(rf"[ \t{UNICODE_BLANKS}]")
_PRAGMA = lazy_pattern(r"[ \t]*<!--[ \t]*msgls:[ \t]*ignore[ \t]([A-Za-z0-9, \t-]*)-->[ \t]*\Z")
_TOOL_NAME = lazy_pattern(r"(?<=[ \t])name=(?:\"([^\"\\]*)\"|([^ \t\"'\\]+))(?![^ \t])")
_TIME = lazy_pattern(r"(?<=[ \t])time=(\"[^\"]*\"|'[^']*'|[^ \t\"']+)")
_OFF = ("", "0", "false")
_COMMENT = lazy_pattern(r"(?:\A|(?<=\n)|(?<=\r)(?!\n))[ ]{0,3}<!--")
_DASHES = lazy_pattern(r"---[ \t]*\Z")
# Lines that a paragraph cannot hold, and lines that take the one below them into a container.
_NOT_PARAGRAPH = lazy_pattern(
    r"[ \t]*\Z|[ ]{0,3}(?:\#{1,6}(?:[ \t]|\Z)|`{3}|~{3}|\[\^[^\]]*\]:|\||<"
    r"|([-*_])[ \t]*(?:\1[ \t]*){2,}\Z)"
)
_CONTAINER = lazy_pattern(r"[ ]{0,3}(?:>|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|\Z))")
_EMPHASIS_OR_BLANK = lazy_pattern(r"[* \t]|(?<!\w)_|_(?!\w)")
_DEEPEST = 6
# As many ids are looked for in each piece; of more, a table is made.
_MANY = 1_000
_BOM = "\ufeff"
# By name: a member of an enumeration is looked up ten times as slowly, and its value even more.
_PREAMBLE, _MESSAGE, _OUTPUT = CellKind.PREAMBLE, CellKind.MESSAGE, CellKind.OUTPUT
_KIND_FACTS = (_MESSAGE.value,), (_OUTPUT.value,)
_BRACKET, _HASH, _UNDERLINE = LineKind.BRACKET, LineKind.HASH, LineKind.UNDERLINE
_CONFLICT, _MARKER, _PRAGMA_KIND = LineKind.CONFLICT, LineKind.MARKER, LineKind.PRAGMA
_HELD_REFERENCE, _HELD_NEAR_MISS = int(Held.REFERENCE), int(Held.NEAR_MISS)
_HELD_OPEN_FENCE, _HELD_SUPPRESSION = int(Held.OPEN_FENCE), int(Held.SUPPRESSION)
_HELD_LINK = int(Held.LINK)
T = TypeVar("T")
_ById = Mapping[str, Sequence[Definition]]
_Solo = tuple[CellKind, "str | None", Facts]


def parse_cell(parts: Sequence[tuple[Lexed, str]], with_headings: bool) -> Cell:
    """The cell that ``parts`` make: each a piece and the state that it is entered in."""
    first, entry = parts[0]
    solo = len(parts) == 1 and entry == NORMAL
    reader = _Reader(parts)
    if solo and first.solo is not None:
        kind, cell_id, facts = cast("_Solo", first.solo)
        return Cell(kind, (first.text,), cell_id, facts, reader)
    kind, cell_id = _PREAMBLE, None
    if reader.has_header:
        kind = _OUTPUT if first.percents == 3 else _MESSAGE
        if first.plain is not None:
            cell_id = first.plain.id
        elif first.id_brackets is not None:
            cell_id = first.text[first.id_brackets[0] + 2 : first.id_brackets[1] - 1]
    facts = reader.facts(kind, cell_id, with_headings)
    if solo:
        # Not the cell: a piece that referred to it would never be freed without a collector.
        first.solo = kind, cell_id, facts
    return Cell(kind, tuple([lexed.text for lexed, _ in parts]), cell_id, facts, reader)


def prepare_part(lexed: Lexed, entry: str) -> None:
    """Find what one of several pieces of a cell says, which is kept with the piece."""
    lexed.kept(_said_in, entry)


class _Reader:
    """Reads one cell, part by part. All offsets are relative to the cell.

    What follows from a piece alone is kept with it where there are several: an edit of a long cell
    reads one of them again.
    """

    __slots__ = ("_found", "_holders", "_joined", "_known", "_text", "has_header", "parts")

    def __init__(self, parts: Sequence[tuple[Lexed, str]]) -> None:
        self.parts = parts
        first, entry = parts[0]
        self.has_header = first.has_header(entry)
        self._text: str | None = None
        self._joined: list[Line] | None = None
        self._known: list[tuple[int, _ById]] | None = None
        """Of each piece, where it starts and its definitions."""
        self._holders: dict[str, list[tuple[int, _ById]]] | None = None
        self._found: dict[str, list[Definition]] = {}

    @property
    def _lines(self) -> Sequence[Line]:
        """The significant lines outside fences and frontmatter, without the header."""
        if len(self.parts) == 1:
            first, entry = self.parts[0]
            return first.walk(entry).lines
        if self._joined is None:
            found = self._each(_lines_in)
            self._joined = [_shift(line, base) for base, lines in found for line in lines]
        return self._joined

    def _each(self, read: Callable[[Lexed, str], T]) -> Iterator[tuple[int, T]]:
        """What ``read`` says of each piece, and where that starts."""
        if len(self.parts) == 1:
            yield 0, read(*self.parts[0])
            return
        base = 0
        for lexed, entry in self.parts:
            yield base, lexed.kept(read, entry)
            base += len(lexed.text)

    @property
    def text(self) -> str:
        if len(self.parts) == 1:
            return self.parts[0][0].text
        if self._text is None:
            self._text = "".join([lexed.text for lexed, _ in self.parts])
        return self._text

    def has_plain_head(self) -> bool:
        return self.has_header and self.parts[0][0].plain is not None

    def reading(self, cell: Cell, part: str) -> Work[object]:
        """One part with pauses; those that are few in any cell at once."""
        works: Mapping[str, Callable[[], Work[object]]] = {
            "definitions": self._reading_definitions,
            "references": self._reading_references,
            "fences": self._reading_fences,
            "headings": self._reading_headings,
            "near_misses": self._reading_near_misses,
            "suppressions": self._reading_suppressions,
            "names": partial(reading_names, cell),
            "nodes": partial(reading_nodes, cell),
            "links": partial(reading_links, cell),
        }
        work = works.get(part)
        return at_once(getattr(cell, part)) if work is None else work()

    def _joining(
        self, read: Callable[[Lexed, str], Sequence[T]], shift: Callable[[T, int], T]
    ) -> Work[tuple[T, ...]]:
        """What ``read`` says of all pieces, with a pause after each."""
        found: list[T] = []
        for base, some in self._each(read):
            found += [shift(one, base) for one in some] if base else some
            yield
        return tuple(found)

    def indexing(self) -> Work[None]:
        # Kept with the pieces.
        for _ in self._each(_definitions_by_id_in):
            yield

    def holds(self) -> int:
        holds = 0
        for _, held in self._each(_held_in):
            holds |= held
        return holds

    def header(self) -> Header | None:
        return _header(self.parts[0][0]) if self.has_header else None

    def body(self) -> Span:
        text = self.text
        if self.has_header:
            return Span(after_break(text, self.parts[0][0].lines[0].end), len(text))
        frontmatter = self.frontmatter()
        if frontmatter is not None:
            return Span(after_break(text, frontmatter.end), len(text))
        return Span(int(text.startswith(_BOM)), len(text))

    def frontmatter(self) -> Span | None:
        end = 0
        for lexed, entry in self.parts:
            walk = lexed.walk(entry)
            if walk.frontmatter_end >= 0:
                return Span(0, end + walk.frontmatter_end)
            end += len(lexed.text)
            if walk.exit != FRONTMATTER:
                return None
        return Span(0, end)

    def frontmatter_closed(self) -> bool:
        return any(lexed.walk(entry).frontmatter_end >= 0 for lexed, entry in self.parts)

    def definitions(self) -> tuple[Definition, ...]:
        return done(self._reading_definitions())

    def _reading_definitions(self) -> Work[tuple[Definition, ...]]:
        return self._joining(_definitions_in, lambda one, by: one.shifted(by))

    def first_definition(self) -> Definition | None:
        for base, definitions in self._each(_definitions_in):
            if definitions:
                return definitions[0].shifted(base) if base else definitions[0]
        return None

    def definitions_of(self, cell_id: str) -> Sequence[Definition]:
        found = self._found.get(cell_id)
        if found is None:
            if self._known is None:
                self._known = list(self._each(_definitions_by_id_in))
            if len(self._found) == _MANY:
                # Where all cells are checked, each asks for its definition, and never again.
                self._index_known()
                self._found.clear()
            known = self._known if self._holders is None else self._holders.get(cell_id, ())
            found = []
            for base, by in known:
                some = by.get(cell_id, ())
                found += [d.shifted(base) for d in some] if base else some
            self._found[cell_id] = found
        return found

    def _index_known(self) -> None:
        """List the pieces by id."""
        if self._holders is None:
            self._holders = {}
            for base, by in self._known or ():
                for cell_id in by:
                    self._holders.setdefault(cell_id, []).append((base, by))

    def fences(self) -> tuple[Fence, ...]:
        return done(self._reading_fences())

    def _reading_fences(self) -> Work[tuple[Fence, ...]]:
        """Join what each piece says: a fenced block may run through several of them."""
        text = self.text
        fences: list[Fence] = []
        opened: tuple[Line, int] | None = None
        base = 0
        for lexed, entry in self.parts:
            for run in lexed.walk(entry).fences:
                if run.opening is not None:
                    opened = _shift(run.opening, base), base + run.content_start
                if not run.continues and opened is not None:
                    closing = None if run.closing is None else _shift(run.closing, base)
                    fences.append(_fence(text, *opened, base + run.content_end, closing))
                    opened = None
            base += len(lexed.text)
            yield
        if opened is not None:
            fences.append(_fence(text, *opened, len(text), None))
        return tuple(fences)

    def hidden_markers(self) -> tuple[Span, ...]:
        hidden: list[Span] = []
        base = 0
        for lexed, entry in self.parts:
            walk = lexed.walk(entry)
            if any(not run.continues for run in walk.fences):
                hidden.clear()
            hidden += [Span(line.start + base, line.end + base) for line in walk.hidden]
            base += len(lexed.text)
        return tuple(hidden)

    def references(self) -> tuple[Id, ...]:
        return done(self._reading_references())

    def _reading_references(self) -> Work[tuple[Id, ...]]:
        return self._joining(_references_in, lambda one, by: Id(one.text, one.span.shift(by)))

    def headings(self) -> tuple[Heading, ...]:
        return done(self._reading_headings())

    def _reading_headings(self) -> Work[tuple[Heading, ...]]:
        text = self.text
        headings: list[Heading | None] = []
        block = self.agent_block()
        below = self.body().start if block is None else block.end + 1
        floor = _Floor(below, self.fences)
        in_conflict = False
        for number, line in enumerate(self._lines):
            if not number % MANY:
                yield
            if line.start < below:
                continue
            mark = text[line.start]
            if line.kind is _HASH:
                if _near_miss(text, line) is None:
                    headings.append(_atx(text, line))
            elif line.kind is _CONFLICT and (in_conflict or mark != "="):
                in_conflict = mark == "<" or (in_conflict and mark != ">")
                floor.offset = line.end
            elif line.kind in (_UNDERLINE, _CONFLICT):
                heading = _setext(text, line, floor.above(line))
                headings.append(heading)
                if heading is not None or "-" in text[line.start : line.end]:
                    floor.offset = line.end
        found = [heading for heading in headings if heading is not None]
        if found and "<!--" in text:
            found = list(_outside_comments(text, found, self.fences()))
        return tuple(found)

    def agent_block(self) -> Span | None:
        """The YAML that a temporary agent's content opens with, between two ``---`` lines."""
        text = self.text
        dashes = [
            line
            for line in self._lines
            if line.kind is _UNDERLINE and _DASHES.match(text, line.start, line.end)
        ]
        if len(dashes) < 2 or self.parts[0][0].percents != 2 or not self.has_header:
            return None
        header, definition = self.header(), next(iter(self.definitions()), None)
        if header is None or header.id is None or definition is None:
            return None
        if definition.id.text != header.id.text or definition.value("definition") != "agent":
            return None
        above = text[self.body().start : definition.span.start]
        between = text[definition.span.end : dashes[0].start]
        if (above + between).strip(" \t\r\n"):
            return None
        return Span(after_break(text, dashes[0].end), dashes[1].start)

    def near_misses(self) -> tuple[NearMiss, ...]:
        return done(self._reading_near_misses())

    def _reading_near_misses(self) -> Work[tuple[NearMiss, ...]]:
        return self._joining(
            _near_misses_in, lambda one, by: NearMiss(one.span.shift(by), one.mended)
        )

    def conflicts(self) -> tuple[ConflictLine, ...]:
        return tuple(
            [
                ConflictLine(self.text[line.start], Span(line.start, line.end))
                for line in self._lines
                if line.kind is _CONFLICT
            ]
        )

    def suppressions(self) -> tuple[Suppression, ...]:
        return done(self._reading_suppressions())

    def _reading_suppressions(self) -> Work[tuple[Suppression, ...]]:
        return self._joining(
            _suppressions_in, lambda one, by: Suppression(one.codes, one.span.shift(by))
        )

    def names(self, cell: Cell) -> tuple[Name, ...]:
        return done(reading_names(cell))

    def nodes(self, cell: Cell) -> tuple[Node, ...]:
        return done(reading_nodes(cell))

    def links(self, cell: Cell) -> tuple[Link, ...]:
        return done(reading_links(cell))

    def _nearly_home(self, cell_id: str) -> Definition | None:
        """The definition at home that has another id, or no colon."""
        start = self.body().start
        lines = (_shift(ln, base) for base, found in self._each(_lines_in) for ln in found)
        line = next((line for line in lines if line.start >= start), None)
        if (
            line is None
            or line.kind is not _BRACKET
            or self.text[start : line.start].strip(" \t\r\n")
        ):
            return definition_without_colon(self.text, start, cell_id)
        home = parse_definition(self.text, line.start, line.end)
        return home if home is not None and home.id.text != cell_id and home.is_meant else None

    def facts(self, kind: CellKind, cell_id: str | None, with_headings: bool) -> Facts:
        """What the index needs of a cell. No offsets: typing above must not change a fact."""
        facts: _Gathered = {}
        if len(self.parts) == 1:
            agent = _add_said(facts, *self.parts[0])
            self._add_own(facts, facts, kind, cell_id, agent, with_headings)
            return _settle(facts)
        said = [found for _, found in self._each(_said_in)]
        agents = [agent for _, agent in said if agent]
        parts = PartedFacts([found for found, _ in said])
        self._add_own(facts, parts, kind, cell_id, agents[-1] if agents else None, with_headings)
        return PartedFacts([*parts.parts, _settle(facts)])

    def _add_own(
        self,
        facts: _Gathered,
        said: Mapping[FactKey, Iterable[object]],
        kind: CellKind,
        cell_id: str | None,
        agent: str | None,
        with_headings: bool,
    ) -> None:
        """Add what no piece knows by itself; ``said`` are the facts of all pieces."""
        if cell_id is not None:
            facts["header", cell_id] = _KIND_FACTS[kind is _OUTPUT]
            if "." in cell_id:
                parent, _, last = cell_id.rpartition(".")
                facts["child", parent] = (last,)
                if "." in parent:
                    facts["below", cell_id.partition(".")[0]] = (cell_id,)
        if self.has_header and cell_id is not None and not self.has_plain_head():
            slip = self._nearly_home(cell_id)
            if slip is not None and slip.marks:
                _add_marks(facts, cell_id, slip.marks)
        if kind is _OUTPUT and cell_id is not None and "." in cell_id:
            # The runs of all code cells share their numbers: none of them has a nonce.
            own = said.get(("definition", cell_id))
            if own is None or any(payload[0] == "tool" for payload in cast("_Typed", own)):
                facts["nonce", cell_id.split(".", 2)[1]] = (cell_id,)
        if with_headings:
            self._add_headings(facts)
        frontmatter = None if self.has_header else self.frontmatter()
        if frontmatter is not None:
            _add_agents(facts, frontmatter.of(self.text), self.frontmatter_closed())
        block = None if agent is None else self.agent_block()
        if agent is not None and block is not None:
            _add_models(facts, block.of(self.text), agent)

    def _add_headings(self, facts: _Gathered) -> None:
        header = self.header()
        deepest = _DEEPEST if header is None else header.depth
        for heading in self.headings():
            _add(facts, ("heading", fold_heading(heading.text)), heading.level)
            # What is deeper than the marker of its cell is a part of the cell.
            if heading.level <= deepest:
                _add(facts, ("level", str(heading.level)), None)


def _lines_in(lexed: Lexed, entry: str) -> Sequence[Line]:
    return lexed.walk(entry).lines


def _held_in(lexed: Lexed, entry: str) -> int:
    holds, text, walk = 0, lexed.text, lexed.walk(entry)
    for kind, start, end, *_ in walk.lines:
        if kind is _BRACKET:
            continue
        if kind is _HASH:
            if text.find("%", start, end) >= 0 or text.find("\uff05", start, end) >= 0:
                holds |= _HELD_NEAR_MISS
        elif kind is _MARKER:
            holds |= _HELD_NEAR_MISS
        elif kind is _PRAGMA_KIND:
            holds |= _HELD_SUPPRESSION
    if "](" in text or "output_file" in text:
        holds |= _HELD_LINK
    if lexed.references:
        holds |= _HELD_REFERENCE
    if lexed.has_fence or entry:
        for run in walk.fences:
            if run.closing is None:
                holds |= _HELD_OPEN_FENCE
    return holds


def _definitions_in(lexed: Lexed, entry: str) -> Sequence[Definition]:
    found: list[Definition | None] = []
    head = lexed.plain if lexed.has_header(entry) else None
    for line in lexed.walk(entry).lines:
        if line.kind is _BRACKET:
            if head is not None and line.start == head.start:
                found.append(plain_definition(head))
            else:
                found.append(parse_definition(lexed.text, line.start, line.end))
    return [definition for definition in found if definition is not None]


def _near_misses_in(lexed: Lexed, entry: str) -> Sequence[NearMiss]:
    suspects = (_HASH, _MARKER)
    found = [_near_miss(lexed.text, ln) for ln in lexed.walk(entry).lines if ln.kind in suspects]
    return [near_miss for near_miss in found if near_miss is not None]


def _suppressions_in(lexed: Lexed, entry: str) -> Sequence[Suppression]:
    found = []
    for line in lexed.walk(entry).lines:
        if line.kind is _PRAGMA_KIND:
            match = _PRAGMA.match(lexed.text, line.start, line.end)
            codes = () if match is None else tuple(match.group(1).replace(",", " ").split())
            if codes:
                found.append(Suppression(codes, Span(line.start, line.end)))
    return found


def _definitions_by_id_in(lexed: Lexed, entry: str) -> Mapping[str, Sequence[Definition]]:
    return by_id(lexed.kept(_definitions_in, entry))


def _references_in(lexed: Lexed, entry: str) -> Sequence[Id]:
    """The references of a piece, without those in fences and what is not prose."""
    return tuple(_references(lexed, entry)) if lexed.references else ()


def _references(lexed: Lexed, entry: str) -> Iterator[Id]:
    text, walk = lexed.text, lexed.walk(entry)
    taken = [_taken(run) for run in walk.fences]
    for definition in _definitions_in(lexed, entry):
        prose = definition.head is DefinitionHead.PROSE
        end = definition.id.span.end if prose else definition.span.end
        taken.append(Span(definition.span.start, end))
    if lexed.has_header(entry):
        header = _header(lexed)
        if header.id is not None:
            taken.append(header.id.span)
    elif walk.frontmatter_end >= 0 or walk.exit == FRONTMATTER:
        end = walk.frontmatter_end
        taken.append(Span(0, len(text) if end < 0 else end))
    taken.sort(reverse=True)
    for span in lexed.references:
        while taken and taken[-1].end < span.end:
            taken.pop()
        if not (taken and taken[-1].covers(span)):
            yield Id(span.of(text), span)


def _taken(run: FenceRun) -> Span:
    """What a fenced block takes of a piece."""
    start, end = run.content_start, run.content_end
    if run.opening is not None:
        start, end = run.opening.start, max(end, run.opening.end)
    return Span(start, end if run.closing is None else run.closing.end)


def _said_in(lexed: Lexed, entry: str) -> tuple[Facts, str | None]:
    """The facts of one of several pieces, and the temporary agent that it makes."""
    facts: _Gathered = {}
    agent = _add_said(facts, lexed, entry)
    if entry and lexed.is_marker and not lexed.starts_cell(entry):
        # Each marker line begins a piece: in a fence, it quotes a header.
        quoted = QUOTED_HEADER.match(lexed.text)
        if quoted is not None:
            _add(facts, ("quoted", quoted["id"]), None)
    return _settle(facts), agent


def _add_said(facts: _Gathered, lexed: Lexed, entry: str) -> str | None:
    """Add what the lines of a piece say; gives the temporary agent that they make."""
    agent: str | None = None
    has_header = lexed.has_header(entry)
    head = lexed.plain if has_header else None
    for line in lexed.walk(entry).lines:
        if line.kind is _BRACKET:
            if head is not None and line.start == head.start:
                pieces: tuple[str, str, str] | None = (head.id, head.type, head.attributes)
            else:
                match = TYPED_LINE.match(lexed.text, line.start, line.end)
                pieces = None if match is None else (match["id"], match["type"], match["rest"])
            agent = _add_definition(facts, lexed.text, line, pieces) or agent
        elif line.kind is _CONFLICT:
            _add(facts, ("conflict", lexed.text[line.start]), None)
    if lexed.references:
        title_end = lexed.lines[0].end if has_header else 0
        for reference in _references(lexed, entry):
            _add(facts, ("reference", reference.text), reference.span.start < title_end)
    return agent


def _outside_comments(
    text: str, headings: Sequence[Heading], fences: Sequence[Fence]
) -> Iterator[Heading]:
    """The headings that no HTML comment hides."""
    comments = _comments(text, fences)
    comment = next(comments, None)
    for heading in headings:
        while comment is not None and comment.end <= heading.span.start:
            comment = next(comments, None)
        if comment is None or heading.span.start < comment.start:
            yield heading


def _comments(text: str, fences: Sequence[Fence]) -> Iterator[Span]:
    """HTML comments that start a line outside fences, in order; unclosed ones do not count."""
    done = number = 0
    for opening in _COMMENT.finditer(text):
        start = opening.start()
        while number < len(fences) and fences[number].span.end <= start:
            number += 1
        is_code = number < len(fences) and fences[number].span.start <= start
        if is_code or start < done:
            continue
        end = text.find("-->", opening.end())
        if end < 0:
            return
        done = end + len("-->")
        yield Span(start, done)


class _Floor:
    """Where the text above an underline starts at the earliest; asked from top to bottom."""

    def __init__(self, offset: int, fences: Callable[[], Sequence[Fence]]) -> None:
        self.offset = offset
        self._find_fences = fences
        self._fences: Sequence[Fence] | None = None
        self._passed = 0

    def above(self, line: Line) -> int:
        # Imported late: few cells have an underline at all.
        if self._fences is None:
            self._fences = self._find_fences()
        while self._passed < len(self._fences):
            fence = self._fences[self._passed].span
            if fence.start > line.start:
                break
            self.offset = max(self.offset, fence.end)
            self._passed += 1
        return self.offset


def _shift(line: Line, base: int) -> Line:
    if not base:
        return line
    return line._replace(
        start=line.start + base, end=line.end + base, fence_start=line.fence_start + base
    )


def _fence(
    text: str, opening: Line, content_start: int, content_end: int, closing: Line | None
) -> Fence:
    fence = Span(opening.fence_start, opening.fence_start + len(opening.fence))
    content = Span(content_start, max(content_start, content_end))
    return Fence(
        span=Span(opening.start, max(content.end if closing is None else closing.end, opening.end)),
        fence=fence,
        info=Span(*_trim(text, fence.end, opening.end)),
        content=content,
        close=None if closing is None else Span(closing.start, closing.end),
        in_list=bool(opening.indent),
    )


def _header(lexed: Lexed) -> Header:
    text, end = lexed.text, lexed.lines[0].end
    match = _HEADER.match(text)
    assert match is not None, "only lines that the lexer takes for markers come here"
    brackets = None if lexed.id_brackets is None else Span(*lexed.id_brackets)
    inner = None if brackets is None else Span(brackets.start + 2, brackets.end - 1)
    return Header(
        span=Span(match.start(1), end),
        hashes=Span(*match.span(1)),
        percents=Span(*match.span(2)),
        title=Span(*_trim(text, match.end(), end if brackets is None else brackets.start)),
        id=None if inner is None else Id(inner.of(text), inner),
        id_brackets=brackets,
    )


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t":
        start += 1
    while end > start and text[end - 1] in " \t":
        end -= 1
    return start, end


def _near_miss(text: str, line: Line) -> NearMiss | None:
    """What a line that is not a marker would be as one, if it is nearly one."""
    match = _NEAR_MISS.match(text, line.start, line.end)
    if match is None:
        return None
    hashes, percents, rest = match.groups()
    if _BLANK.match(rest):
        apart = " " + rest[1:] if rest[0] not in " \t" else rest
    elif not rest or rest.startswith("[^"):
        apart = rest
    elif len(percents) > 3:
        return None
    else:
        apart = " " + rest
    mended = "#" * min(len(hashes), 5) + " " + "%" * min(len(percents), 3) + apart
    return NearMiss(Span(line.start, line.end), mended)


def _atx(text: str, line: Line) -> Heading | None:
    match = _ATX.match(text, line.start, line.end)
    if match is None:
        return None
    start, end = _trim(text, match.end(), line.end)
    close = end
    while close > start and text[close - 1] == "#":
        close -= 1
    if close == start or text[close - 1] in " \t":
        start, end = _trim(text, start, close)
    span = Span(start, end)
    return Heading(len(match.group(1)), span.of(text), Span(line.start, line.end), span)


def _setext(text: str, line: Line, floor: int) -> Heading | None:
    """A heading by underline: the paragraph right above, if there is one."""
    paragraph: list[Span] = []
    start = line.start
    while start > floor:
        above = Span(*line_bounds(text, _before_break(text, start)))
        if above.start < floor or _NOT_PARAGRAPH.match(text, *above):
            break
        if _CONTAINER.match(text, *above):
            return None
        paragraph.append(above)
        start = above.start
    # Indented code cannot interrupt a paragraph, but it can be above one.
    while paragraph and text.startswith(("    ", "\t"), paragraph[-1].start):
        paragraph.pop()
    if not paragraph:
        return None
    level = 1 if "=" in text[line.start : line.end] else 2
    words = " ".join([row.of(text).strip(" \t") for row in reversed(paragraph)])
    first, last = paragraph[-1], paragraph[0]
    text_span = Span(*_trim(text, first.start, last.end))
    return Heading(level, words, Span(first.start, line.end), text_span, True)


def _before_break(text: str, start: int) -> int:
    """The end of the line that is before the line starting at ``start``."""
    return start - 2 if start >= 2 and text[start - 2 : start] == "\r\n" else start - 1


def fold_heading(text: str) -> str:
    """How headings are compared: without emphasis and spaces, and whatever their case."""
    return _EMPHASIS_OR_BLANK.sub("", text).casefold()


_UNTYPED = {
    DefinitionHead.PROSE: "footnote",
    DefinitionHead.UNCLOSED_ID: "malformed",
    DefinitionHead.UNCLOSED_TYPE: "malformed",
    DefinitionHead.DAMAGED: "escaped",
}

_Typed = list[tuple[str, str]]
# Types of messages, and of calls and results: those name neither an agent nor a language.
_OWN_TYPES = frozenset({"markdown", "code", "raw", "tool"})

# Payloads that are several stand in a list until all are there: adding to a tuple copies it.
_Gathered = dict[FactKey, "tuple[object, ...] | list[object]"]


def _add(facts: _Gathered, key: FactKey, payload: object) -> None:
    before = facts.get(key)
    if before is None:
        facts[key] = (payload,)
    elif isinstance(before, list):
        before.append(payload)
    else:
        facts[key] = [*before, payload]


def _settle(facts: _Gathered) -> Facts:
    for key, payloads in facts.items():
        if isinstance(payloads, list):
            facts[key] = tuple(payloads)
    return cast("Facts", facts)


def _add_definition(
    facts: _Gathered, text: str, line: Line, pieces: tuple[str, str, str] | None
) -> str | None:
    """The cheap reading: id, type and the rest of the line as it is.

    Gives the name of the temporary agent that the definition makes, if it makes one.
    """
    if pieces is None:
        definition = parse_definition(text, line.start, line.end)
        if definition is not None and definition.head in _UNTYPED:
            payload = definition.is_escaped or None
            _add(facts, (_UNTYPED[definition.head], definition.id.text), payload)
        if definition is not None and definition.marks:
            _add_marks(facts, definition.id.text, definition.marks)
        return None
    name, kind, rest = pieces
    _add(facts, ("definition", name), (kind, rest))
    if kind not in _OWN_TYPES:
        _add(facts, ("typed", kind), name)
    elif kind == "tool" and "name=" in rest:
        plain = _TOOL_NAME.search(rest) if rest.count("name=") == 1 else None
        tool = plain[1] or plain[2] if plain else _value(text, line, "name")
        if tool:
            _add(facts, ("tool", tool), None)
    if "time" in rest:
        for value in _TIME.findall(rest):
            _add(facts, ("time", ""), (name, value))
    if "reset" in rest:
        definition = parse_definition(text, line.start, line.end)
        if definition is not None:
            _add_reset(facts, name, definition.marks)
    if "agent" in rest:
        definition = parse_definition(text, line.start, line.end)
        if definition is not None and definition.value("definition") == "agent":
            agent = definition.value("name")
            if agent:
                _add(facts, ("agent", agent), name)
                _add(facts, ("agents", ""), None)
                return agent
    return None


def _value(text: str, line: Line, key: str) -> str | None:
    definition = parse_definition(text, line.start, line.end)
    return None if definition is None else definition.value(key)


def _add_marks(facts: _Gathered, name: str, marks: Mapping[str, str]) -> None:
    """What hides a cell, of a definition that cannot be read."""
    _add(facts, ("marks", name), tuple(marks.items()))
    _add_reset(facts, name, marks)


def _add_reset(facts: _Gathered, name: str, marks: Mapping[str, str]) -> None:
    if marks.get("reset", "").strip().lower() not in _OFF:
        _add(facts, ("reset", ""), (name, marks["reset"]))


def _add_agents(facts: _Gathered, text: str, closed: bool) -> None:
    # Imported late: it brings YAML along, and most files have no frontmatter.
    from msgls.formats.msgmd.frontmatter import parse_frontmatter

    frontmatter = parse_frontmatter(text, closed)
    if frontmatter.default_agent is not None:
        _add(facts, ("typed", frontmatter.default_agent.text), None)
    for agent in frontmatter.agents:
        if agent.name:
            _add(facts, ("agent", agent.name), None)
            _add(facts, ("agents", ""), None)
        for model in agent.values.models:
            _add(facts, ("model", model), agent.name)


def _add_models(facts: _Gathered, text: str, agent: str) -> None:
    # Imported late, as for the frontmatter.
    from msgls.formats.msgmd.frontmatter import parse_agent_block

    for model in parse_agent_block(text).values.models:
        _add(facts, ("model", model), agent)

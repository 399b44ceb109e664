"""A document: one version of a text, its cells and its index, frozen.

Owns the incremental reparse. ``edit`` gives the next version and leaves this
one as it is: it cuts the touched text into pieces, reads those, follows the
state (fences, frontmatter) onward until it meets what was known before, and
makes only those cells again whose pieces changed. Everything else is shared.

Invariant: any sequence of edits gives what ``Document.open`` gives for the
final text, in cells, spans and index; only the labels of the cells may differ.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, count, islice, pairwise
from typing import NamedTuple, NoReturn, TypeAlias, overload

from msgls.document.index import Index
from msgls.formats.base import Block, Entry, Format, Placed
from msgls.formats.base import Piece as ReadPiece
from msgls.formats.registry import HEAD_LENGTH, detect
from msgls.syntax.cells import Cell, FactKey, Facts
from msgls.text.garbage import without_collection
from msgls.text.lines import Encoding, Position, count_breaks, cut_lines, line_starts
from msgls.text.spans import Edit, Span, apply_edits, sorted_edits
from msgls.text.store import BREAKS, CHARS, CHUNKS, HEADS, Store
from msgls.text.tree import Found, Measure
from msgls.text.work import Work, done, gathered

# Labels of neighbours lie this far apart at first; a label in between is found by halving.
_GAP = 1 << 96
_STEP = 1 << 48
# A continuation shorter than this joins the piece before it, so that deleting line by line
# does not leave a trail of crumbs.
_CRUMB = 4_096
# A block shorter than this joins one that is short, too.
_SHORT_BLOCK = 1_024
# So much of a text is cut into pieces at once.
_TOGETHER = 1 << 15
# In a batch of more edits than this, those no further apart than that are applied as one: an
# edit costs about as much as reading so much text.
_FEW = 32
_NEAR = 2_048


_new_tuple = tuple.__new__
_NO_FACTS: Facts = {}


Text: TypeAlias = str | Iterable[str]
"""A text, as a whole or in runs of whole lines."""


# Lines of JSON are many and about as long as each other: they share their measures.
@lru_cache(maxsize=4_096)
def _measure(length: int, breaks: int, heads: int) -> Measure:
    return (1, length, breaks, heads)


class Chunk:
    """A piece in its place: entered in a state, labelled, with the cell that it starts.

    Frozen once it is in a store; ``cell`` is set while the store is still being built.
    """

    __slots__ = ("_starts", "breaks", "cell", "entry", "label", "measure", "piece", "text")

    piece: ReadPiece | Block
    label: int
    """Its label, which is also that of its last cell."""
    is_block = False

    def __init__(self, piece: ReadPiece, entry: str, label: int, breaks: int) -> None:
        self.piece = piece
        self.text = piece.text
        self.entry = entry
        self.label = label
        self.breaks = breaks
        self.cell: Cell | None = None
        self.measure = _measure(len(self.text), breaks, 0)
        self._starts: list[int] | None = None

    @property
    def line_starts(self) -> Sequence[int]:
        """Where its lines start."""
        if self._starts is None:
            self._starts = line_starts(self.text)
        return self._starts

    @property
    def first(self) -> int:
        """The label of its first cell."""
        return self.label

    @property
    def part(self) -> tuple[ReadPiece, str]:
        """What a format needs to make a cell of it."""
        return self.piece, self.entry

    @property
    def facts(self) -> Iterator[tuple[int, Facts]]:
        """What its cell adds to the index, by the label."""
        if self.cell is not None and self.cell.facts:
            yield self.label, self.cell.facts

    @property
    def labels(self) -> range:
        """The labels of the cells that start here."""
        return range(self.label, self.label + (self.cell is not None))

    @property
    def starts(self) -> bool:
        """Whether a cell starts here."""
        return self.piece.starts_cell(self.entry)

    @property
    def leaves(self) -> str:
        """The state that the next chunk is entered in."""
        return self.piece.exit(self.entry)

    def set_cell(self, cell: Cell) -> None:
        """Let ``cell`` start here."""
        self.cell = cell
        self.measure = _measure(len(self.text), self.breaks, 1)

    def entered(self, entry: str) -> Chunk:
        """The same piece, entered in another state."""
        return Chunk(self.piece, entry, self.label, self.breaks)

    def starting(self, cell: Cell) -> Chunk:
        """The same chunk with another cell."""
        chunk = Chunk(self.piece, self.entry, self.label, self.breaks)
        chunk.set_cell(cell)
        return chunk


class _Labels(Sequence[int]):
    """The labels of the cells of chunks: a number for each of a million cells would be many."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._ends = list(accumulate([chunk.measure[HEADS] for chunk in chunks]))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(chunk.labels for chunk in self._chunks)

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[int]: ...

    def __getitem__(self, at: int | slice) -> int | Sequence[int]:
        if isinstance(at, slice):
            return tuple(self)[at]
        number = range(len(self))[at]
        found = bisect_right(self._ends, number)
        return self._chunks[found].labels[number - self._ends[found]]


class BlockChunk(Chunk):
    """A block in its place. Its cells are labelled one after another, and made when asked for."""

    __slots__ = ("_cells", "_first")

    piece: Block
    is_block = True

    def __init__(self, piece: Block, entry: str, first: int) -> None:
        self.piece = piece
        self.entry = entry
        # It is read here: before, nobody knows how many cells it has.
        piece.exit(entry)
        self._first = first
        self.label = first + piece.count - 1
        self.breaks = piece.breaks
        self.measure = _measure(piece.length, piece.breaks, piece.count)
        self._starts = None
        self._cells: dict[int, Cell] | None = None

    @property
    def text(self) -> str:  # type: ignore[override]  # a block keeps it in less space
        """The characters, line breaks included."""
        return self.piece.text

    @property
    def cell(self) -> Cell:  # type: ignore[override]  # of several
        """The first cell."""
        return self.cell_number(0)

    @property
    def first(self) -> int:
        """The label of its first cell."""
        return self._first

    @property
    def facts(self) -> Iterator[tuple[int, Facts]]:
        """What its cells add to the index, by their labels."""
        for number, facts in self.piece.facts(self.entry).items():
            yield self._first + number, facts

    @property
    def labels(self) -> range:
        """The labels of its cells."""
        return range(self._first, self.label + 1)

    @property
    def made(self) -> Mapping[int, Cell]:
        """The cells that were asked for, by their numbers."""
        return self._cells or {}

    def keep(self, number: int, cell: Cell) -> None:
        """Let one of its cells be the one of the version before."""
        if self._cells is None:
            self._cells = {}
        self._cells[number] = cell

    def cell_number(self, number: int, texts: Sequence[str] | None = None) -> Cell:
        """One of its cells; ``texts`` are those of all, where they are known."""
        found = self.made.get(number)
        if found is None:
            text = (texts or self.piece.texts())[number]
            found = self.piece.cell(number, text, self.entry)
            self.keep(number, found)
        return found

    def placed(self, numbers: Iterable[int], offset: int, line: int) -> Iterator[Placed]:
        """Some of its cells in their places; the block is at ``offset``, on ``line``."""
        texts = self.piece.texts()
        at = 0
        for number in numbers:
            before = "".join(texts[at:number])
            at, offset, line = number, offset + len(before), line + count_breaks(before)
            cell = self.cell_number(number, texts)
            yield Placed(cell, self._first + number, offset, line)

    def number_at(self, offset: int) -> int:
        """The number of the cell at an offset, relative to the block."""
        starts = list(accumulate(map(len, self.piece.texts()), initial=0))
        return min(bisect_right(starts, offset) - 1, self.piece.count - 1)

    def entered(self, entry: str) -> Chunk:
        """The same block, entered in another state."""
        return BlockChunk(self.piece.copy(), entry, self._first)


class Change(NamedTuple):
    """What the last edit changed, for caches by cell or by name."""

    removed: frozenset[int]
    """Labels of cells that are gone or were made again."""
    added: Sequence[int]
    """Labels of cells that are new or were made again, in order."""
    facts: frozenset[FactKey]
    """Index keys whose entries have changed."""
    whole: bool = False
    """Everything is new: a fresh parse, or another format."""
    pieces: frozenset[int] = frozenset()
    """Labels of pieces that are gone, new, or entered in another state."""

    def then(self, later: Change) -> Change:
        """This change and a later one, as one."""
        if later.whole:
            return later
        added = tuple(sorted({*self.added} - later.removed | {*later.added}))
        removed, facts = self.removed | later.removed, self.facts | later.facts
        return Change(removed, added, facts, self.whole, self.pieces | later.pieces)


class PlacedPiece(NamedTuple):
    """A piece, or a cell of a block, and where it is in its document."""

    chunk: Chunk | Cell
    start_offset: int
    start_line: int


class PlacedBlock(NamedTuple):
    """A block and where it is in its document."""

    chunk: BlockChunk
    start_offset: int
    start_line: int

    def cells(self, numbers: Iterable[int]) -> Iterator[Placed]:
        """Some of its cells, by their numbers in the block."""
        return self.chunk.placed(numbers, self.start_offset, self.start_line)


class Document:
    """One version. Nothing of it is ever changed; an edit gives the next one."""

    # By hand: what makes it a dataclass costs every start a fortieth of a second.
    __slots__ = (
        "_first",
        "agents_around",
        "change",
        "format",
        "format_given",
        "index",
        "path",
        "store",
        "version",
    )

    path: str
    format: Format
    store: Store[Chunk]
    index: Index
    change: Change
    version: int | None
    format_given: bool
    """Whether its format was given when it was opened: then no edit changes it."""
    agents_around: frozenset[str]
    """The agents that the nearest ``agents.json`` registers: what a cell is depends on them."""
    _first: Placed | None
    """The first cell, once it was asked for."""

    def __init__(
        self,
        path: str,
        format: Format,
        store: Store[Chunk],
        index: Index,
        change: Change,
        version: int | None = None,
        format_given: bool = False,
        agents_around: frozenset[str] = frozenset(),
    ) -> None:
        assign = object.__setattr__
        assign(self, "path", path)
        assign(self, "format", format)
        assign(self, "store", store)
        assign(self, "index", index)
        assign(self, "change", change)
        assign(self, "version", version)
        assign(self, "format_given", format_given)
        assign(self, "agents_around", agents_around)
        assign(self, "_first", None)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a document is frozen: {name} cannot be set; an edit gives the next")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a document is frozen: {name} cannot be taken away")

    @classmethod
    def open(
        cls,
        path: str,
        text: str,
        format: Format | None = None,
        version: int | None = None,
        agents_around: frozenset[str] = frozenset(),
        *,
        format_given: bool = True,
    ) -> Document:
        """Parse ``text`` from scratch, as ``format`` or as what its name and start say.

        A format that was only detected (``format_given`` is false) is detected again by an edit.
        """
        given = format is not None and format_given
        format = format or detect(path, text[:HEAD_LENGTH])
        with without_collection():
            return done(cls.reading(path, text, format, version, agents_around, given))

    @classmethod
    def reading(
        cls,
        path: str,
        text: Text,
        format: Format,
        version: int | None = None,
        agents_around: frozenset[str] = frozenset(),
        format_given: bool = True,
    ) -> Work[Document]:
        """Parse ``text`` from scratch, with pauses."""
        pieces: list[ReadPiece | Block] = []
        rest, enough = "", _TOGETHER
        for lines in _cut(text):
            # The last piece goes on in the lines that follow. What is cut again is no more than
            # what is new, however long it is.
            rest += lines
            if len(rest) >= enough:
                *texts, rest = format.split(rest)
                enough = max(2 * len(rest), _TOGETHER)
                for piece in texts:
                    pieces.append(format.read(piece))
                    yield
        for piece in format.split(rest):
            pieces.append(format.read(piece))
            yield
        return (yield from cls._of(path, pieces, format, version, format_given, agents_around))

    @classmethod
    def from_pieces(
        cls,
        path: str,
        pieces: Sequence[ReadPiece | Block],
        format: Format,
        version: int | None = None,
        format_given: bool = False,
        agents_around: frozenset[str] = frozenset(),
    ) -> Document:
        """A document of pieces that are read already, with fresh labels."""
        return done(cls._of(path, pieces, format, version, format_given, agents_around))

    @classmethod
    def _of(
        cls,
        path: str,
        pieces: Sequence[ReadPiece | Block],
        format: Format,
        version: int | None,
        format_given: bool,
        agents_around: frozenset[str],
    ) -> Work[Document]:
        entered = _entered(pieces, format.start, count(_GAP, _GAP))
        if format.has_blocks:
            chunks: list[Chunk] = []
            index = yield from Index.building(_facts_once(entered, chunks))
        else:
            chunks = yield from gathered(entered)
            yield from _making_cells(format, chunks)
            index = yield from Index.building(_facts(chunks))
        change = Change(frozenset(), _cells_in(chunks), frozenset(), whole=True)
        store = yield from Store.building(chunks)
        return cls(path, format, store, index, change, version, format_given, agents_around)

    # -- reading ------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The whole text. Joined on demand: not for the way of a keystroke."""
        return self.store.text

    @property
    def newline(self) -> str:
        r"""The line break that the text uses first; ``\n`` where it has none."""
        return self.store.newline

    @property
    def cell_count(self) -> int:
        """How many cells there are, the preamble included."""
        return self.store.tree.total[HEADS]

    def cells(self) -> Iterator[Placed]:
        """Every cell with its place, in order."""
        offset = line = 0
        for chunk in self.store.tree:
            if isinstance(chunk, BlockChunk):
                yield from chunk.placed(range(chunk.measure[HEADS]), offset, line)
            elif chunk.cell is not None:
                # Not by the constructor, which costs three times as much.
                yield _new_tuple(Placed, (chunk.cell, chunk.label, offset, line))
            offset += chunk.measure[CHARS]
            line += chunk.breaks

    def blocks(self) -> Iterator[PlacedBlock]:
        """Every block with its place, in order, of a format that has them."""
        offset = line = 0
        for chunk in self.store.tree:
            if isinstance(chunk, BlockChunk):
                yield PlacedBlock(chunk, offset, line)
            offset += chunk.measure[CHARS]
            line += chunk.breaks

    def cells_from(self, number: int) -> Iterator[Placed]:
        """The cells from that number on, in order; the way to many neighbours."""
        if not 0 <= number < self.cell_count:
            return
        found = self.store.tree.seek(HEADS, number)
        offset, line = found.before[CHARS], found.before[BREAKS]
        first = number - found.before[HEADS]
        for chunk in self.store.tree.items_from(found.before[CHUNKS]):
            if isinstance(chunk, BlockChunk):
                yield from chunk.placed(range(first, chunk.measure[HEADS]), offset, line)
                first = 0
            elif chunk.cell is not None:
                yield Placed(chunk.cell, chunk.label, offset, line)
            offset += chunk.measure[CHARS]
            line += chunk.breaks

    def first_cell(self) -> Placed | None:
        """The cell at the very start: the preamble, if there is one."""
        found = self._first
        if found is None and self.cell_count:
            found = self.cell_number(0)
            object.__setattr__(self, "_first", found)
        return found

    def cell(self, label: int) -> Placed:
        """The cell with that label."""
        found = self.store.tree.seek_label(label)
        number = label - found.item.first
        if number and not 0 <= number < found.item.measure[HEADS]:
            raise KeyError(label)
        return _placed(found, number)

    def cell_number(self, number: int) -> Placed:
        """The cell with that number, from 0."""
        if not 0 <= number < self.cell_count:
            raise IndexError(number)
        found = self.store.tree.seek(HEADS, number)
        return _placed(found, number - found.before[HEADS])

    def number_of(self, label: int) -> int:
        """The number of the cell with that label; of the next one, if that is gone."""
        found = self.store.tree.seek_label(label)
        number = min(max(label - found.item.first, 0), max(found.item.measure[HEADS] - 1, 0))
        return found.before[HEADS] + number

    def number_at_offset(self, offset: int) -> int | None:
        """The number of the cell that ``offset`` lies in (at a boundary, the later one)."""
        if not self.cell_count:
            return None
        found = self.store.chunk_at_offset(min(max(offset, 0), len(self.store)))
        if isinstance(found.item, BlockChunk):
            inside = min(max(offset, 0), len(self.store)) - found.before[CHARS]
            return found.before[HEADS] + found.item.number_at(inside)
        number = found.before[HEADS] + (found.item.cell is not None) - 1
        # A format may leave the text before its first cell to no cell.
        return None if number < 0 else number

    def cell_at_offset(self, offset: int) -> Placed | None:
        """The cell that ``offset`` lies in."""
        number = self.number_at_offset(offset)
        return None if number is None else self.cell_number(number)

    @property
    def has_long_cells(self) -> bool:
        """Whether there are pieces that continue a cell."""
        total = self.store.tree.total
        return not self.format.has_blocks and total[CHUNKS] != total[HEADS]

    def piece(self, label: int) -> PlacedPiece:
        """The piece with that label; of a block, the cell."""
        found = self.store.tree.seek_label(label)
        if isinstance(found.item, BlockChunk):
            cell, _, offset, line = self.cell(label)
            return PlacedPiece(cell, offset, line)
        if found.item.label != label:
            raise KeyError(label)
        return PlacedPiece(found.item, found.before[CHARS], found.before[BREAKS])

    def cell_of_piece(self, label: int) -> tuple[Placed, int]:
        """The cell that a piece is in, and where in it the piece starts."""
        found = self.store.tree.seek_label(label)
        if isinstance(found.item, BlockChunk):
            return self.cell(label), 0
        if found.item.label != label:
            raise KeyError(label)
        if found.item.cell is not None:
            return _placed(found), 0
        placed = self.cell_number(found.before[HEADS] - 1)
        return placed, found.before[CHARS] - placed.start_offset

    def pieces_of(self, label: int) -> Iterator[Chunk]:
        """The pieces of the cell with that label, in a format without blocks."""
        found = self.store.tree.seek_label(label)
        for chunk in self.store.tree.items_from(found.before[CHUNKS]):
            if chunk.cell is not None and chunk is not found.item:
                return
            yield chunk

    def entries(self, relation: str, name: str) -> tuple[Entry, ...]:
        """The cells with a fact ``(relation, name)``, in document order."""
        # As ``Index.get``, without the call: checking a cell asks about eight times.
        index, key = self.index, (relation, name)
        if index.recent:
            recent = index.recent.get(key)
            if recent is not None:
                return recent
        return index.base.get(key, ())

    def offset_of(self, position: Position, encoding: Encoding = "utf-32") -> int:
        """The offset of a position, clamped."""
        return self.store.offset_of(position, encoding)

    def position_of(self, offset: int, encoding: Encoding = "utf-32") -> Position:
        """The position of an offset, clamped."""
        return self.store.position_of(offset, encoding)

    # -- changing -----------------------------------------------------------------------

    def with_text(self, text: str, version: int | None = None) -> Document:
        """The document with a wholly new text."""
        format = self.format if self.format_given else None
        return Document.open(self.path, text, format, version, self.agents_around)

    def with_agents(self, agents: frozenset[str]) -> Document:
        """The same text with other agents registered by ``agents.json``: its cells may differ."""
        if agents is self.agents_around or agents == self.agents_around:
            return self
        change = self.change._replace(whole=True)
        return Document(
            self.path,
            self.format,
            self.store,
            self.index,
            change,
            self.version,
            self.format_given,
            agents,
        )

    def apply(self, edits: Iterable[Edit], version: int | None = None) -> Document:
        """All ``edits`` at once, each relative to this version."""
        document, change = self, Change(frozenset(), (), frozenset())
        for edit in reversed(self._joined(sorted_edits(edits))):
            document = document.edit(edit.span, edit.text, version)
            change = change.then(document.change)
        return document._changed_by(change, version)

    def rewriting(self, edits: Sequence[Edit]) -> Work[Document]:
        """What ``apply`` gives, with pauses; of many edits, with new labels."""
        if len(edits) <= _FEW:
            return self.apply(edits)
        yield
        text = apply_edits(self.text, edits)
        format, agents = self.format, self.agents_around
        return (yield from Document.reading(self.path, text, format, None, agents))

    def _changed_by(self, change: Change, version: int | None) -> Document:
        return Document(
            self.path,
            self.format,
            self.store,
            self.index,
            change,
            version,
            self.format_given,
            self.agents_around,
        )

    def _joined(self, edits: Sequence[Edit]) -> list[Edit]:
        """Very many edits with near neighbours merged: reading the text between them costs less.

        Without it, many edits in one cell would read that cell as many times. Few edits are left
        alone, so that cells between them stay the same.
        """
        if len(edits) <= _FEW:
            return list(edits)
        joined: list[list[Edit]] = []
        for edit in edits:
            if joined and edit.span.start - joined[-1][-1].span.end <= _NEAR:
                joined[-1].append(edit)
            else:
                joined.append([edit])
        return [group[0] if len(group) == 1 else self._as_one(group) for group in joined]

    def _as_one(self, edits: Sequence[Edit]) -> Edit:
        span = Span(edits[0].span.start, edits[-1].span.end)
        shifted = [Edit(edit.span.shift(-span.start), edit.text) for edit in edits]
        return Edit(span, apply_edits(self.store.slice(span), shifted))

    def edit(self, span: Span, text: str, version: int | None = None) -> Document:
        """The document with ``text`` in place of ``span`` (clamped; a reversed one is turned)."""
        length = len(self.store)
        start, end = sorted((min(max(span.start, 0), length), min(max(span.end, 0), length)))
        document = _Reparse(self, Span(start, end), text, version).run()
        if start <= HEAD_LENGTH and not self.format_given and not self.format.is_certain(self.path):
            head = document.store.slice(Span(0, HEAD_LENGTH))
            if detect(self.path, head) is not self.format:
                return document.with_text(document.text, version)
        return document


class _Reparse:
    """One edit. ``first`` to ``last`` are the old chunks to be replaced; both only grow."""

    def __init__(self, document: Document, span: Span, text: str, version: int | None) -> None:
        self.document = document
        self.format = document.format
        self.tree = document.store.tree
        self.version = version
        self.touch = document.store.touch(span, text)
        self.first, self.last, self.text = self.touch.first, self.touch.last, self.touch.text

    def run(self) -> Document:
        typed = self._typed_inside()
        if typed is not None and self.touch.chunk is not None:
            return self._result([self.touch.chunk], [typed])
        with without_collection():
            return self._reparse()

    def _reparse(self) -> Document:
        if self.format.has_blocks:
            self._join_blocks()
        else:
            self._join_crumbs()
        texts = self.format.split(self.text)
        self._keep_equal_ends(texts)
        chunks = self._read(texts)
        if any(a.label >= b.first for a, b in pairwise(chunks)) or not self._fits(chunks):
            return self._relabelled(chunks)
        self._follow_state(chunks)
        if self.format.has_blocks:
            return self._with_blocks(chunks)
        return self._with_cells(chunks)

    def _typed_inside(self) -> Chunk | None:
        """The usual case, nearly every keystroke: no neighbour is looked at.

        One piece before and after; a cell by itself; entered and left in the states it was.
        """
        old = self.touch.chunk
        if old is None or old.is_block or old.cell is None or len(old.cell.parts) > 1:
            return None
        texts = self.format.split(self.text)
        if len(texts) != 1:
            return None
        piece = self.format.read(texts[0])
        if (
            isinstance(piece, Block)
            or not piece.starts_cell(old.entry)
            or piece.exit(old.entry) != old.leaves
        ):
            return None
        chunk = Chunk(piece, old.entry, old.label, count_breaks(piece.text))
        chunk.set_cell(self.format.parse([chunk.part]))
        return chunk

    def _join_crumbs(self) -> None:
        """Let a short continuation join the piece before it, and the one after join this."""
        while self.first and 0 < len(self.text) < _CRUMB:
            before = self.tree[self.first - 1]
            start = self.format.read(self.format.split(self.text)[0])
            if len(before.text) > _CRUMB or start.starts_cell(""):
                break
            self.first -= 1
            self.text = before.text + self.text
        while self.last < len(self.tree) and 0 < len(self.text) < _CRUMB:
            after = self.tree[self.last]
            if len(after.text) > _CRUMB or after.piece.starts_cell(""):
                break
            self.last += 1
            self.text += after.text

    def _join_blocks(self) -> None:
        """Let a start that belongs to the cell before it join that one, and short blocks join."""
        if self.first and self.text:
            # More than enough blanks for a line of them.
            start = self.format.read(self.text[:_SHORT_BLOCK])
            if not start.starts_cell(""):
                self._take_before()
        if len(self.text) >= _SHORT_BLOCK:
            return
        while self.first and self._are_short(self.tree[self.first - 1]):
            self._take_before()
        while self.last < len(self.tree) and self._are_short(self.tree[self.last]):
            self.text += self.tree[self.last].text
            self.last += 1

    def _take_before(self) -> None:
        self.first -= 1
        self.text = self.tree[self.first].text + self.text

    def _are_short(self, neighbour: Chunk) -> bool:
        return len(self.text) < _SHORT_BLOCK > neighbour.measure[CHARS]

    def _keep_equal_ends(self, texts: list[str]) -> None:
        """Keep the chunks that the edit left unchanged at either end."""
        while texts and self.first < self.last and self.tree[self.first].text == texts[0]:
            del texts[0]
            self.first += 1
        while texts and self.first < self.last and self.tree[self.last - 1].text == texts[-1]:
            del texts[-1]
            self.last -= 1

    def _read(self, texts: list[str]) -> list[Chunk]:
        """The new chunks: labels that become free are used first, then new ones between."""
        if self.first < len(self.tree):
            entry = self.tree[self.first].entry
        elif self.first:
            entry = self.tree[self.first - 1].leaves
        else:
            entry = self.format.start
        labels = [chunk.first for chunk in self._old(self.first, self.last)][: len(texts)]
        low = labels[-1] if labels else self._label_before_first()
        high = self.tree[self.last].first if self.last < len(self.tree) else None
        labels += _between(low, high, len(texts) - len(labels))
        pieces = [self.format.read(text) for text in texts]
        old = [chunk.piece for chunk in self._old(self.first, self.last)]
        known = [piece for piece in old if isinstance(piece, Block)]
        for piece in pieces if known else ():
            if isinstance(piece, Block):
                piece.learn(known)
        return list(_entered(pieces, entry, labels))

    def _label_before_first(self) -> int:
        return self.tree[self.first - 1].label if self.first else 0

    def _fits(self, chunks: list[Chunk]) -> bool:
        """Whether the labels lie between those of the neighbours."""
        if not chunks:
            return True
        after = self.last >= len(self.tree) or chunks[-1].label < self.tree[self.last].first
        return after and self._label_before_first() < chunks[0].first

    def _old(self, first: int, last: int) -> list[Chunk]:
        return list(islice(self.tree.items_from(first), last - first))

    def _follow_state(self, chunks: list[Chunk]) -> None:
        """Enter the chunks that follow in their new state, until it is the one they had."""
        if chunks:
            entry = chunks[-1].leaves
        elif self.first:
            entry = self.tree[self.first - 1].leaves
        else:
            entry = self.format.start
        for chunk in self.tree.items_from(self.last):
            if chunk.entry == entry:
                break
            chunks.append(chunk.entered(entry))
            entry = chunks[-1].leaves
            self.last += 1

    def _with_blocks(self, chunks: list[Chunk]) -> Document:
        """Keep each cell that has its label, its text and its facts as before."""
        old = [c for c in self._old(self.first, self.last) if isinstance(c, BlockChunk)]
        new = [chunk for chunk in chunks if isinstance(chunk, BlockChunk)]
        leaving, coming = dict(_facts(old)), dict(_facts(new))
        before = {
            label: (chunk, text)
            for chunk in old
            for label, text in zip(chunk.labels, chunk.piece.texts(), strict=True)
        }
        kept = set()
        for chunk in new:
            texts = chunk.piece.texts()
            for number, (label, text) in enumerate(zip(chunk.labels, texts, strict=True)):
                was, text_before = before.get(label, (chunk, None))
                if text_before == text and leaving.get(label) == coming.get(label):
                    # The same object in both versions, whichever of them is asked for it.
                    cell = was.made.get(label - was.first) or chunk.cell_number(number, texts)
                    was.keep(label - was.first, cell)
                    chunk.keep(number, cell)
                    kept.add(label)
        removed = frozenset(_cells_in(old)) - kept
        added = tuple([label for label in _cells_in(new) if label not in kept])
        store = self.document.store.replace(self.first, self.last, new)
        index, facts = self.document.index.updated(
            [found for found in leaving.items() if found[0] not in kept],
            [found for found in coming.items() if found[0] not in kept],
        )
        change = Change(removed, added, facts, pieces=removed.union(added))
        return self._version(store, index, change)

    def _with_cells(self, chunks: list[Chunk]) -> Document:
        """Make the cells whose pieces changed.

        What lies around them is read, not replaced: the pieces of a cell that an open fence
        made of a whole document are many.
        """
        tail: list[Chunk] = []
        for chunk in self.tree.items_from(self.last):
            if chunk.cell is not None:
                break
            tail.append(chunk)
        begins = chunks[0].starts if chunks else not tail
        began = self.first >= len(self.tree) or self.tree[self.first].cell is not None
        if (begins and began) or not self.first:
            done(_making_cells(self.format, chunks, tail))
            return self._result(self._old(self.first, self.last), chunks)
        head = self._back_to_head()
        stop = next((n for n, chunk in enumerate(chunks) if chunk.starts), len(chunks))
        parts = [chunk.part for chunk in [*head, *chunks[:stop]]]
        if stop == len(chunks):
            parts += [chunk.part for chunk in tail]
        done(_making_cells(self.format, chunks[stop:], tail))
        longer = head[0].starting(self.format.parse(parts))
        return self._result(self._old(self.first, self.last), chunks, head, longer)

    def _back_to_head(self) -> list[Chunk]:
        """The chunks of the cell that ends right before ``first``."""
        before = self.tree.seek(CHUNKS, self.first - 1)
        heads = before.before[HEADS] + (before.item.cell is not None)
        return self._old(self.tree.seek(HEADS, heads - 1).before[CHUNKS], self.first)

    def _result(
        self,
        old: list[Chunk],
        new: list[Chunk],
        head: Sequence[Chunk] = (),
        new_head: Chunk | None = None,
    ) -> Document:
        """``new`` in place of ``old``; with ``new_head``, in place of the first of ``head`` too."""
        document = self.document
        store = document.store.replace(self.first, self.last, new)
        pieces = frozenset([chunk.label for chunk in (*old, *new)])
        if new_head is not None:
            number = self.first - len(head)
            store = store.replace(number, number + 1, [new_head])
            old, new = [head[0], *old], [new_head, *new]
        index, facts = document.index.updated(_facts(old), _facts(new))
        change = Change(
            frozenset([chunk.label for chunk in old if chunk.cell is not None]),
            tuple([chunk.label for chunk in new if chunk.cell is not None]),
            facts,
            pieces=pieces,
        )
        return self._version(store, index, change)

    def _version(self, store: Store[Chunk], index: Index, change: Change) -> Document:
        document = self.document
        return Document(
            document.path,
            self.format,
            store,
            index,
            change,
            self.version,
            document.format_given,
            document.agents_around,
        )

    def _relabelled(self, chunks: list[Chunk]) -> Document:
        """No label is free between two neighbours: give all of them new ones. Rare."""
        pieces = [chunk.piece for chunk in self._old(0, self.first)]
        pieces += [chunk.piece for chunk in chunks]
        pieces += [chunk.piece for chunk in self.tree.items_from(self.last)]
        old = self.document
        return Document.from_pieces(
            old.path, pieces, self.format, self.version, old.format_given, old.agents_around
        )


def _cut(text: Text) -> Iterator[str]:
    for run in (text,) if isinstance(text, str) else text:
        yield from cut_lines(run, 0, len(run))


def _entered(
    pieces: Iterable[ReadPiece | Block], entry: str, labels: Iterable[int]
) -> Iterator[Chunk]:
    """Chunks of ``pieces``, each entered in the state that the one before it leaves."""
    for piece, label in zip(pieces, labels, strict=False):
        if isinstance(piece, Block):
            yield BlockChunk(piece, entry, label)
        else:
            yield Chunk(piece, entry, label, count_breaks(piece.text))
        entry = piece.exit(entry)


def _facts_once(entered: Iterable[Chunk], chunks: list[Chunk]) -> Iterator[tuple[int, Facts]]:
    """The facts of blocks, which are added to ``chunks`` and forget them at once.

    Something comes of each block, so that there is a pause after it.
    """
    for chunk in entered:
        chunks.append(chunk)
        yield from chunk.facts
        if isinstance(chunk, BlockChunk):
            chunk.piece.forget()
        yield chunk.label, _NO_FACTS


def _making_cells(
    format: Format, chunks: Sequence[Chunk], tail: Sequence[Chunk] = ()
) -> Work[None]:
    """Give each chunk that starts a cell that cell; the last one continues through ``tail``."""
    parts: list[tuple[ReadPiece, str]] = []
    started: Chunk | None = None
    for chunk in chunks:
        if chunk.starts:
            if started is not None:
                started.set_cell(format.parse(parts))
            started, parts = chunk, []
        elif parts:
            # What follows from one of many pieces, before the cell that they make is read.
            format.prepare(parts[-1])
        parts.append(chunk.part)
        yield
    if started is not None:
        started.set_cell(format.parse([*parts, *[chunk.part for chunk in tail]]))


def _facts(chunks: Iterable[Chunk]) -> Iterator[tuple[int, Facts]]:
    return chain.from_iterable(chunk.facts for chunk in chunks)


def _cells_in(chunks: Sequence[Chunk]) -> Sequence[int]:
    """The labels of the cells that start in chunks."""
    # A format has blocks or none.
    if chunks and chunks[0].is_block:
        return _Labels(chunks)
    return tuple([chunk.label for chunk in chunks if chunk.cell is not None])


def _placed(found: Found[Chunk], number: int = 0) -> Placed:
    """The cell with that number in a chunk."""
    if isinstance(found.item, BlockChunk):
        return next(found.item.placed([number], found.before[CHARS], found.before[BREAKS]))
    cell = found.item.cell
    if cell is None:
        raise KeyError(found.item.label)
    return Placed(cell, found.item.label, found.before[CHARS], found.before[BREAKS])


def _between(low: int, high: int | None, count: int) -> list[int]:
    """``count`` labels above ``low`` and below ``high``; equal ones where there is no room."""
    if high is None:
        return [low + number * _GAP for number in range(1, count + 1)]
    step = min((high - low) // (count + 1), _STEP)
    return [low + number * step for number in range(1, count + 1)]

"""What the model sees of a document, updated incrementally while the document is edited.

Owns the view as a sequence of blocks, one for each cell, in a store of its own: a new version costs
only the cells that changed, the text is joined on demand, and an offset is mapped in either
direction in logarithmic time. The store converts positions:
``view.store.position_of(offset, encoding)``. The messages of a request are read from the whole
document, on demand.

Like a checker, a view receives every version of a document, in order. Blocks are built on demand;
after an edit that may have changed any of them, all are invalidated and built on demand again, so
that a keystroke never waits for it. ``fill`` builds them in steps.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from msgls.conversation.agents import SeeingAgent, agent_in, seeing_agent
from msgls.conversation.blocks import Block, cell_block, message_block, prompt_block
from msgls.conversation.cell_visibility import (
    CellSight,
    cell_sights,
    horizon_of,
    seen_text,
    sight_of,
    why_not,
)
from msgls.conversation.context import Context, context_of
from msgls.conversation.messages import Message
from msgls.conversation.readers import read_document
from msgls.conversation.visibility import Horizon, Sight
from msgls.document.document import Change, Document
from msgls.formats.base import Placed
from msgls.formats.msgmd import MessageFile
from msgls.formats.msgmd.meaning import meaning_of, own_home
from msgls.syntax.cells import Cell, CellKind
from msgls.text.garbage import without_collection
from msgls.text.phrases import EMPTY, Phrase
from msgls.text.spans import Span
from msgls.text.store import CHARS, CHUNKS, Store
from msgls.text.tokens import TokenCounter

# Below every label of a cell and every number of a message.
_PROMPT = -1
_REGISTERING = frozenset({"agent", "model"})
# As many cells are built or counted in a millisecond or two.
_STEP = 50


class Entry(NamedTuple):
    """A message that is sent, and its source."""

    message: Message
    spans: tuple[Span, ...]
    """Absolute, in order."""
    labels: tuple[int, ...]
    """The labels of its cells; empty for the system prompt of an agent."""
    first_line: int
    """From 0."""
    last_line: int


class SourcePlace(NamedTuple):
    """The source of an offset of the view."""

    label: int | None
    """The label of the cell, if it is in one."""
    offset: int
    """Absolute."""
    span: Span
    """The whole cell or message that is shown there, absolute."""


class ModelView:
    """What one agent sees of a document, as text that is kept up to date, and as messages."""

    def __init__(self, document: Document, counter: TokenCounter, agent: str | None = None) -> None:
        self._wanted_agent = agent
        self.counter = counter
        self._document = document
        self._agent = SeeingAgent()
        self._horizon = Horizon()
        self._cells: dict[int, Cell] = {}
        """The cells of the last version, by label."""
        self._spans: list[Span] = []
        """The spans of the messages of another format, by their numbers."""
        self._store: Store[Block] | None = None
        """``None`` until it is needed."""
        self._missed: list[Document] | None = None
        """The versions received while ``fill`` is building; ``None`` while it is not."""
        self._tokens: dict[int, int] = {}
        """The token counts of the blocks, by label."""
        self._uncounted: set[int] = set()
        self._context: tuple[Document, Context] | None = None
        """The context, with the version that it was read from."""
        self._token_sum = 0
        self._invalidate(document)

    @property
    def document(self) -> Document:
        """The version that it shows."""
        return self._document

    @property
    def agent(self) -> SeeingAgent:
        """The agent that it is sent to."""
        return self._agent

    @property
    def store(self) -> Store[Block]:
        """The view's text with its lines; frozen, so it can be kept while the view is updated."""
        if self._store is None:
            with without_collection():
                self._take(list(self._all_blocks()))
        assert self._store is not None
        return self._store

    @property
    def tokens(self) -> int:
        """About how many tokens the view has; counts only what changed since the last call."""
        _ = self.store
        for _ in self._count():
            pass
        return self._token_sum

    @property
    def text(self) -> str:
        """The whole text. Joined on demand: not to be used at every keystroke."""
        return self.store.text

    # -- messages -------------------------------------------------------------------------

    @property
    def context(self) -> Context:
        """The conversation that is sent. Read on demand: not to be used at every keystroke."""
        if self._context is None or self._context[0] is not self._document:
            self._context = self._document, self._read_context()
        return self._context[1]

    def _read_context(self) -> Context:
        conversation = read_document(self._document)
        agent = agent_in(conversation, self._wanted_agent)
        return context_of(conversation, agent._replace(prompt_span=self._agent.prompt_span))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The messages of the context, each with its source."""
        conversation = self.context.conversation
        messages = zip(conversation.messages, conversation.sources, strict=True)
        return tuple([_entry(self._document, message, spans) for message, spans in messages])

    @property
    def cells(self) -> tuple[CellSight, ...]:
        """Every cell, visible to the model or not."""
        return tuple(cell_sights(self._document, self.counter))

    # -- following ------------------------------------------------------------------------

    def update(self, document: Document) -> None:
        """Update the view for the next version of the document."""
        if self._missed is not None:
            self._missed.append(document)
        elif self._store is None or self._invalidates_all(document):
            self._invalidate(document)
        else:
            self._follow(document, document.change)

    def _invalidates_all(self, document: Document) -> bool:
        """Whether the edit may have changed the blocks of cells anywhere in the document."""
        change = document.change
        if change.whole or document.format is not self._document.format:
            return True
        if not isinstance(document.format, MessageFile) or self._registers(document, change):
            return True
        return horizon_of(document) != self._horizon

    def fill(self) -> Iterator[None]:
        """Build all blocks and count their tokens, with a pause after some cells.

        Versions received meanwhile are applied when the blocks are built.
        """
        while self._missed is not None:
            yield
        while self._store is None or self._uncounted:
            if self._store is None:
                yield from self._build()
            else:
                yield from self._count()

    def _build(self) -> Iterator[None]:
        self._missed = []
        blocks: list[Block] = []
        is_complete = False
        try:
            for number, block in enumerate(self._all_blocks()):
                blocks.append(block)
                if number % _STEP == 0:
                    yield
            is_complete = True
        finally:
            self._catch_up(blocks if is_complete else None)

    def _catch_up(self, blocks: list[Block] | None) -> None:
        """Store the blocks, if all were built, and apply the versions received meanwhile."""
        missed, self._missed = self._missed or [], None
        if blocks is not None:
            self._take(blocks)
        for document in missed:
            self.update(document)

    def _take(self, blocks: list[Block]) -> None:
        self._store = Store(blocks)
        self._tokens, self._token_sum = {}, 0
        self._uncounted = {block.label for block in blocks}

    def _registers(self, document: Document, change: Change) -> bool:
        """Whether the registered agents may have changed: the roles of all cells depend on them."""
        relations = {relation for relation, _ in change.facts}
        if not relations.isdisjoint(_REGISTERING):
            return True
        # Only a message cell can define an agent, and its header may have changed or disappeared.
        holders = [
            document.cell(entry.label).cell
            for relation, name in change.facts
            if relation == "header"
            for entry in document.entries("definition", name)
        ]
        return any(relation in _REGISTERING for cell in holders for relation, _ in cell.facts)

    def _invalidate(self, document: Document) -> None:
        """Drop all blocks; they are built again on demand."""
        self._document = document
        self._agent = seeing_agent(document, self._wanted_agent)
        self._cells, self._spans, self._store = {}, [], None
        if isinstance(document.format, MessageFile):
            self._horizon = horizon_of(document)

    def _all_blocks(self) -> Iterator[Block]:
        if not isinstance(self._document.format, MessageFile):
            yield from self._message_blocks()
            return
        prompt = self._prompt()
        if prompt is not None:
            yield prompt
        for placed in self._document.cells():
            self._cells[placed.label] = placed.cell
            block = self._block(placed)
            if block is not None:
                yield block

    def _follow(self, document: Document, change: Change) -> None:
        horizon = horizon_of(document)
        self._document, self._horizon = document, horizon
        dirty = self._affected_by(change)
        for label in change.removed:
            self._cells.pop(label, None)
        for label in sorted(dirty | change.removed):
            placed = _find(document, label)
            if placed is not None:
                self._cells[label] = placed.cell
            self._put(label, None if placed is None else self._block(placed))
        agent = seeing_agent(document, self._wanted_agent)
        if agent != self._agent:
            self._agent = agent
            self._put(_PROMPT, self._prompt())

    def _affected_by(self, change: Change) -> set[int]:
        """The labels of the cells whose blocks may change: changed cells and their dependents."""
        ids = {name for relation, name in change.facts if relation in ("definition", "header")}
        for label in change.removed.union(change.added):
            ids |= self._redefined(label)
        affected = set(change.added)
        for name in ids:
            for relation in ("header", "definition", "child", "below"):
                affected |= {entry.label for entry in self._document.entries(relation, name)}
        return affected

    def _redefined(self, label: int) -> set[str]:
        """The ids whose definitions in this cell have changed."""
        old, placed = self._cells.get(label), _find(self._document, label)
        before = _definitions(old)
        after = _definitions(None if placed is None else placed.cell)
        return {
            name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
        }

    def _block(self, placed: Placed) -> Block | None:
        if placed.cell.kind is CellKind.PREAMBLE:
            return None
        meaning = meaning_of(self._document, placed)
        sight = sight_of(self._document, meaning, self._horizon)
        if not sight.is_sent:
            return None
        return cell_block(self._document, meaning, sight)

    def _prompt(self) -> Block | None:
        agent = self._agent
        if not agent.system_prompt or agent.name is None:
            return None
        source = agent.prompt_span or Span(0, 0)
        return prompt_block(_PROMPT, agent.name, agent.system_prompt, source)

    def _message_blocks(self) -> Iterator[Block]:
        """The blocks of a format whose messages are not cells."""
        context = self._read_context()
        self._agent, self._spans = context.agent, []
        conversation = context.conversation
        for message, spans in zip(conversation.messages, conversation.sources, strict=True):
            number = len(self._spans)
            self._spans.append(Span(spans[0].start, spans[-1].end) if spans else Span(0, 0))
            yield message_block(self._document, number, message, spans)

    def _put(self, label: int, block: Block | None) -> None:
        """Replace the block of the cell with that label; ``None`` removes it."""
        store = self.store
        number, known = _index(store, label)
        blocks = [] if block is None else [block]
        if known is not None or blocks:
            self._store = store.replace(number, number + (known is not None), blocks)
            self._uncounted.add(label)

    def _count(self) -> Iterator[None]:
        """Count the tokens of uncounted blocks, with a pause after some cells."""
        if not isinstance(self._document.format, MessageFile):
            if self._uncounted:
                cells = cell_sights(self._document, self.counter)
                prompt = self.counter.count(self._agent.system_prompt)
                self._token_sum = prompt + sum([cell.tokens for cell in cells])
                self._uncounted.clear()
            return
        counted = 0
        while self._uncounted and self._store is not None:
            label = self._uncounted.pop()
            tokens = self._tokens_of(label)
            self._token_sum += tokens - self._tokens.get(label, 0)
            self._tokens[label] = tokens
            counted += 1
            # An update during the pause may invalidate all blocks: then nothing is left to count.
            if counted % _STEP == 0:
                yield

    def _tokens_of(self, label: int) -> int:
        if label == _PROMPT:
            return self.counter.count(self._agent.system_prompt)
        placed = _find(self._document, label)
        if placed is None:
            return 0
        meaning = meaning_of(self._document, placed)
        sight = sight_of(self._document, meaning, self._horizon)
        return self.counter.count(seen_text(meaning, sight))

    # -- positions ------------------------------------------------------------------------

    def source_of(self, offset: int) -> SourcePlace | None:
        """The source of the view's text at ``offset``; ``None`` if the view is empty."""
        store = self.store
        if not len(store.tree):
            return None
        found = store.chunk_at_offset(min(max(offset, 0), len(store)))
        block = found.item
        inside = block.to_source(offset - found.before[CHARS])
        if block.label == _PROMPT:
            source = self._agent.prompt_span or Span(0, 0)
            return SourcePlace(self._label_at(source.start), inside, source)
        if isinstance(self._document.format, MessageFile):
            placed = self._document.cell(block.label)
            return SourcePlace(block.label, placed.start_offset + inside, placed.span)
        return SourcePlace(self._label_at(inside), inside, self._spans[block.label])

    def view_of(self, offset: int) -> int | None:
        """The offset in the view of the document's text at ``offset``; ``None`` if it is hidden."""
        found = self._block_at(offset)
        if found is None:
            return None
        block, start, base = found
        return start + block.to_view(offset - base)

    def shown_span(self, offset: int) -> Span | None:
        """The part of the view that shows the cell or message at ``offset`` of the document."""
        found = self._block_at(offset)
        if found is None:
            return None
        block, start, _ = found
        return Span(start, start + len(block.text.rstrip("\r\n")))

    def why_hidden(self, offset: int) -> Phrase:
        """Why the model does not see the cell at ``offset`` in full; empty if it does."""
        placed = self._document.cell_at_offset(offset)
        if placed is None or not isinstance(self._document.format, MessageFile):
            return EMPTY
        meaning = meaning_of(self._document, placed)
        sight = sight_of(self._document, meaning, self._horizon)
        is_prompt = sight is Sight.NO_CELL and self.view_of(offset) is not None
        return EMPTY if is_prompt else why_not(meaning, sight, self._horizon)

    def _block_at(self, offset: int) -> tuple[Block, int, int] | None:
        """The block for ``offset``, its start, and the offset that its sources are relative to."""
        store = self.store
        prompt = self._agent.prompt_span
        if prompt is not None and prompt.contains(offset):
            _, block = _index(store, _PROMPT)
            return None if block is None else (block, 0, 0)
        if isinstance(self._document.format, MessageFile):
            placed = self._document.cell_at_offset(offset)
            if placed is None:
                return None
            label, base = placed.label, placed.start_offset
        else:
            starts = [span.start for span in self._spans]
            label, base = bisect_right(starts, offset) - 1, 0
            if label < 0 or not self._spans[label].contains(offset):
                return None
        number, block = _index(store, label)
        if block is None:
            return None
        return block, store.tree.seek(CHUNKS, number).before[CHARS], base

    def _label_at(self, offset: int) -> int | None:
        placed = self._document.cell_at_offset(offset)
        return None if placed is None else placed.label


def _index(store: Store[Block], label: int) -> tuple[int, Block | None]:
    """The index of the block with that label and the block; or where it would be, and ``None``."""
    if not len(store.tree):
        return 0, None
    found = store.tree.seek_label(label)
    number = found.before[CHUNKS]
    if found.item.label == label:
        return number, found.item
    return (number + 1 if found.item.label < label else number), None


def _find(document: Document, label: int) -> Placed | None:
    try:
        return document.cell(label)
    except (KeyError, IndexError):
        return None


def _definitions(cell: Cell | None) -> dict[str, list[tuple[str, bool]]]:
    """The definitions in a cell, by their ids, and whether each is the cell's own."""
    found: dict[str, list[tuple[str, bool]]] = {}
    if cell is not None:
        home = own_home(cell)
        at_home = None if home is None else home.span
        for definition in cell.definitions:
            if definition.is_typed:
                entry = definition.span.of(cell.text), definition.span == at_home
                found.setdefault(definition.id.text, []).append(entry)
    return found


def _entry(document: Document, message: Message, spans: tuple[Span, ...]) -> Entry:
    labels = []
    for span in spans:
        placed = document.cell_at_offset(span.start)
        if placed is not None and placed.start_offset <= span.start:
            labels.append(placed.label)
    lines = [document.position_of(span.start).line for span in spans] or [0]
    ends = [document.position_of(max(span.end - 1, span.start)).line for span in spans] or [0]
    return Entry(message, spans, tuple(labels), min(lines), max(ends))

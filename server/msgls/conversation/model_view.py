"""What the model sees of a document, kept up to date while the document is typed.

Owns the view as a sequence of blocks in a store of its own, one for each cell, so that a version
costs the cells that changed, the text is joined when all of it is asked for, and an offset is
found on either side in the logarithm of the length. Positions in any encoding are the store's
business: ``view.store.position_of(offset, encoding)``. The messages of a request are read from the
whole document, on demand.

Like a checker, a view is told of every version of a document, in order. What it shows is made on
demand, and made again only then where an edit may have changed all of it: a keystroke never waits
for that. ``fill`` makes it in steps.
"""

from __future__ import annotations

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
# Cells that are shown or counted in a millisecond or two.
_STEP = 50


class Entry(NamedTuple):
    """A message that is sent, and where it comes from."""

    message: Message
    spans: tuple[Span, ...]
    """Absolute, in order."""
    orders: tuple[int, ...]
    """The labels of the cells that say it; none for the system prompt of an agent."""
    first_line: int
    """From 0."""
    last_line: int


class SourcePlace(NamedTuple):
    """Where something of the view comes from."""

    order: int | None
    """The label of the cell that it comes from, if it comes from one."""
    offset: int
    """Absolute."""
    span: Span
    """All of the cell or message that is shown there, absolute."""


class ModelView:
    """What one agent sees of a document, as text that is kept up to date, and as messages."""

    def __init__(self, document: Document, counter: TokenCounter, agent: str | None = None) -> None:
        self._wanted_agent = agent
        self.counter = counter
        self._document = document
        self._agent = SeeingAgent()
        self._horizon = Horizon()
        self._cells: dict[int, Cell] = {}
        """The cells as they were seen last, by label."""
        self._spans: list[Span] = []
        """Where the messages of another format stand, by their numbers."""
        self._store: Store[Block] | None = None
        """``None`` until it is asked for."""
        self._missed: list[Document] | None = None
        """The versions that came while what is shown was made; nothing while it is not."""
        self._tokens: dict[int, int] = {}
        """The tokens of the blocks, by their labels."""
        self._uncounted: set[int] = set()
        self._context: tuple[Document, Context] | None = None
        """What the last requested version sends."""
        self._token_sum = 0
        self._start_over(document)

    @property
    def document(self) -> Document:
        """The version that it shows."""
        return self._document

    @property
    def agent(self) -> SeeingAgent:
        """Who sees it."""
        return self._agent

    @property
    def store(self) -> Store[Block]:
        """The view's text with its lines; frozen, so it can be kept while the view goes on."""
        if self._store is None:
            with without_collection():
                self._take(list(self._all_blocks()))
        assert self._store is not None
        return self._store

    @property
    def tokens(self) -> int:
        """About how many tokens all of it takes; costs what changed since it was last asked."""
        _ = self.store
        for _ in self._count():
            pass
        return self._token_sum

    @property
    def text(self) -> str:
        """The whole text. Joined on demand: not for the way of a keystroke."""
        return self.store.text

    # -- messages -------------------------------------------------------------------------

    @property
    def context(self) -> Context:
        """The conversation that is sent. Read on demand: not for the way of a keystroke."""
        if self._context is None or self._context[0] is not self._document:
            self._context = self._document, self._read_context()
        return self._context[1]

    def _read_context(self) -> Context:
        conversation = read_document(self._document)
        agent = agent_in(conversation, self._wanted_agent)
        return context_of(conversation, agent._replace(prompt_span=self._agent.prompt_span))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The messages of the context, each with the way back to its source."""
        conversation = self.context.conversation
        messages = zip(conversation.messages, conversation.sources, strict=True)
        return tuple([_entry(self._document, message, spans) for message, spans in messages])

    @property
    def cells(self) -> tuple[CellSight, ...]:
        """Every cell, seen or not."""
        return tuple(cell_sights(self._document, self.counter))

    # -- following ------------------------------------------------------------------------

    def update(self, document: Document) -> None:
        """Follow the document to its next version."""
        if self._missed is not None:
            self._missed.append(document)
        elif self._store is None or self._may_be_all_new(document):
            self._start_over(document)
        else:
            self._follow(document, document.change)

    def _may_be_all_new(self, document: Document) -> bool:
        """Whether any cell may be shown in another way now, near the edit or not."""
        change = document.change
        if change.whole or document.format is not self._document.format:
            return True
        if not isinstance(document.format, MessageFile) or self._registers(document, change):
            return True
        return horizon_of(document) != self._horizon

    @property
    def is_being_made(self) -> bool:
        """Whether ``fill`` is under way: until it is done, nothing can be asked."""
        return self._missed is not None

    def fill(self) -> Iterator[None]:
        """Make all that is shown, and count it, with a pause after some cells.

        Versions may come meanwhile: they are followed when it is made.
        """
        while self._missed is not None:
            yield
        while self._store is None or self._uncounted:
            if self._store is None:
                yield from self._make()
            else:
                yield from self._count()

    def _make(self) -> Iterator[None]:
        self._missed = []
        blocks: list[Block] = []
        is_wanted = False
        try:
            for number, block in enumerate(self._all_blocks()):
                blocks.append(block)
                if number % _STEP == 0:
                    yield
            is_wanted = True
        finally:
            self._catch_up(blocks if is_wanted else None)

    def _catch_up(self, blocks: list[Block] | None) -> None:
        """Take over what was made, unless it is no longer wanted, and what changed meanwhile."""
        missed, self._missed = self._missed or [], None
        if blocks is not None:
            self._take(blocks)
        for document in missed:
            self.update(document)

    def _take(self, blocks: list[Block]) -> None:
        self._store = Store(blocks)
        self._tokens, self._token_sum = {}, 0
        self._uncounted = {block.order for block in blocks}

    def _registers(self, document: Document, change: Change) -> bool:
        """Whether other agents may be registered now: that decides what cells are, anywhere."""
        relations = {relation for relation, _ in change.facts}
        if not relations.isdisjoint(_REGISTERING):
            return True
        # Only a message cell can define an agent: its header may have become another, or none.
        holders = [
            document.cell(entry.order).cell
            for relation, name in change.facts
            if relation == "header"
            for entry in document.entries("definition", name)
        ]
        return any(relation in _REGISTERING for cell in holders for relation, _ in cell.facts)

    def _start_over(self, document: Document) -> None:
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
            self._cells[placed.order] = placed.cell
            block = self._block(placed)
            if block is not None:
                yield block

    def _follow(self, document: Document, change: Change) -> None:
        horizon = horizon_of(document)
        self._document, self._horizon = document, horizon
        dirty = self._concerned(change)
        for order in change.removed:
            self._cells.pop(order, None)
        for order in sorted(dirty | change.removed):
            placed = _find(document, order)
            if placed is not None:
                self._cells[order] = placed.cell
            self._put(order, None if placed is None else self._block(placed))
        agent = seeing_agent(document, self._wanted_agent)
        if agent != self._agent:
            self._agent = agent
            self._put(_PROMPT, self._prompt())

    def _concerned(self, change: Change) -> set[int]:
        """The cells that may look different: those that changed, and those that depend on them."""
        ids = {name for relation, name in change.facts if relation in ("definition", "header")}
        for order in change.removed.union(change.added):
            ids |= self._redefined(order)
        concerned = set(change.added)
        for name in ids:
            for relation in ("header", "definition", "child", "below"):
                concerned |= {entry.order for entry in self._document.entries(relation, name)}
        return concerned

    def _redefined(self, order: int) -> set[str]:
        """The ids of which this cell says something else than before."""
        old, placed = self._cells.get(order), _find(self._document, order)
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
        """The blocks of a format whose cells say nothing by themselves."""
        context = self._read_context()
        self._agent, self._spans = context.agent, []
        conversation = context.conversation
        for message, spans in zip(conversation.messages, conversation.sources, strict=True):
            number = len(self._spans)
            self._spans.append(Span(spans[0].start, spans[-1].end) if spans else Span(0, 0))
            yield message_block(self._document, number, message, spans)

    def _put(self, order: int, block: Block | None) -> None:
        """Let ``block``, or nothing, be what is shown of the cell with that label."""
        store = self.store
        number, known = _index(store, order)
        blocks = [] if block is None else [block]
        if known is not None or blocks:
            self._store = store.replace(number, number + (known is not None), blocks)
            self._uncounted.add(order)

    def _count(self) -> Iterator[None]:
        """Count what is new, with a pause after some cells."""
        if not isinstance(self._document.format, MessageFile):
            if self._uncounted:
                cells = cell_sights(self._document, self.counter)
                prompt = self.counter.count(self._agent.system_prompt)
                self._token_sum = prompt + sum([cell.tokens for cell in cells])
                self._uncounted.clear()
            return
        counted = 0
        while self._uncounted and self._store is not None:
            order = self._uncounted.pop()
            tokens = self._tokens_of(order)
            self._token_sum += tokens - self._tokens.get(order, 0)
            self._tokens[order] = tokens
            counted += 1
            # What comes meanwhile may make all of it new: then there is nothing left to count.
            if counted % _STEP == 0:
                yield

    def _tokens_of(self, order: int) -> int:
        if order == _PROMPT:
            return self.counter.count(self._agent.system_prompt)
        placed = _find(self._document, order)
        if placed is None:
            return 0
        meaning = meaning_of(self._document, placed)
        sight = sight_of(self._document, meaning, self._horizon)
        return self.counter.count(seen_text(meaning, sight))

    # -- both ways ------------------------------------------------------------------------

    def source_of(self, offset: int) -> SourcePlace | None:
        """The source of the view's text at ``offset``; ``None`` if the view is empty."""
        store = self.store
        if not len(store.tree):
            return None
        found = store.chunk_at_offset(min(max(offset, 0), len(store)))
        block = found.item
        inside = block.to_source(offset - found.before[CHARS])
        if block.order == _PROMPT:
            source = self._agent.prompt_span or Span(0, 0)
            return SourcePlace(self._order_at(source.start), inside, source)
        if isinstance(self._document.format, MessageFile):
            placed = self._document.cell(block.order)
            return SourcePlace(block.order, placed.start_offset + inside, placed.span)
        return SourcePlace(self._order_at(inside), inside, self._spans[block.order])

    def view_of(self, offset: int) -> int | None:
        """Where the document's text at ``offset`` is shown; nothing where it is hidden."""
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
        """Why the model does not see the cell at ``offset`` as it stands; empty where it does."""
        placed = self._document.cell_at_offset(offset)
        if placed is None or not isinstance(self._document.format, MessageFile):
            return EMPTY
        meaning = meaning_of(self._document, placed)
        sight = sight_of(self._document, meaning, self._horizon)
        is_prompt = sight is Sight.NO_CELL and self.view_of(offset) is not None
        return EMPTY if is_prompt else why_not(meaning, sight, self._horizon)

    def _block_at(self, offset: int) -> tuple[Block, int, int] | None:
        """The block of what stands at ``offset``, its start, and what its source counts from."""
        store = self.store
        prompt = self._agent.prompt_span
        if prompt is not None and prompt.contains(offset):
            _, block = _index(store, _PROMPT)
            return None if block is None else (block, 0, 0)
        if isinstance(self._document.format, MessageFile):
            placed = self._document.cell_at_offset(offset)
            if placed is None:
                return None
            order, base = placed.order, placed.start_offset
        else:
            starts = [span.start for span in self._spans]
            order, base = bisect_right(starts, offset) - 1, 0
            if order < 0 or not self._spans[order].contains(offset):
                return None
        number, block = _index(store, order)
        if block is None:
            return None
        return block, store.tree.seek(CHUNKS, number).before[CHARS], base

    def _order_at(self, offset: int) -> int | None:
        placed = self._document.cell_at_offset(offset)
        return None if placed is None else placed.order


def _index(store: Store[Block], order: int) -> tuple[int, Block | None]:
    """The number of the block with that label and the block, else where it would stand."""
    if not len(store.tree):
        return 0, None
    found = store.tree.seek_order(order)
    number = found.before[CHUNKS]
    if found.item.order == order:
        return number, found.item
    return (number + 1 if found.item.order < order else number), None


def _find(document: Document, order: int) -> Placed | None:
    try:
        return document.cell(order)
    except (KeyError, IndexError):
        return None


def _definitions(cell: Cell | None) -> dict[str, list[tuple[str, bool]]]:
    """The definitions in a cell, by their ids, and whether each is the cell's own, at home."""
    found: dict[str, list[tuple[str, bool]]] = {}
    if cell is not None:
        home = own_home(cell)
        for definition in cell.definitions:
            if definition.is_typed:
                said = definition.span.of(cell.text), definition is home
                found.setdefault(definition.id.text, []).append(said)
    return found


def _entry(document: Document, message: Message, spans: tuple[Span, ...]) -> Entry:
    orders = []
    for span in spans:
        placed = document.cell_at_offset(span.start)
        if placed is not None and placed.start_offset <= span.start:
            orders.append(placed.order)
    lines = [document.position_of(span.start).line for span in spans] or [0]
    ends = [document.position_of(max(span.end - 1, span.start)).line for span in spans] or [0]
    return Entry(message, spans, tuple(orders), min(lines), max(ends))

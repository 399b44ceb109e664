r"""The incremental text store: a sequence of chunks of whole lines.

A chunk is a run of whole lines; only the last one may lack its line break, and
no ``\r\n`` is ever torn apart. So a line lies in one chunk, every chunk can be
read by itself, and an edit rebuilds the chunks that it touches and no other.

The store does not decide where chunks begin: its owner (the document,
which asks its format) cuts the text that ``touch`` returns and puts the result
back with ``replace``. It is immutable; an edit gives a new store.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from msgls.text.lines import (
    Encoding,
    Position,
    column_to_units,
    newline_of,
    units_to_column,
    without_break,
)
from msgls.text.spans import Span
from msgls.text.tree import Found, Measured, SumTree
from msgls.text.work import Work

# The dimensions of a chunk's measure.
CHUNKS, CHARS, BREAKS, HEADS = range(4)


class Chunk(Measured, Protocol):
    """A run of whole lines."""

    @property
    def text(self) -> str:
        """The characters, line breaks included."""

    @property
    def line_starts(self) -> Sequence[int]:
        """Where its lines start, relative to the chunk."""


C = TypeVar("C", bound=Chunk)


class Touch(Generic[C]):
    """The effect of an edit: chunks ``first`` to ``last`` (exclusive) become ``text``."""

    __slots__ = ("chunk", "first", "last", "text")

    def __init__(self, first: int, last: int, text: str, chunk: C | None) -> None:
        self.first = first
        self.last = last
        self.text = text
        self.chunk = chunk
        """The chunk, where it is only one."""


class Store(Generic[C]):
    """The text of one version of a document."""

    __slots__ = ("_whole", "tree")

    def __init__(self, chunks: Iterable[C] = ()) -> None:
        self.tree: SumTree[C] = SumTree(chunks, dimensions=4)
        self._whole: str | None = None

    @classmethod
    def building(cls, chunks: list[C]) -> Work[Store[C]]:
        """A store of chunks, made with pauses."""
        store = cls()
        store.tree = yield from store.tree.building(chunks)
        return store

    def replace(self, first: int, last: int, chunks: Sequence[C]) -> Store[C]:
        """The store with ``chunks`` in place of those numbered ``first`` to ``last``."""
        store: Store[C] = Store.__new__(Store)
        store.tree = self.tree.replace(first, last, chunks)
        store._whole = None
        return store

    def __len__(self) -> int:
        return self.tree.total[CHARS]

    @property
    def line_count(self) -> int:
        """How many lines there are; a text that ends in a line break has an empty last one."""
        return self.tree.total[BREAKS] + 1

    @property
    def text(self) -> str:
        """The whole text, joined once. Never ask for it while a key is handled."""
        if self._whole is None:
            self._whole = "".join([chunk.text for chunk in self.tree])
        return self._whole

    def slice(self, span: Span) -> str:
        """The characters of ``span``, taken from the chunks it lies in alone."""
        if span.start >= span.end or not len(self.tree):
            return ""
        found = self.tree.seek(CHARS, span.start)
        base = found.before[CHARS]
        pieces: list[str] = []
        for chunk in self.tree.items_from(found.before[CHUNKS]):
            if base >= span.end:
                break
            pieces.append(chunk.text[max(span.start - base, 0) : span.end - base])
            base += len(chunk.text)
        return "".join(pieces)

    def chunk_at_line(self, line: int) -> Found[C]:
        """The chunk that holds the start of ``line`` (clamped to the last line)."""
        return self.tree.seek(BREAKS, line)

    def chunk_at_offset(self, offset: int) -> Found[C]:
        """The chunk that holds the character at ``offset`` (at the end, the last chunk)."""
        return self.tree.seek(CHARS, offset)

    def line_span(self, line: int) -> Span:
        """Where ``line`` is, without its line break."""
        text, start = self._line(line)
        return Span(start, start + len(text))

    def line_text(self, line: int) -> str:
        """``line`` without its line break; a line that does not exist is empty."""
        return self._line(line)[0]

    @property
    def newline(self) -> str:
        r"""The line break of the first line; ``\n`` where there is only one."""
        end = self.line_span(0).end
        return newline_of(self.slice(Span(end, end + 2)))

    def _line(self, line: int) -> tuple[str, int]:
        if line < 0:
            return "", 0
        if line >= self.line_count or not len(self.tree):
            return "", len(self)
        found = self.chunk_at_line(line)
        chunk, before = found.item, found.before
        starts = chunk.line_starts
        at = line - before[BREAKS]
        start = starts[at]
        stop = starts[at + 1] if at + 1 < len(starts) else len(chunk.text)
        return without_break(chunk.text[start:stop]), before[CHARS] + start

    def lines(self, first: int, last: int) -> Iterator[str]:
        """Lines ``first`` to ``last`` (exclusive), without their line breaks."""
        return (self.line_text(line) for line in range(first, min(last, self.line_count)))

    def offset_of(self, position: Position, encoding: Encoding = "utf-32") -> int:
        """The offset of a position, clamped to the line and to the text as LSP says."""
        text, start = self._line(position.line)
        if position.line < 0 or position.line >= self.line_count:
            return start
        return start + units_to_column(text, position.character, encoding)

    def position_of(self, offset: int, encoding: Encoding = "utf-32") -> Position:
        """The position of an offset, clamped to the text.

        An offset between the two characters of a line break is the end of that line.
        """
        offset = min(max(offset, 0), len(self))
        if not len(self.tree):
            return Position(0, 0)
        found = self.chunk_at_offset(offset)
        chunk, before = found.item, found.before
        inside = offset - before[CHARS]
        at = bisect_right(chunk.line_starts, inside) - 1
        start = chunk.line_starts[at]
        stop = chunk.line_starts[at + 1] if at + 1 < len(chunk.line_starts) else len(chunk.text)
        line = without_break(chunk.text[start:stop])
        return Position(before[BREAKS] + at, column_to_units(line, inside - start, encoding))

    def touch(self, span: Span, replacement: str) -> Touch[C]:
        """Which chunks an edit touches, and the text that they hold after it."""
        if not len(self.tree):
            return Touch(0, 0, replacement, None)
        start, end = span
        head = self.chunk_at_offset(start)
        head_start = head.before[CHARS]
        within = end < head_start + len(head.item.text)
        tail = head if within else self.chunk_at_offset(max(end - 1, start))
        text = (
            head.item.text[: start - head_start]
            + replacement
            + tail.item.text[end - tail.before[CHARS] :]
        )
        return self._whole_lines(head, tail.before[CHUNKS] + 1, text)

    def _whole_lines(self, head: Found[C], last: int, text: str) -> Touch[C]:
        """Take neighbours in until ``text`` is a run of whole lines again."""
        first = head.before[CHUNKS]
        alone = last - first == 1
        count = len(self.tree)
        if first and text.startswith("\n") and self.tree[first - 1].text.endswith("\r"):
            first -= 1
            text = self.tree[first].text + text
        if first and not text:
            # All of it is gone: what stood before now meets what follows.
            first -= 1
            text = self.tree[first].text
        while last < count and not text.endswith(("\n", "\r")):
            text += self.tree[last].text
            last += 1
        if last < count and text.endswith("\r") and self.tree[last].text.startswith("\n"):
            text += self.tree[last].text
            last += 1
        alone = alone and last - first == 1
        return Touch(first, last, text, head.item if alone else None)

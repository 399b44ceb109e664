"""Cells of JSON: a line of JSONL, or the elements of an array that share their lines.

Owns the cell with its *segments* (the texts that are one JSON value each), what they say, and the
way from a path to a span. Values are read when a piece is followed, and only facts are kept of
them; the rest is read again on demand, which a problem does.

A cell adds facts to the index of its document:

- ``("stream", run)``: the deltas that open and end a stream, and those at which something
  is wrong. In an array, whose cells do not know what is before them, all deltas.
- ``("call", id)``, ``("result", id)``, ``("call-use", id)``: every place that speaks of a
  tool call, by what it does.
- ``("user", "")``: that the user speaks, and where for the last time.
- ``("syntax", …)``: that the cell is not JSON; a name of its own for each text, and ``[``
  for the array around all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgls.formats.base import Block
from msgls.formats.jsontree import Found, JsonError, JsonTree, Path, strict_error
from msgls.formats.jsontree import parse as parse_tree
from msgls.formats.msgjson.records import Item, Mention, MentionKind, Record, Shape, Step, value_at
from msgls.formats.msgjson.streams import Fault
from msgls.formats.strictjson import strict_loads
from msgls.syntax.cells import Cell, CellKind, Facts, NoParts, lazy
from msgls.syntax.names import Name, NameKind, Use, relation_of
from msgls.syntax.nodes import Link, Node
from msgls.text.spans import Span

STREAM = "stream"
CALLED, ANSWERED, MENTIONED = [
    relation_of(NameKind.CALL, use) for use in (Use.DECLARES, Use.ANSWERS, Use.USES)
]
"""The relations of what makes a call, of its results, and of what else speaks of it."""
USER = "user"
SYNTAX = "syntax"
ARRAY = "["

USES = {
    MentionKind.START: Use.DECLARES,
    MentionKind.PART: Use.DECLARES,
    MentionKind.ARGS: Use.USES,
    MentionKind.END: Use.USES,
    MentionKind.RESULT: Use.ANSWERS,
    MentionKind.LOOSE_RESULT: Use.ANSWERS,
}
"""The use of the id, for each kind of mention of a tool call."""
RELATIONS = {kind: relation_of(NameKind.CALL, use) for kind, use in USES.items()}
"""By which relation the index has each of them."""

BLANKS = " \t\r\n\ufeff"
"""What is nothing on a line."""

_MOST_FAULTS = 100


class Segment(NamedTuple):
    """A JSON value in a cell, and what it says; nothing where it is not JSON."""

    span: Span
    record: Record | None


class Mark(NamedTuple):
    """A delta that matters to its stream, and what is wrong with it."""

    segment: int
    step: Step
    faults: tuple[Fault, ...] | None
    """Nothing where the cell does not know what is before it."""


class CellMention(NamedTuple):
    """A mention of a tool call in a cell."""

    segment: int
    mention: Mention
    text: str = ""
    """More of the arguments."""


class UserSpeaks(NamedTuple):
    """A message of the user in a cell."""

    segment: int
    path: Path


class Framing(NamedTuple):
    """The text around the elements of an array, in one cell."""

    errors: tuple[JsonError, ...] = ()
    brackets: str = ""


_new_tuple = tuple.__new__
_NO_FRAMING = Framing()
# Nearly every delta adds none: they share them.
NO_FACTS: Facts = {}
_no_parts = lru_cache(maxsize=4_096)(NoParts)


class Elements:
    """The values of a cell that were read already."""

    __slots__ = ("_segments",)

    def __init__(self, segments: tuple[Segment, ...]) -> None:
        self._segments = segments

    @property
    def holds(self) -> int:
        """The flags of all values."""
        holds = 0
        for _, record in self._segments:
            if record is not None:
                holds |= record.holds
        return holds

    def segments(self) -> tuple[Segment, ...]:
        """All of them."""
        return self._segments


class JsonCell(Cell):
    """A cell of one or more JSON values."""

    framing = _NO_FRAMING

    def __init__(
        self,
        parts: tuple[str, ...],
        facts: Facts,
        content: Elements,
        framing: Framing = _NO_FRAMING,
    ) -> None:
        super().__init__(CellKind.MESSAGE, parts, None, facts, _no_parts(sum(map(len, parts))))
        self._content = content
        if framing is not _NO_FRAMING:
            self.framing = framing

    @property
    def holds(self) -> int:
        """What the models, or a rule, must look at more closely."""
        return self._content.holds

    @lazy
    def segments(self) -> tuple[Segment, ...]:
        """Its values."""
        return self._content.segments()

    @lazy
    def nodes(self) -> tuple[Node, ...]:
        """Every node of it."""
        from msgls.formats.msgjson.nodes import nodes_in

        return nodes_in(self)

    def nodes_at(self, at: int) -> list[Node]:
        """The nodes that a cursor is in."""
        from msgls.formats.msgjson.nodes import nodes_at

        return nodes_at(self, at)

    @lazy
    def links(self) -> tuple[Link, ...]:
        """Every place that names a file."""
        from msgls.formats.msgjson.nodes import links_in

        return links_in(self)

    @lazy
    def names(self) -> tuple[Name, ...]:
        """Every name that it says, in order."""
        from msgls.formats.msgjson.nodes import names_in

        return names_in(self)

    @lazy
    def _trees(self) -> dict[int, JsonTree]:
        return {}

    def segment_text(self, number: int) -> str:
        """The text of one value."""
        return self.segments[number].span.of(self.text)

    def value(self, number: int) -> Any:
        """The value of a segment, read again; it must be JSON."""
        return strict_loads(self.segment_text(number))

    def items(self) -> list[tuple[int, Item, Any]]:
        """Every message, delta and entry, with the number of its segment and its wire data."""
        found = []
        for number, segment in enumerate(self.segments):
            if segment.record is not None and segment.record.items:
                value = self.value(number)
                found += [(number, i, value_at(value, i.path)) for i in segment.record.items]
        return found

    def tree(self, number: int) -> JsonTree:
        """The positions in one value."""
        trees: dict[int, JsonTree] = self._trees
        if number not in trees:
            trees[number] = parse_tree(self.segment_text(number))
        return trees[number]

    def find(self, number: int, path: Path) -> Found | None:
        """The value at a path; spans are relative to the segment."""
        return self.tree(number).find(path)

    def span_of(self, number: int, path: Path) -> Span:
        """Where to point for a path, relative to the cell."""
        return self.tree(number).span_of(path).shift(self.segments[number].span.start)

    def literal(self, number: int, path: Path) -> tuple[str, Span]:
        """A value as it is written, and where."""
        span = self.span_of(number, path)
        return span.of(self.text), span

    def syntax_errors(self) -> list[JsonError]:
        """Where the cell is not JSON: the first place of each value, and those between them."""
        errors = list(self.framing.errors)
        for segment in self.segments:
            if segment.record is None and len(errors) < _MOST_FAULTS:
                error = strict_error(segment.span.of(self.text))
                if error is not None:
                    errors.append(error._replace(span=error.span.shift(segment.span.start)))
        return sorted(errors)

    @property
    def is_session_entry(self) -> bool:
        """Whether the first value is a session entry."""
        return any(
            item.shape is Shape.ENTRY
            for segment in self.segments[:1]
            if segment.record is not None
            for item in segment.record.items[:1]
        )


class LineCell(JsonCell):
    """A line of JSONL with the blank ones after it."""

    def __init__(
        self,
        text: str,
        block: Block,
        number: int,
        entry: str,
        read: Callable[[str], Record | None],
        holds: int,
    ) -> None:
        self.kind = CellKind.MESSAGE
        self.parts = (text,)
        self.id = None
        self._source = _no_parts(len(text))
        self._block = block
        self._number = number
        self._entry = entry
        self._read = read
        self._holds = holds

    @property
    def holds(self) -> int:
        """What the models, or a rule, must look at more closely."""
        return self._holds

    @lazy
    def facts(self) -> Facts:
        """What the line adds to the index of its document."""
        return self._block.facts(self._entry).get(self._number, NO_FACTS)

    @lazy
    def segments(self) -> tuple[Segment, ...]:
        """Its value, read again; none on a blank line."""
        text = self.text
        body = text.strip(BLANKS)
        if not body:
            return ()
        start = text.find(body[0])
        return (Segment(Span(start, start + len(body)), self._read(body)),)


def facts_of(
    said: str,
    records: Sequence[Record | None],
    marks: Iterable[Mark] = (),
    framing: Framing = _NO_FRAMING,
) -> Facts:
    """What the values of a cell add to the index."""
    facts: dict[tuple[str, str], list[object]] = {}
    for mark in marks:
        facts.setdefault((STREAM, mark.step.run), []).append(mark)
    is_broken = bool(framing.errors)
    for number, record in enumerate(records):
        if record is None:
            is_broken = True
        else:
            texts = iter(record.texts)
            for mention in record.mentions:
                text = next(texts) if mention.kind is MentionKind.ARGS else ""
                spoken = _new_tuple(CellMention, (number, mention, text))
                facts.setdefault((RELATIONS[mention.kind], mention.call), []).append(spoken)
            if record.last_user is not None:
                facts[USER, ""] = [UserSpeaks(number, record.last_user)]
    if is_broken:
        facts[SYNTAX, _digest(said)] = [True]
    if framing.brackets:
        facts[SYNTAX, ARRAY] = [framing.brackets]
    return {key: tuple(payloads) for key, payloads in facts.items()}


def _digest(text: str) -> str:
    """A name of its own for each text, so that each broken cell is looked at by itself."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]

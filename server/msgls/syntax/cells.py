"""The cell: plain, lossless, with a span for every part that a message file has.

Owns the shape only; a format fills it, and one with other parts derives its own cell.
All spans are code points relative to the start of the cell, so a cell stays the same
object however far the text before it moves it. Nothing here is validated: a half-written
cell is a cell whose missing parts are ``None``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import Enum, IntFlag, auto
from functools import wraps
from itertools import chain
from operator import methodcaller
from types import MappingProxyType
from typing import (
    Any,
    Concatenate,
    Generic,
    NamedTuple,
    ParamSpec,
    Protocol,
    TypeVar,
    overload,
)
from weakref import WeakKeyDictionary

from msgls.syntax.names import Name
from msgls.syntax.nodes import Link, Node, nodes_at
from msgls.text.lines import PIECE_LIMIT, line_starts
from msgls.text.spans import Span
from msgls.text.work import MANY, Work, at_once, done

T = TypeVar("T")
C = TypeVar("C", bound="Cell")
P = ParamSpec("P")

FactKey = tuple[str, str]
Facts = Mapping[FactKey, tuple[object, ...]]


class PartedFacts(Mapping[FactKey, tuple[object, ...]]):
    """The facts of a cell of several pieces: those of each piece, which are kept with it.

    A long cell shares nearly all of its parts with the version before an edit.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[Facts]) -> None:
        self.parts = parts

    def __getitem__(self, key: FactKey) -> tuple[object, ...]:
        found = [part[key] for part in self.parts if key in part]
        if not found:
            raise KeyError(key)
        return found[0] if len(found) == 1 else tuple(chain.from_iterable(found))

    def __contains__(self, key: object) -> bool:
        return any(key in part for part in self.parts)

    def __iter__(self) -> Iterator[FactKey]:
        return iter(dict.fromkeys(chain.from_iterable(self.parts)))

    def __len__(self) -> int:
        return len(self.items())

    def __bool__(self) -> bool:
        return any(self.parts)

    def items(self) -> ItemsView[FactKey, tuple[object, ...]]:
        """All facts, in one walk over the parts."""
        joined: dict[FactKey, tuple[object, ...]] = {}
        many: dict[FactKey, list[object]] = {}
        for part in self.parts:
            for key, payloads in part.items():
                if key not in joined:
                    joined[key] = payloads
                else:
                    many.setdefault(key, [*joined[key]]).extend(payloads)
        joined.update({key: tuple(payloads) for key, payloads in many.items()})
        return joined.items()


def parts_of(facts: Facts) -> Sequence[Facts]:
    """The facts of each piece of a cell; all of them, where it is short."""
    return facts.parts if isinstance(facts, PartedFacts) else (facts,)


# The parts of a cell of which it may have very many.
_SHED = frozenset(
    {
        *("definitions", "references", "fences", "headings", "near_misses", "suppressions"),
        *("names", "nodes", "links", "output_lines"),
    }
)
_OUTPUT_LINE = re.compile(r"(stdout|stderr)>")
_LINE = re.compile(r"[^\r\n]+")
# So many are searched one by one; for more, a table is made.
_FEW = 8


class lazy(Generic[T]):  # noqa: N801 - reads as a decorator
    """A part that is read once, on demand.

    ``functools.cached_property`` takes a lock each time before Python 3.12, and a cell
    asks for its parts a hundred thousand times in a large file.
    """

    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self._name = ""
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        value = self._read(instance)
        # Not through `__dict__`: Python would make a dictionary of its own for each cell.
        setattr(instance, self._name, value)
        return value


def remembered(read: Callable[Concatenate[C, P], T]) -> Callable[Concatenate[C, P], T]:
    """Keep with a cell what a feature reads of it, for the arguments that came last.

    What a format reads of a cell is ``lazy``; a cell does not know its features.
    """
    known: WeakKeyDictionary[C, tuple[tuple[object, ...], T]] = WeakKeyDictionary()

    @wraps(read)
    def look(cell: C, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = (*args, *kwargs.values())
        found = known.get(cell)
        if found is None or found[0] != key:
            found = known[cell] = key, read(cell, *args, **kwargs)
        return found[1]

    return look


def remembered_work(
    read: Callable[Concatenate[C, P], Work[T]],
) -> Callable[Concatenate[C, P], Work[T]]:
    """The same of what is read with pauses."""
    known: WeakKeyDictionary[C, tuple[tuple[object, ...], T]] = WeakKeyDictionary()

    @wraps(read)
    def look(cell: C, /, *args: P.args, **kwargs: P.kwargs) -> Work[T]:
        key = (*args, *kwargs.values())
        found = known.get(cell)
        if found is None or found[0] != key:
            found = known[cell] = key, (yield from read(cell, *args, **kwargs))
        return found[1]

    return look


class CellKind(Enum):
    """What the marker says; what the cell *is* also depends on its definition."""

    PREAMBLE = "preamble"
    MESSAGE = "message"
    OUTPUT = "output"


# In a variable: looking up a member of an enumeration takes ten times as long.
_PREAMBLE = CellKind.PREAMBLE


class Id(NamedTuple):
    """An id as written between ``[^`` and ``]``."""

    text: str
    span: Span


class Header(NamedTuple):
    """The line that starts a cell."""

    span: Span
    """The whole line, without its line break."""
    hashes: Span
    percents: Span
    title: Span
    """What is between marker and id, trimmed; empty where there is none."""
    id: Id | None
    id_brackets: Span | None
    """``[^…]`` with its brackets."""

    @property
    def depth(self) -> int:
        """How many ``#`` there are."""
        return self.hashes.length

    @property
    def marker(self) -> Span:
        """``# %%`` as a whole."""
        return Span(self.hashes.start, self.percents.end)


class Attribute(NamedTuple):
    """A ``key=value`` pair of a definition."""

    key: str
    value: str
    """The value with quotes and escapes taken off."""
    span: Span
    key_span: Span
    value_span: Span
    """The value as written, quotes included."""
    quote: str
    """``"``, ``'`` or nothing."""


class AttributeFault(Enum):
    """What can be wrong with the text after ``[type]``."""

    UNCLOSED_QUOTE = "unclosed-quote"
    BLANKS_AROUND_EQUALS = "blanks-around-equals"
    BRACKETED_PAIR = "bracketed-pair"
    DUPLICATE_KEY = "duplicate-key"
    MISSING_VALUE = "missing-value"
    MISSING_BLANK = "missing-blank"
    JOINED_PAIR = "joined-pair"
    """``a=1,history=none``: one bare value, though two attributes are meant."""
    UNREADABLE = "unreadable"


class AttributeProblem(NamedTuple):
    """One fault of a definition's attributes."""

    fault: AttributeFault
    span: Span
    key: str | None = None


class DefinitionHead(Enum):
    """How the start of a definition line reads."""

    TYPED = "typed"
    """``[^id]: [type] …``"""
    PROSE = "prose"
    """``[^id]: text``: an ordinary Markdown footnote."""
    UNCLOSED_ID = "unclosed-id"
    """``[^id: [type] …``"""
    UNCLOSED_TYPE = "unclosed-type"
    """``[^id]: [type key=…``"""
    DAMAGED = "damaged"
    r"""``\[^id\]: …``, as Markdown formatters leave it behind."""


class Definition:
    """A footnote definition line, wherever it is; frozen, and equal by what it says.

    A format whose definitions have attributes reads them on demand.
    """

    __slots__ = ("head", "id", "span", "type", "type_span")

    def __init__(
        self,
        head: DefinitionHead,
        span: Span,
        id: Id,
        type: str | None = None,
        type_span: Span | None = None,
    ) -> None:
        self.head = head
        self.span = span
        """The line without its line break."""
        self.id = id
        self.type = type
        self.type_span = type_span
        """The type without its brackets."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Every pair, in order."""
        return ()

    @property
    def problems(self) -> tuple[AttributeProblem, ...]:
        """The faults after the type: text that is not an attribute."""
        return ()

    @property
    def values(self) -> Mapping[str, str]:
        """The value of each key; of two, the last one counts."""
        return _NO_VALUES

    @property
    def marks(self) -> Mapping[str, str]:
        """The attributes that decide who sees its cell, read also where the rest cannot be."""
        return self.values

    @property
    def is_typed(self) -> bool:
        """Whether it carries metadata at all."""
        return self.head is _TYPED

    @property
    def is_escaped(self) -> bool:
        """Whether it would be typed without the backslashes of a formatter."""
        return False

    @property
    def is_meant(self) -> bool:
        """Whether nothing but a typed definition can be meant, wherever it is."""
        return self.is_typed

    def shifted(self, by: int) -> Definition:
        """The same definition, so much further on."""
        there = copy(self)
        there.span = self.span.shift(by)
        there.id = Id(self.id.text, self.id.span.shift(by))
        there.type_span = None if self.type_span is None else self.type_span.shift(by)
        return there

    def get(self, key: str) -> Attribute | None:
        """The attribute ``key``; of two, the last one counts."""
        # First the values: most definitions do not say it, and then need no spans.
        if key not in self.values:
            return None
        for attribute in reversed(self.attributes):
            if attribute.key == key:
                return attribute
        return None

    def value(self, key: str) -> str | None:
        """The value of ``key``."""
        return self.values.get(key)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Definition):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.span, self.id))

    def __repr__(self) -> str:
        return f"Definition{self._key()}"

    def _key(self) -> tuple[object, ...]:
        place = (self.head, self.span, self.id, self.type, self.type_span)
        return (*place, self.attributes, self.problems)


def by_id(definitions: Iterable[Definition]) -> Mapping[str, Sequence[Definition]]:
    """Definitions by their ids, in order."""
    found: dict[str, list[Definition]] = {}
    for definition in definitions:
        found.setdefault(definition.id.text, []).append(definition)
    return found


_TYPED = DefinitionHead.TYPED
_NO_VALUES: Mapping[str, str] = MappingProxyType({})


class Fence(NamedTuple):
    """A fenced block."""

    span: Span
    """From the opening fence to the end of the closing one, or of what it runs through."""
    fence: Span
    """The opening run of backticks or tildes."""
    info: Span
    content: Span
    """The lines between the fences, the last line break included."""
    close: Span | None
    """The closing fence's line, or nothing where none closes it."""
    in_list: bool = False
    """Opened on a list item's line: it ends with the item, closed or not."""


class Heading(NamedTuple):
    """A Markdown heading that is not a marker."""

    level: int
    text: str
    span: Span
    text_span: Span
    setext: bool = False


class NearMiss(NamedTuple):
    """A line that is nearly a header, and its correction."""

    span: Span
    mended: str


class ConflictLine(NamedTuple):
    """A line that a merge left behind; ``mark`` is its first character."""

    mark: str
    span: Span


class Suppression(NamedTuple):
    """``<!-- msgls: ignore CODE … -->``."""

    codes: tuple[str, ...]
    span: Span


class Held(IntFlag):
    """What a cell may contain besides its definition, as far as is known without parsing it."""

    REFERENCE = auto()
    NEAR_MISS = auto()
    OPEN_FENCE = auto()
    SUPPRESSION = auto()
    LINK = auto()
    """A link, or an attribute that names a file."""
    UNSOUND = auto()
    """A JSON value that may not have its shape."""
    ODD_PART = auto()
    """A part that may not suit the role of its message."""
    ODD_TIME = auto()
    """An invalid timestamp."""


class OutputLine(NamedTuple):
    """A line of an execution's output; ``stream`` is empty where no prefix says which."""

    stream: str
    span: Span
    content: Span


class CellSource(Protocol):
    """What can read the parts of a cell: the format that found it, which derives from it.

    A cell asks for each part once, when it is needed: opening a large file
    touches every cell, but few of them further than their ids. A part that a format does not
    have is empty.
    """

    __slots__ = ()

    def reading(self, cell: Cell, part: str) -> Work[object]:
        """One of the parts below, by its name, read with pauses."""
        return at_once(getattr(cell, part))

    def indexing(self) -> Work[None]:
        """Find the definitions by their ids, with pauses."""
        return at_once(None)

    def holds(self) -> int:
        """What the cell may hold, as flags of ``Held``; too much is allowed, too little is not."""

    def has_plain_head(self) -> bool:
        """Whether the definition right below the header is known to be the cell's own."""
        return False

    def header(self) -> Header | None:
        """The line that starts the cell."""
        return None

    def body(self) -> Span:
        """Everything below the header line (in the preamble: below the frontmatter)."""

    def frontmatter(self) -> Span | None:
        """The frontmatter with its bounds, at the very start of a file."""
        return None

    def frontmatter_closed(self) -> bool:
        """Whether its closing line is there."""
        return False

    def definitions(self) -> tuple[Definition, ...]:
        """Every footnote definition outside fences, whatever its id."""
        return ()

    def first_definition(self) -> Definition | None:
        """The first of them."""
        return None

    def definitions_of(self, cell_id: str) -> Sequence[Definition]:
        """Those of one id, in order, without reading all others of a long cell."""
        return ()

    def fences(self) -> tuple[Fence, ...]:
        """Every fenced block."""
        return ()

    def headings(self) -> tuple[Heading, ...]:
        """Every Markdown heading that is not a marker."""
        return ()

    def agent_block(self) -> Span | None:
        """The YAML that a temporary agent's content opens with, between two ``---`` lines."""
        return None

    def references(self) -> tuple[Id, ...]:
        """Every ``[^id]`` in the prose."""
        return ()

    def near_misses(self) -> tuple[NearMiss, ...]:
        """Lines that are nearly headers."""
        return ()

    def conflicts(self) -> tuple[ConflictLine, ...]:
        """Lines that a merge left behind."""
        return ()

    def suppressions(self) -> tuple[Suppression, ...]:
        """Comments that suppress a rule."""
        return ()

    def hidden_markers(self) -> tuple[Span, ...]:
        """Marker lines inside a fence that is never closed."""
        return ()

    def names(self, cell: Cell) -> tuple[Name, ...]:
        """Every name in the cell."""
        return ()

    def nodes(self, cell: Cell) -> tuple[Node, ...]:
        """Every node of the cell."""
        return ()

    def links(self, cell: Cell) -> tuple[Link, ...]:
        """Every place that names a file."""
        return ()


class NoParts(CellSource):
    """The source of a cell that has no Markdown parts: of another format than message files.

    Such a format derives its own cell from ``Cell``, with parts of its own.
    """

    __slots__ = ("_length",)

    def __init__(self, length: int) -> None:
        self._length = length

    def holds(self) -> int:
        """Comments that suppress a rule, if the format has them."""
        return int(Held.SUPPRESSION)

    def body(self) -> Span:
        """All of it."""
        return Span(0, self._length)


def _part(ask: Callable[[CellSource], T]) -> lazy[T]:
    """A part of a cell that its source reads."""
    read = methodcaller(ask.__name__)
    part = lazy[T](lambda cell: read(cell._source))
    part.__doc__ = ask.__doc__
    return part


class Cell:
    """One cell, or the preamble with the frontmatter before the first one."""

    def __init__(
        self,
        kind: CellKind,
        parts: tuple[str, ...],
        id: str | None,
        facts: Facts,
        source: CellSource,
    ) -> None:
        self.kind = kind
        self.parts = parts
        """The text in pieces; ``text`` joins them."""
        self.id = id
        """The id in the header."""
        self.facts = facts
        """What this cell adds to the index of its document."""
        self._source = source

    def __repr__(self) -> str:
        return f"Cell({self.kind.value}, {self.id!r}, {self.text[:40]!r})"

    @property
    def text(self) -> str:
        """The characters of the cell."""
        parts = self.parts
        return parts[0] if len(parts) == 1 else self._joined

    @lazy
    def _joined(self) -> str:
        return "".join(self.parts)

    @property
    def length(self) -> int:
        """How many characters it has."""
        return len(self.parts[0]) if len(self.parts) == 1 else sum(map(len, self.parts))

    @property
    def is_long(self) -> bool:
        """Whether it is longer than a piece can be; a short one may have several, too."""
        return len(self.parts) > 1 and self.length > PIECE_LIMIT

    def reading(self, *parts: str) -> Work[None]:
        """Read some of the parts below, by their names, with pauses, before they are asked for.

        A part of a long cell takes long. That of a short one is read when it is asked for.
        """
        if self.is_long:
            for part in parts:
                if part not in self.__dict__:
                    setattr(self, part, (yield from self._reading(part)))

    def _reading(self, part: str) -> Work[object]:
        if part == "output_lines":
            return self._reading_output_lines()
        return self._source.reading(self, part)

    def shed(self) -> list[object]:
        """Forget what was read of it, which is read again if it is asked for.

        Gives all of that: freeing very many values at once takes long.
        """
        names = [name for name, value in self.__dict__.items() if name in _SHED]
        parts = [self.__dict__.pop(name) for name in names]
        return [value for part in parts for value in part]

    def is_read(self, *parts: str) -> bool:
        """Whether ``reading`` has nothing to do."""
        return not self.is_long or all(part in self.__dict__ for part in parts)

    def indexing(self) -> Work[None]:
        """Find its definitions by their ids, with pauses, before they are asked for."""
        return self._source.indexing()

    @property
    def holds(self) -> int:
        """What the cell may hold, as flags of ``Held``; too much is allowed, too little is not."""
        return self._source.holds()

    @lazy
    def line_starts(self) -> list[int]:
        """Where its lines start."""
        return line_starts(self.text)

    header = _part(CellSource.header)
    body = _part(CellSource.body)
    frontmatter = _part(CellSource.frontmatter)
    definitions = _part(CellSource.definitions)
    fences = _part(CellSource.fences)
    headings = _part(CellSource.headings)
    agent_block = _part(CellSource.agent_block)
    references = _part(CellSource.references)
    near_misses = _part(CellSource.near_misses)
    conflicts = _part(CellSource.conflicts)
    suppressions = _part(CellSource.suppressions)
    hidden_markers = _part(CellSource.hidden_markers)

    @property
    def frontmatter_closed(self) -> bool:
        """Whether the frontmatter's closing line is there."""
        return self._source.frontmatter_closed()

    @lazy
    def names(self) -> tuple[Name, ...]:
        """Every name in the cell, in order."""
        return self._source.names(self)

    @lazy
    def nodes(self) -> tuple[Node, ...]:
        """Every node of the cell."""
        return self._source.nodes(self)

    def nodes_at(self, at: int) -> Sequence[Node]:
        """The nodes that a cursor is in."""
        return nodes_at(self.nodes, at)

    @lazy
    def links(self) -> tuple[Link, ...]:
        """Every place that names a file."""
        return self._source.links(self)

    @property
    def sections(self) -> Sequence[tuple[int, int]]:
        """What starts a part of the document here: its depth, and where it starts.

        A part reaches to the next one that is not deeper.
        """
        return () if self.header is None else ((self.header.depth, 0),)

    @property
    def title(self) -> str:
        """The title in the header."""
        return "" if self.header is None else self.header.title.of(self.text)

    @lazy
    def home(self) -> Definition | None:
        """The definition on the first non-blank line below the header, whatever its id."""
        first = None if self.kind is _PREAMBLE else self._first_definition
        if first is None or self._source.has_plain_head():
            return first
        between = self.text[self.body.start : first.span.start]
        return None if between.strip(" \t\r\n") else first

    @property
    def _first_definition(self) -> Definition | None:
        if len(self.parts) > 1:
            return self._source.first_definition()
        return self.definitions[0] if self.definitions else None

    def definitions_of(self, cell_id: str) -> Sequence[Definition]:
        """The definitions of one id, in order."""
        if len(self.parts) > 1:
            return self._source.definitions_of(cell_id)
        if len(self.definitions) > _FEW:
            return self._definitions_by_id.get(cell_id, ())
        return [definition for definition in self.definitions if definition.id.text == cell_id]

    @lazy
    def _definitions_by_id(self) -> Mapping[str, Sequence[Definition]]:
        return by_id(self.definitions)

    def references_to(self, cell_id: str) -> Sequence[Id]:
        """The references to one id, in order."""
        if len(self.references) > _FEW:
            return self._references_by_id.get(cell_id, ())
        return [reference for reference in self.references if reference.text == cell_id]

    @lazy
    def _references_by_id(self) -> Mapping[str, Sequence[Id]]:
        found: dict[str, list[Id]] = {}
        for reference in self.references:
            found.setdefault(reference.text, []).append(reference)
        return found

    @property
    def code_block(self) -> Fence | None:
        """The first fenced block: the body of a code cell."""
        return self.fences[0] if self.fences else None

    @lazy
    def output_lines(self) -> tuple[OutputLine, ...]:
        """The non-blank lines of the body with their streams.

        Without what is not output: typed definitions, the cell's own however it is damaged, and
        comments that suppress a rule.
        """
        return done(self._reading_output_lines())

    def _reading_output_lines(self) -> Work[tuple[OutputLine, ...]]:
        yield from self.reading("definitions", "suppressions")
        taken = {definition.span.start for definition in self.definitions if definition.is_typed}
        taken.update(suppression.span.start for suppression in self.suppressions)
        if self.home is not None and self.home.id.text == self.id:
            taken.add(self.home.span.start)
        lines = []
        for number, match in enumerate(_LINE.finditer(self.text, self.body.start), 1):
            if not number % MANY:
                yield
            start, end = match.span()
            if start in taken or not match.group().strip(" \t"):
                continue
            prefix = _OUTPUT_LINE.match(match.group())
            stream = prefix.group(1) if prefix else ""
            content = start + (prefix.end() if prefix else 0)
            lines.append(OutputLine(stream, Span(start, end), Span(content, end)))
        return tuple(lines)

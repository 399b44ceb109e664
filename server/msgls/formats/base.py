"""What a format is: the one protocol that store, reparse, rules and commands know.

A format cuts text into pieces, reads each piece by itself, says which piece
starts a cell in which state, and makes a cell out of pieces. Everything
incremental is built on those four and lives in ``document``; a new format
implements this protocol and gets the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from msgls.syntax.cells import Cell, Definition, Facts
from msgls.syntax.ids import CellId
from msgls.text.spans import Edit, Span


class Piece(Protocol):
    """A run of lines, read by itself."""

    @property
    def text(self) -> str:
        """Its characters."""

    def starts_cell(self, entry: str) -> bool:
        """Whether a cell begins with it, when it is entered in state ``entry``.

        Pieces before the first such piece belong to no cell, and nothing is offered in them: a
        format that has a cell there too lets its ``start`` state begin one.
        """

    def exit(self, entry: str) -> str:
        """The state that it leaves the next piece in."""


class Block(ABC):
    """A piece of many small cells, which share a place in the store.

    Each cell is whole: it begins in the block and ends there. What the block costs is shared by its
    cells, and a cell is made when it is asked for. A format with blocks says ``has_blocks``.
    """

    length: int
    """How many characters it has."""
    breaks: int
    """How many lines end in it."""

    @property
    @abstractmethod
    def text(self) -> str:
        """Its characters."""

    @abstractmethod
    def starts_cell(self, entry: str) -> bool:
        """Whether a cell begins with it; if not, it goes with the block before it."""

    @abstractmethod
    def exit(self, entry: str) -> str:
        """The state that it leaves the next piece in."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many cells there are."""

    @abstractmethod
    def texts(self) -> Sequence[str]:
        """The text of each cell."""

    @abstractmethod
    def facts(self, entry: str) -> Mapping[int, Facts]:
        """What its cells add to the index, by their numbers, without those that add nothing."""

    @abstractmethod
    def held(self) -> Mapping[int, int]:
        """What its cells hold, as flags of ``Held``, by their numbers; without those of nothing."""

    @abstractmethod
    def cell(self, number: int, text: str, entry: str) -> Cell:
        """A cell, whose text is given."""

    @abstractmethod
    def forget(self) -> None:
        """Keep no facts: the index has them, and few are asked for again."""

    @abstractmethod
    def learn(self, others: Sequence[Block]) -> None:
        """Take over what is known of blocks that hold nearly the same text, before it is read."""

    @abstractmethod
    def copy(self) -> Block:
        """The same block, to be entered in another state."""


class Placed(NamedTuple):
    """A cell and where it is in its document."""

    cell: Cell
    label: int
    """Its label: grows along the document, and stays with the cell from version to version."""
    start_offset: int
    start_line: int

    @property
    def span(self) -> Span:
        """Where the cell is, absolute."""
        return Span(self.start_offset, self.start_offset + self.cell.length)


class CellRole(Enum):
    """The role of a cell in the conversation."""

    PREAMBLE = "preamble"
    MESSAGE = "message"
    CODE = "code"
    ANSWER = "answer"
    CALL = "tool call"
    RESULT = "tool result"
    RUN = "execution output"

    # Members are compared by identity; their own hash is computed in Python, for every look-up.
    __hash__ = object.__hash__


class Meaning(NamedTuple):
    """A cell, its definition wherever that is, and what both together are."""

    placed: Placed
    definition: Definition | None
    holder: Placed | None
    """The cell that the definition stands in."""
    role: CellRole
    lost: Definition | None = None
    """What was meant as the definition of a cell that has none."""

    @property
    def cell(self) -> Cell:
        """The cell itself."""
        return self.placed.cell

    def value(self, key: str) -> str | None:
        """The value of an attribute."""
        return None if self.definition is None else self.definition.value(key)

    def mark(self, key: str) -> str | None:
        """The value of an attribute that says who sees the cell.

        A definition that cannot be read hides its cell anyway.
        """
        said = self.lost if self.definition is None else self.definition
        return None if said is None else said.marks.get(key)

    @property
    def type(self) -> str | None:
        """The type that the definition gives."""
        return None if self.definition is None else self.definition.type

    @property
    def parent_id(self) -> str | None:
        """The id of the cell that this one answers, by its shape."""
        cell_id = self.cell.id
        if cell_id is None or self.role not in (CellRole.CALL, CellRole.RESULT, CellRole.RUN):
            return None
        return CellId(cell_id).parent or None


class Entry(NamedTuple):
    """A cell that a fact of the index comes from, with the payloads of the fact."""

    label: int
    """The label of the cell."""
    payloads: tuple[object, ...]


class View(Protocol):
    """What a format may know of a document."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def newline(self) -> str:
        r"""The line break that the text uses first; ``\n`` where it has none."""

    @property
    def format(self) -> Format:
        """Its format."""

    @property
    def path(self) -> str:
        """Where it is kept; only its name and ending mean something here."""

    @property
    def agents_around(self) -> frozenset[str]:
        """The agents that are registered around the file, in the nearest ``agents.json``."""

    def cells(self) -> Iterator[Placed]:
        """Every cell, in order."""

    def cell(self, label: int) -> Placed:
        """The cell with that label."""

    def entries(self, relation: str, name: str) -> Sequence[Entry]:
        """The cells with a fact ``(relation, name)``, in document order."""

    def first_cell(self) -> Placed | None:
        """The cell at the very start."""


Field = tuple[str, str]
"""A key and a value that a file says at its start."""


def folded(key: str, value: str) -> Field:
    """A field as it is compared."""
    return key.casefold(), value.casefold()


class Format(Protocol):
    """A kind of file that holds a conversation; a format derives from it, with empty answers."""

    start: str
    """The state before the first piece."""
    is_checked: bool = True
    """Whether rules look at its files."""
    has_agents: bool = False
    """Whether agents answer in its cells: it is a message file."""
    registers_agents: bool = False
    """Whether it registers agents for the files around it."""
    holds_markdown: bool = False
    """Whether the text of its messages is Markdown, links and all."""
    is_json: bool = False
    """Whether its files are JSON, where any character of a text may be written as an escape."""
    has_blocks: bool = False
    """Whether its pieces are blocks."""
    names_files: bool = False
    """Whether its cells may name other files."""
    identity: str = ""
    """The key of ``head_fields`` that identifies a file among others, if there is one."""

    @property
    def name(self) -> str:
        """Its name on the command line."""

    @property
    def language_id(self) -> str:
        """Its language id in editors."""

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of its files' names, in lower case; no other file is looked into."""

    def detect(self, path: str, head: str) -> bool:
        """Whether a file of that name, which begins with ``head``, is of this format."""
        return self.is_certain(path)

    def is_certain(self, path: str) -> bool:
        """Whether the name alone decides the format, as by default: then no edit changes it."""
        return path.lower().endswith(self.endings)

    def number(self, path: str) -> int | None:
        """The place of a file in its folder, by its name, where a folder is a conversation."""
        return None

    def head_fields(self, head: str) -> Iterable[tuple[str, str]]:
        """What the start of a file says that other files may ask for: keys and values."""
        return ()

    def split(self, text: str) -> list[str]:
        """Cut whole lines into pieces; where to cut must follow from each line alone."""

    def read(self, text: str) -> Piece | Block:
        """Read a piece by itself."""

    def prepare(self, part: tuple[Piece, str]) -> None:
        """Read what follows from one of several pieces of a cell alone, and keep it with it."""
        return

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        """The cell that pieces make, each with the state it is entered in. Never raises."""

    def meaning(self, view: View, placed: Placed) -> Meaning:
        """The meaning of a cell in its document; by default it depends on the cell alone."""
        return Meaning(placed, None, None, CellRole.PREAMBLE)

    def gathering(self, view: View) -> list[Edit]:
        """The edits after which every cell holds what the file says about it."""
        return []

    def identifying(self, view: View, placed: Placed, new_id: str) -> list[Edit]:
        """The edits that give a cell another id, wherever the file says it."""
        return []

"""Messages, message deltas and session entries in JSON: one object, an array, or JSONL.

A line of JSONL is a cell, and so is an element of an array at the top of a
``*.messages.json``. The limits of that: elements that share a line share a cell, so a
file that is one line is one cell; an element is told from what it holds by standing at
most four spaces or one tab deep, as tools write it; and a file that is one object is one
cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import NoReturn

from msgls.formats.base import Block, Format, Piece
from msgls.syntax.cells import Cell

NAME = "msgjson"


class JsonMessages(Format):
    """The base of all carriers. Reading JSON is loaded with the first file."""

    name = NAME
    language_id = NAME
    is_json = True
    start = "^"
    endings: tuple[str, ...] = ()


class MessagesArray(JsonMessages):
    """``*.messages.json``: an array, or one object."""

    endings = (".messages.json",)

    def split(self, text: str) -> list[str]:
        """Before every line that an element may begin with."""
        from msgls.formats.msgjson.pieces import split_array

        return split_array(text)

    def read(self, text: str) -> Piece:
        """Nothing is read before it is known how deep it is."""
        from msgls.formats.msgjson.pieces import ArrayPiece

        return ArrayPiece(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        """The cell that the pieces make."""
        from msgls.formats.msgjson.pieces import ArrayPiece, parse_array
        from msgls.formats.msgjson.records import Shape

        own = [(piece, entry) for piece, entry in parts if isinstance(piece, ArrayPiece)]
        return parse_array(own, Shape.MESSAGE)


class JsonLines(JsonMessages):
    """JSONL; what a line is taken for that does not show it depends on the file's name."""

    has_blocks = True

    def __init__(self, ending: str, default: str) -> None:
        self.endings = (ending,)
        self.default = default
        """``message``, ``delta`` or ``entry``."""

    @property
    def is_session(self) -> bool:
        """Whether its lines are the entries of a session."""
        return self.default == "entry"

    def split(self, text: str) -> list[str]:
        """Blocks of lines."""
        from msgls.formats.msgjson.pieces import split_blocks

        return split_blocks(text)

    @cached_property
    def _read(self) -> Callable[[str], Block]:
        # Found once: an import statement for each block takes long.
        from msgls.formats.msgjson.pieces import LineBlock, read_value
        from msgls.formats.msgjson.records import Shape

        read = partial(read_value, default=Shape(self.default), in_session=self.is_session)
        return lambda text: LineBlock(text, read)

    def read(self, text: str) -> Block:
        """A block, whose lines are read when it is followed."""
        return self._read(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> NoReturn:
        """Each block makes its own cells."""
        raise TypeError("the cells of a block are made by the block")


MESSAGES_JSON = MessagesArray()
MESSAGES_JSONL = JsonLines(".messages.jsonl", "message")
DELTAS_JSONL = JsonLines(".deltas.jsonl", "delta")
SESSION_JSONL = JsonLines(".session.jsonl", "entry")

MSGJSON: Sequence[Format] = (MESSAGES_JSON, MESSAGES_JSONL, DELTAS_JSONL, SESSION_JSONL)

"""Plain text: files of an unknown format, which are edited but never checked."""

from collections.abc import Sequence
from typing import NamedTuple

from msgls.formats.base import Format, Piece
from msgls.syntax.cells import Cell, CellKind, NoParts
from msgls.text.lines import cut_at

_START = "^"


class _PlainPiece(NamedTuple):
    text: str

    def starts_cell(self, entry: str) -> bool:
        return entry == _START

    def exit(self, entry: str) -> str:
        return ""


class WholeFile(Format):
    """A format whose files are one cell."""

    start = _START

    def is_certain(self, path: str) -> bool:
        """What it holds decides."""
        return False

    def split(self, text: str) -> list[str]:
        """By size alone."""
        return cut_at(text, ())

    def read(self, text: str) -> Piece:
        """A piece means nothing by itself."""
        return _PlainPiece(text)


class PlainText(WholeFile):
    """The format of files that no other format recognises."""

    name = "plain"
    language_id = "plaintext"
    endings = ()
    is_checked = False

    def detect(self, path: str, head: str) -> bool:
        """Everything is text."""
        return True

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        """One cell without parts."""
        texts = tuple(piece.text for piece, _ in parts)
        return Cell(CellKind.PREAMBLE, texts, None, {}, NoParts(sum(map(len, texts))))


PLAIN = PlainText()

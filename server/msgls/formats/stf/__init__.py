"""The Simple Text Format: messages as lines, with commands after a prefix."""

from collections.abc import Sequence

from msgls.formats.base import Format, Piece
from msgls.formats.stf import lexer
from msgls.formats.stf.cells import parse_cell
from msgls.syntax.cells import Cell


class SimpleTextFile(Format):
    """``*.stf``. Its dialect is that of its first line with a prefix, unless one is given."""

    name = "stf"
    language_id = "stf"
    endings: tuple[str, ...] = (".stf",)
    holds_markdown = True
    names_files = True

    def __init__(self, dialect: str | None = None) -> None:
        self.dialect = dialect
        """The prefix that the file is read with, whatever its first line says."""
        self.start = lexer.START + (dialect or "")

    def split(self, text: str) -> list[str]:
        """Before every line that may start a message."""
        return lexer.split(text)

    def read(self, text: str) -> Piece:
        """Find the lines with a prefix."""
        return lexer.lex(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        """The cell that the pieces make."""
        return parse_cell([(p, entry) for p, entry in parts if isinstance(p, lexer.Lexed)])


STF = SimpleTextFile()

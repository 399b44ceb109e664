"""How the tables of this folder read a source: in one go, and with every line a piece.

A cell must not depend on where its text is cut into pieces, so each row is read both
ways; and with each of the three line ends, where the table says so.
"""

from collections.abc import Iterator
from itertools import pairwise

from msgls.document.document import Document
from msgls.formats.base import Format
from msgls.formats.registry import detect
from msgls.syntax.cells import Cell
from msgls.text.lines import line_starts
from tests.notation import each

PATH = "a.msg.md"

LINE_ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}
with_every_line_end = each("line_end", LINE_ENDS.values())


def documents(text: str, path: str = PATH) -> Iterator[Document]:
    """``text`` read as a whole, and cut into its lines."""
    format = detect(path, text)
    yield Document.open(path, text, format)
    pieces = [format.read(line) for line in _lines(text, format)]
    yield Document.from_pieces(path, pieces, format)


def _lines(text: str, format: Format) -> Iterator[str]:
    starts = [*line_starts(text), len(text)]
    for start, end in pairwise(starts):
        if start < end:
            # A long line is one piece, and no line is two.
            yield from format.split(text[start:end])


def only_cell(text: str, path: str = PATH) -> Iterator[Cell]:
    """The one cell that ``text`` is, read both ways."""
    for document in documents(text, path):
        (placed,) = document.cells()
        yield placed.cell

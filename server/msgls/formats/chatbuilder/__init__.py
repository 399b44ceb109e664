"""The ChatBuilder message: one message a file, its metadata in lines that start with ``;``."""

from collections.abc import Iterable, Sequence

from msgls.formats.base import Format, Piece
from msgls.formats.chatbuilder.cells import START, ReadPiece, parse_cell, read, split
from msgls.formats.chatbuilder.fields import UUID
from msgls.formats.chatbuilder.header import parse_header, scan
from msgls.syntax.cells import Cell
from msgls.text.patterns import lazy_pattern

_NUMBERED = lazy_pattern(r"[0-9]+\.md", 2)  # re.IGNORECASE
# No file system has longer ones, and Python refuses to count so far.
_LONGEST_NAME = 255
_LINE = lazy_pattern(r"([^\r\n]*)(?:\r\n|\n|\r|\Z)")
_TELLING_LINE = lazy_pattern(r";|role[ \t]*:|Block-UUID")
# How far down a line may be that shows what a file in `messages/<kind>/` is.
_TELLING_LINES = 20
_FOLDER = "messages"
_OTHER_FOLDER = "trees"


class ChatBuilderMessage(Format):
    """``1.md``, ``2.md``, … : a folder of them is a conversation."""

    name = "chatbuilder"
    language_id = "chatbuilder"
    endings = (".md",)
    holds_markdown = True
    identity = UUID
    start = START

    def detect(self, path: str, head: str) -> bool:
        """A numbered file that begins with ``;``, or has a telling line where messages are kept."""
        *folders, name = path.replace("\\", "/").split("/")
        if not _NUMBERED.fullmatch(name) or _OTHER_FOLDER in folders:
            return False
        head = head.removeprefix("\ufeff")
        if head.startswith(";"):
            return True
        return folders[-2:-1] == [_FOLDER] and _shows_header(head)

    def is_certain(self, path: str) -> bool:
        """The name alone says nothing: other notes are numbered too."""
        return False

    def number(self, path: str) -> int | None:
        """The number that its name is."""
        return message_number(path)

    def head_fields(self, head: str) -> Iterable[tuple[str, str]]:
        """The fields of its header."""
        body_start = scan(head, START).body_start
        header = parse_header(head if body_start < 0 else head[:body_start], True)
        return [(field.key, field.value) for field in header.fields]

    def split(self, text: str) -> list[str]:
        """Before every line that looks like a heading."""
        return split(text)

    def read(self, text: str) -> Piece:
        """Find the lines that mean something."""
        return read(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        """The cell that the pieces make."""
        return parse_cell([(piece, e) for piece, e in parts if isinstance(piece, ReadPiece)])


def message_number(path: str) -> int | None:
    """The number of a message by the name of its file."""
    name = path.replace("\\", "/").rpartition("/")[2]
    if len(name) > _LONGEST_NAME or not _NUMBERED.fullmatch(name):
        return None
    return int(name[:-3])


def _shows_header(head: str) -> bool:
    """Whether one of the first lines is of a header, with or without its ``;``."""
    offset = 0
    for _ in range(_TELLING_LINES):
        if _TELLING_LINE.match(head, offset):
            return True
        line = _LINE.match(head, offset)
        if line is None or line.end() == len(head):
            return False
        offset = line.end()
    return False


CHATBUILDER = ChatBuilderMessage()

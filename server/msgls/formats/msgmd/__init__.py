"""The message file: Markdown cells with footnotes that hold their metadata."""

from collections.abc import Sequence

from msgls.formats.base import Format, Meaning, Piece, Placed, View
from msgls.formats.msgmd import lexer
from msgls.formats.msgmd.cells import parse_cell, prepare_part
from msgls.formats.msgmd.meaning import meaning_of
from msgls.syntax.cells import Cell
from msgls.text.patterns import lazy_pattern
from msgls.text.spans import Edit

# How much of a plain Markdown file is looked at for a frontmatter that activates it.
_HEAD_LIMIT = 65_536
_CLOSING_LINE = lazy_pattern(r"(?<=[\r\n])---[ \t]*(?=[\r\n]|\Z)")


class MessageFile(Format):
    """``*.msg.md``, where the whole file is the record."""

    name = "msgmd"
    language_id = "msgmd"
    endings: tuple[str, ...] = (".msg.md",)
    has_agents = True
    holds_markdown = True
    names_files = True
    start = lexer.START
    with_headings = False

    def split(self, text: str) -> list[str]:
        """Before every line that looks like a marker."""
        return lexer.split(text)

    def read(self, text: str) -> Piece:
        """Find the lines that mean something."""
        return lexer.lex(text)

    def prepare(self, part: tuple[Piece, str]) -> None:
        """Find the facts of a piece."""
        piece, entry = part
        if isinstance(piece, lexer.Lexed):
            prepare_part(piece, entry)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        """The cell that the pieces make."""
        lexed = [(piece, entry) for piece, entry in parts if isinstance(piece, lexer.Lexed)]
        return parse_cell(lexed, self.with_headings)

    def meaning(self, view: View, placed: Placed) -> Meaning:
        """The meaning of a cell, by its definition, wherever that is."""
        return meaning_of(view, placed)

    def gathering(self, view: View) -> list[Edit]:
        """Every definition goes below its header; some writers put all at the end of the file."""
        from msgls.formats.msgmd.edits import move_definition_home, own_definition

        edits: list[Edit] = []
        for placed in view.cells():
            found = None if placed.cell.id is None else own_definition(view, placed)
            if found is not None and found[1].label != placed.label:
                edits += move_definition_home(view, placed, found[1], found[0])
        return edits

    def identifying(self, view: View, placed: Placed, new_id: str) -> list[Edit]:
        """The header, the definition and the children of the cell."""
        from msgls.formats.msgmd.edits import rename_id

        return rename_id(view, placed, new_id)


class SectionedMessageFile(MessageFile):
    """A plain ``*.md`` whose frontmatter names the section that holds the record."""

    endings = (".md",)
    with_headings = True

    def __init__(self, default_section: str | None = None) -> None:
        self.default_section = default_section
        """The section that ``message_section: true`` stands for, where it is another one."""

    def detect(self, path: str, head: str) -> bool:
        """A Markdown file whose frontmatter names a ``message_section``; ``false`` names none."""
        name = path.lower()
        if not name.endswith(".md") or name.endswith(".msg.md"):
            return False
        if "message_section" not in head[:_HEAD_LIMIT]:
            return False
        text = frontmatter_text(head[:_HEAD_LIMIT])
        if text is None:
            return False
        from msgls.formats.msgmd.frontmatter import parse_frontmatter

        return parse_frontmatter(text, True).message_section is not None

    def is_certain(self, path: str) -> bool:
        """What its frontmatter says decides."""
        return False


def frontmatter_text(head: str) -> str | None:
    """The closed frontmatter at the very start of a text, both of its bounds included."""
    if not head.startswith(("---", "\ufeff---")):
        return None
    # What follows its last line cannot matter, and may be long.
    closing = _CLOSING_LINE.search(head)
    pieces = lexer.split(head if closing is None else head[: closing.end()])
    text, entry = "", lexer.START
    for piece in map(lexer.lex, pieces):
        walk = piece.walk(entry)
        if walk.frontmatter_end >= 0:
            return text + piece.text[: walk.frontmatter_end]
        if walk.exit != lexer.FRONTMATTER:
            return None
        text, entry = text + piece.text, walk.exit
    return None


MSGMD = MessageFile()
SECTIONED_MSGMD = SectionedMessageFile()

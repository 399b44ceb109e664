"""An edit reads its own message, and no other one is made again unless it must be."""

from collections.abc import Sequence

import pytest

from msgls.document.document import Document
from msgls.formats.base import Piece
from msgls.formats.stf import SimpleTextFile
from msgls.syntax.cells import Cell
from msgls.text.spans import Span
from tests.formats.stf.reading import PATH


class Counted(SimpleTextFile):
    """A format that remembers what it was asked to read and to parse."""

    def __init__(self) -> None:
        super().__init__()
        self.read_texts: list[str] = []
        self.parsed: list[str | None] = []

    def read(self, text: str) -> Piece:
        self.read_texts.append(text)
        return super().read(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        cell = super().parse(parts)
        self.parsed.append(cell.id)
        return cell

    def forget(self) -> None:
        self.read_texts.clear()
        self.parsed.clear()


def messages(count: int) -> str:
    return "".join(
        f"@user id=u{n}\nline of {n}\n@msg id=m{n}\n@call id=c{n}\nf {{}}\n" for n in range(count)
    )


def counted(text: str) -> tuple[Document, Counted]:
    format = Counted()
    document = Document.open(PATH, text, format)
    assert format.parsed
    format.forget()
    return document, format


@pytest.mark.parametrize(
    "typed", ["x", "\n", "😀", "\n@# note\n", "\n@call\ng {}\n", "\n;user\n", ""]
)
def test_typing_in_a_message_makes_no_other_anew(typed: str) -> None:
    text = messages(500)
    document, format = counted(text)
    offset = text.index("of 250\n")
    edited = document.edit(Span(offset, offset + (not typed)), typed)
    assert set(format.parsed) == {"u250"}
    assert sum(map(len, format.read_texts)) < 200
    assert [edited.cell(label).cell.id for label in edited.change.added] == ["u250"]


def test_another_role_reaches_no_further_than_it_is_taken_over() -> None:
    text = messages(500)
    document, format = counted(text)
    offset = text.index("@user id=u250")
    document.edit(Span(offset, offset + len("@user")), "@ai")
    # The next message has a role of its own, and is where it ends.
    assert set(format.parsed) == {"u250", "m250", "u251"}


def test_opening_a_comment_reads_no_text_again() -> None:
    text = messages(500)
    document, format = counted(text)
    offset = text.index("line of 0")
    opened = document.edit(Span(offset, offset), "@/*\n")
    assert opened.cell_count == 1
    assert sum(map(len, format.read_texts)) < 200
    format.forget()
    closed = opened.edit(Span(offset, offset + 4), "")
    assert closed.cell_count == 1_000
    assert sum(map(len, format.read_texts)) < 200


def test_an_open_block_ends_with_its_message() -> None:
    text = messages(500)
    document, format = counted(text)
    offset = text.index("line of 250")
    document.edit(Span(offset, offset), "@raw id=r\n{\n")
    assert set(format.parsed) == {"u250", "r", "m250", "u251"}


def test_typing_in_a_long_message_reads_one_piece() -> None:
    text = "@user id=u\n" + "some words on a line\n" * 20_000 + "@ai\n"
    document, format = counted(text)
    document.edit(Span(200_000, 200_000), "x")
    assert format.parsed == ["u"]
    assert sum(map(len, format.read_texts)) < 100_000


def test_typing_in_the_text_changes_no_fact() -> None:
    text = messages(3)
    document = Document.open(PATH, text)
    offset = text.index("of 1")
    assert document.edit(Span(offset, offset), "x").change.facts == frozenset()

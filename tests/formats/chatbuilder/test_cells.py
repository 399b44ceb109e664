"""Cells: the header with what follows it, and a section for each heading."""

from collections.abc import Sequence

import pytest

from msgls.document.document import Document
from msgls.formats.base import Piece
from msgls.formats.chatbuilder import CHATBUILDER, ChatBuilderMessage
from msgls.formats.chatbuilder.cells import ChatBuilderCell
from msgls.syntax.cells import Cell, CellKind
from msgls.text.spans import Span
from tests.notation import table

HEAD = "; A: b\n;\n; role: user\n\n\n"


def cells(text: str) -> list[ChatBuilderCell]:
    document = Document.open("x", text, CHATBUILDER)
    found = [placed.cell for placed in document.cells()]
    assert all(isinstance(cell, ChatBuilderCell) for cell in found)
    return [cell for cell in found if isinstance(cell, ChatBuilderCell)]


SECTIONS = {
    "one": [HEAD + "Hello\n"],
    "headings": [HEAD + "Hello\n", "# A\nx\n", "###### B\n", "#\n"],
    "a heading at once": [HEAD, "# A\nx\n"],
    "a heading without a separator": ["; role: user\n", "# A\nx\n"],
    "a heading without a header": ["# A\nx\n", "# B\n"],
    "no headings": [HEAD + "#A\n####### B\n #C\n    # D\n"],
    "one that is indented stays": [HEAD + "x\n # A\n"],
    "in a fence": [HEAD + "```\n# no\n```\n", "# A\n~~~\n# no\n~~~\n"],
    "in an escaped fence": [HEAD + "\\```py\n# no\n\\```\n", "# A\n"],
    "escaped and bare go together": [HEAD + "\\```py\n# no\n```\n", "# A\n```\n# no\n\\```\n"],
    "a fence in a list": [HEAD + "- ```\n  # no\n  ```\n", "# A\n- ```\n  x\n", "# B\n"],
    "a fence that nothing closes": [HEAD + "```\n# no\n\n\n# no\n"],
    "a longer fence": [HEAD + "````\n```\n# no\n````\n", "# A\n"],
    "in the header it is text": ["# A\n; role: user\n\n\n", "# B\n"],
    "CRLF": [HEAD.replace("\n", "\r\n") + "x\r\n", "# A\r\n"],
    "CR": [HEAD.replace("\n", "\r") + "x\r", "# A\r", "# B"],
}


@table("texts", SECTIONS)
def test_sections(texts: list[str]) -> None:
    found = cells("".join(texts))
    assert [cell.text for cell in found] == texts
    assert [cell.kind for cell in found] == [CellKind.PREAMBLE] + [CellKind.MESSAGE] * (
        len(texts) - 1
    )
    assert [cell.message_header is None for cell in found] == [False] + [True] * (len(texts) - 1)


def test_parts_of_the_body() -> None:
    text = HEAD + "Über\n====\n\\```py\n# x\n\\```\n ## B ##\n"
    (cell,) = cells(text)
    assert cell.body == Span(len(HEAD), len(text))
    assert [(heading.level, heading.text) for heading in cell.headings] == [(1, "Über"), (2, "B")]
    assert [heading.text_span.of(text) for heading in cell.headings] == ["Über", "B"]
    (fence,) = cell.fences
    assert fence.info.of(text) == "py"
    assert fence.content.of(text) == "# x\n"
    assert fence.span.of(text) == "\\```py\n# x\n\\```"


def test_runs_of_backticks() -> None:
    first, second = cells(HEAD + "```\nx\n\\```\n# A\n````\n")
    assert [span.of(first.text) for span in first.unescaped] == ["```"]
    assert [span.of(second.text) for span in second.unescaped] == ["````"]


def test_facts_hold_no_places() -> None:
    uuid = "32D9AFC7-aeac-4a67-ba94-0c92678604a1"
    first, second = cells(f"; Block-UUID: {uuid}\n; A: 1\n; A: 2\n; role: user\n\n\nx\n# A\n")
    assert first.facts == {
        ("field", "Block-UUID"): (uuid,),
        ("uuid", uuid.lower()): (None,),
        ("field", "A"): ("1", "2"),
        ("field", "role"): ("user",),
    }
    assert second.facts == {}


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("; msgls: ignore CBM005", [("CBM005",)]),
        (";msgls:ignore CBM005, missing-fields", [("CBM005", "missing-fields")]),
        ("; msgls: ignore", []),
        ("; msgls ignore CBM005", []),
        ("; other: ignore CBM005", []),
    ],
)
def test_suppressions(line: str, codes: list[tuple[str, ...]]) -> None:
    (cell,) = cells(f"{line}\n; role: user\n\n\nHello\n")
    assert [suppression.codes for suppression in cell.suppressions] == codes


class _Counted(ChatBuilderMessage):
    """The format, remembering what it was asked to read and to parse."""

    def __init__(self) -> None:
        self.read_chars = 0
        self.parsed: list[str] = []

    def read(self, text: str) -> Piece:
        self.read_chars += len(text)
        return CHATBUILDER.read(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        cell = CHATBUILDER.parse(parts)
        self.parsed.append(cell.text[:8])
        return cell


@pytest.mark.parametrize("typed", ["x", "\n", "`", "😀", "; ", ""])
def test_typing_in_a_section_reads_no_other(typed: str) -> None:
    text = HEAD + "".join([f"# {number}\nsome words\n" for number in range(1_000)])
    format = _Counted()
    document = Document.open("x", text, format)
    format.read_chars, format.parsed = 0, []
    offset = text.index("# 500\n") + 8
    document.edit(Span(offset, offset + (not typed)), typed)
    assert format.parsed == ["# 500\nso"]
    assert format.read_chars < 100


def test_typing_in_a_long_section_reads_one_piece_of_it() -> None:
    text = HEAD + "some words on a line\n" * 20_000 + "# A\n"
    format = _Counted()
    document = Document.open("x", text, format)
    format.read_chars = 0
    document.edit(Span(200_000, 200_000), "x")
    assert 0 < format.read_chars < 100_000

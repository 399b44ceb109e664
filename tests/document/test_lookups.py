"""Asking a document: by number, by position, by name; and an index whose facts change by dozens."""

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import pytest

from msgls.document.document import Document
from msgls.document.index import Index
from msgls.features.names import name_at
from msgls.formats.base import Entry, Format, Piece
from msgls.syntax.cells import Cell, CellKind, FactKey, NoParts
from msgls.text.lines import Position
from msgls.text.spans import Span
from msgls.text.work import done
from tests.document.tracked import Tracked

CELLS = "# %% [^a]\n😀x\n# %% [^b]\n"
KEY: FactKey = ("header", "a")

Said = tuple[int, dict[FactKey, tuple[object, ...]]]


@pytest.mark.parametrize("number", [-1, 2, 99])
def test_there_is_no_cell_of_that_number(number: int) -> None:
    document = Document.open("a.msg.md", CELLS)
    with pytest.raises(IndexError):
        document.cell_number(number)
    assert list(document.cells_from(number)) == []


class _HeadedPiece(NamedTuple):
    text: str

    def starts_cell(self, entry: str) -> bool:
        return self.text.startswith("== ")

    def exit(self, entry: str) -> str:
        return entry


class _Headed(Format):
    """Cells begin at ``== ``, and what stands before the first one is not a cell."""

    name, language_id, endings, start = "headed", "headed", (".headed",), ""

    def detect(self, path: str, head: str) -> bool:
        return path.endswith(self.endings)

    def is_certain(self, path: str) -> bool:
        return self.detect(path, "")

    def split(self, text: str) -> list[str]:
        return re.split(r"(?m)(?!\A)(?=^== )", text)

    def read(self, text: str) -> Piece:
        return _HeadedPiece(text)

    def parse(self, parts: Sequence[tuple[Piece, str]]) -> Cell:
        texts = tuple(piece.text for piece, _ in parts)
        return Cell(CellKind.MESSAGE, texts, None, {}, NoParts(sum(map(len, texts))))


def test_text_before_the_first_cell_may_belong_to_none() -> None:
    text = "so\n== a\nx\n== b\n"
    document = Document.open("a.headed", text, _Headed())
    numbers = [document.number_at_offset(offset) for offset in range(len(text) + 1)]
    assert numbers == [None] * 3 + [0] * 7 + [1] * 6
    assert document.cell_at_offset(0) is None
    assert name_at(document, 1) is None


def test_there_is_no_cell_of_that_label() -> None:
    document = Document.open("a.msg.md", CELLS)
    first = document.first_cell()
    assert first is not None
    with pytest.raises(KeyError):
        document.cell(first.label + 1)


@pytest.mark.parametrize(
    ("position", "encoding", "offset"),
    [(Position(1, 2), "utf-16", 11), (Position(1, 1), "utf-32", 11), (Position(1, 4), "utf-8", 11)],
)
def test_places_and_offsets(position: Position, encoding: str, offset: int) -> None:
    document = Document.open("a.msg.md", CELLS)
    for known in ("utf-8", "utf-16", "utf-32"):
        if known == encoding:
            assert document.offset_of(position, known) == offset
            assert document.position_of(offset, known) == position


@pytest.mark.parametrize("count", [1, 8, 9, 40])
def test_an_index_is_the_same_however_many_facts_change_at_once(count: int) -> None:
    kept: list[Said] = [(label, {KEY: (f"old {label}",)}) for label in range(0, 200, 2)]
    leaving = kept[10 : 10 + count]
    coming: list[Said] = [(label + 1, {KEY: (f"new {label}",)}) for label, _ in leaving]
    index, changed = done(Index.building(iter(kept))).updated(iter(leaving), iter(coming))
    wanted = sorted([said for said in kept if said not in leaving] + coming, key=itemgetter(0))
    assert index.get(KEY) == tuple(Entry(label, facts[KEY]) for label, facts in wanted)
    assert changed == {KEY}


def test_a_name_that_dozens_of_cells_say_is_followed() -> None:
    """One edit takes them away, and another one brings them back."""
    twins = "# %% [^a]\n\n[^a]: [markdown]\n\nsee [^b]\n\n" * 30
    tracked = Tracked("a.msg.md", "# %% [^z]\n\n" + twins)
    start = len("# %% [^z]\n\n")
    tracked.edit(start, start, "```\n")
    assert tracked.document.entries("header", "a") == ()
    tracked.check()
    tracked.edit(start, start + 4, "")
    assert len(tracked.document.entries("header", "a")) == 30
    tracked.check()


def test_an_empty_document_has_no_cell_anywhere() -> None:
    document = Document.open("a.msg.md", "x").edit(Span(0, 1), "")
    assert document.cell_count == 0
    assert document.first_cell() is None
    assert document.number_at_offset(0) is None
    assert document.store.position_of(5) == Position(0, 0)

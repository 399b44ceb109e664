"""Every feature at a position answers anywhere in a file, whole or half-written."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.actions import cell_actions
from msgls.features.commands import Call, CellChange, RefusedError
from msgls.features.completion import complete, documentation
from msgls.features.definition import definition
from msgls.features.folding import folding
from msgls.features.highlight import highlights
from msgls.features.hover import hover
from msgls.features.language import language_of
from msgls.features.lenses import lenses, say
from msgls.features.links import links
from msgls.features.markup import markdown, plain
from msgls.features.msgjson.scanning import spot_at
from msgls.features.outline import OutlineNode, outline
from msgls.features.references import references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.features.selection import selection_spans
from tests.features.msgjson.sample import FILES, files, opened
from tests.snapshots import snapshot_of


def ask_everything(document: Document, offset: int) -> None:
    """Ask all features at one place, and check what must hold of every answer."""
    text = document.text
    offset = document.offset_of(document.position_of(offset))
    found = hover(snapshot_of(document), offset)
    if found is not None:
        assert found.span.contains(offset)
        assert markdown(found.parts)
        plain(found.parts).encode("utf-8")
    jump = definition(snapshot_of(document), offset)
    for target in () if jump is None else jump.targets:
        assert target.around.covers(target.span)
        assert target.span.end <= len(text)
    spans = references(snapshot_of(document), offset)
    assert spans == sorted(set(spans))
    assert [shown.span for shown in highlights(snapshot_of(document), offset)] == spans
    check_rename(document, offset)
    check_completion(document, offset)
    spans = selection_spans(snapshot_of(document), offset)
    assert all(larger.covers(smaller) for smaller, larger in itertools.pairwise(spans))
    assert list(cell_actions(snapshot_of(document), offset))


def check_rename(document: Document, offset: int) -> None:
    with suppress(RenameRefused):
        what = prepare_rename(snapshot_of(document), offset)
        assert json.loads(f'"{what.span.of(document.text)}"') == what.text
        assert rename(snapshot_of(document), offset, what.text) == []
        for new in ("new", 'a "b"', "漢字", "\\"):
            after = document.apply(rename(snapshot_of(document), offset, new))
            assert prepare_rename(snapshot_of(after), what.span.start).text == new


def check_completion(document: Document, offset: int) -> None:
    for item in complete(snapshot_of(document), offset).items:
        assert item.label
        start, end = item.edit.span
        assert 0 <= start <= offset <= end <= len(document.store)
        replaced = item.edit.span.of(document.text)
        assert "\n" not in replaced
        assert "\r" not in replaced
        if item.topic is not None and item.topic[0] != "call":
            assert plain(documentation(snapshot_of(document), item.topic))


def check_whole(document: Document) -> None:
    """What is asked of a whole document."""
    check_nodes(outline(snapshot_of(document)), len(document.store))
    folds = folding(snapshot_of(document))
    lines = document.position_of(len(document.store)).line
    for fold in folds:
        assert 0 <= fold.start_line < fold.end_line <= lines
    ends: list[int] = []
    for fold in folds:
        while ends and ends[-1] < fold.start_line:
            ends.pop()
        assert not ends or fold.end_line <= ends[-1]
        ends.append(fold.end_line)
    for lens in lenses(snapshot_of(document)):
        said = say(snapshot_of(document), document.cell(lens.order), lens.what)
        assert said.title
    for placed, link in links(snapshot_of(document)):
        assert 0 <= link.span.start <= link.span.end <= placed.cell.length


def check_nodes(nodes: list[OutlineNode], length: int) -> None:
    for node in nodes:
        start = node.placed.start_offset + node.selection.start
        placed, end = node.end
        assert node.name
        assert 0 <= start <= node.placed.start_offset + node.selection.end
        assert start <= placed.start_offset + end <= length
        check_nodes(node.children, length)


@pytest.mark.parametrize("name", FILES)
def test_every_place_of_a_whole_file(name: str) -> None:
    document = opened(FILES[name], name)
    check_whole(document)
    for offset in range(0, len(FILES[name]) + 1, 3):
        ask_everything(document, offset)


@given(files, st.data())
def test_any_place_of_any_file(document: Document, data: st.DataObject) -> None:
    check_whole(document)
    ask_everything(document, data.draw(st.integers(0, len(document.store))))


@pytest.mark.parametrize("name", FILES)
def test_every_place_of_a_file_that_is_cut_there(name: str) -> None:
    source = FILES[name]
    for end in range(0, len(source), 41):
        document = opened(source[:end], name)
        check_whole(document)
        ask_everything(document, end)


@given(files, st.data())
def test_commands_go_somewhere_or_refuse(document: Document, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(document.store)))
    for row, command in language_of(document).commands().items():
        if not row.id.startswith("msgls.cell."):
            continue
        with suppress(RefusedError):
            change = command(Call(snapshot_of(document), offset, {}))
            assert isinstance(change, CellChange)
            assert change.cursor is not None
            assert 0 <= change.cursor <= len(document.store)


@given(st.text(alphabet='{}[]":, \n\\ak1\r\t', max_size=40), st.data())
def test_a_spot_holds_its_place(source: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(source)))
    spot = spot_at(source, at)
    assert spot.span.contains(at)
    assert "\n" not in spot.span.of(source)

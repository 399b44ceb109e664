"""Every feature at a position answers anywhere, in whole files and in half-written ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.document.index import Index
from msgls.features.actions import cell_actions
from msgls.features.command_table import CONVERT_DIALECT, CONVERT_TO
from msgls.features.commands import Call, CellChange, RefusedError
from msgls.features.completion import complete, documentation
from msgls.features.definition import definition
from msgls.features.folding import folding
from msgls.features.hierarchy import incoming, item_at, outgoing
from msgls.features.highlight import highlights
from msgls.features.hints import hints
from msgls.features.hover import hover
from msgls.features.language import language_of
from msgls.features.lenses import lenses, say
from msgls.features.linked import linked
from msgls.features.links import links
from msgls.features.markup import markdown, plain
from msgls.features.outline import OutlineNode, outline
from msgls.features.pasting import as_content
from msgls.features.references import references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.features.selection import selection_spans
from msgls.features.tokens import tokens
from msgls.formats.base import Placed
from msgls.text.spans import Span
from tests.features.stf.sample import CONVERSATION, SEMICOLONS, opened, texts
from tests.snapshots import snapshot_of


def ask_everything(document: Document, offset: int) -> None:
    """Ask all features at one place, and check what must hold of every answer."""
    text = document.text
    # No client can stand between the two characters of a line break.
    offset = document.offset_of(document.position_of(offset))
    found = hover(snapshot_of(document), offset)
    if found is not None:
        assert found.span.contains(offset) or found.span.start - 1 <= offset <= found.span.end + 1
        assert markdown(found.parts)
        assert plain(found.parts)
    jump = definition(snapshot_of(document), offset)
    for target in () if jump is None else jump.targets:
        assert target.around.covers(target.span)
        assert target.span.end <= len(text)
    spans = references(snapshot_of(document), offset)
    assert spans == sorted(set(spans))
    assert [highlight.span for highlight in highlights(snapshot_of(document), offset)] == spans
    both = linked(snapshot_of(document), offset)
    if both is not None:
        assert len({span.of(text) for span in both.spans}) == 1
        assert any(span.contains(offset) for span in both.spans)
    check_rename(document, offset)
    check_completion(document, offset)
    check_hierarchy(document, offset)
    spans = selection_spans(snapshot_of(document), offset)
    assert all(larger.covers(smaller) for smaller, larger in itertools.pairwise(spans))
    as_content(snapshot_of(document), offset, "@user\n;end\n")
    assert len({action.title for action in cell_actions(snapshot_of(document), offset)}) >= 2


def check_rename(document: Document, offset: int) -> None:
    with suppress(RenameRefused):
        what = prepare_rename(snapshot_of(document), offset)
        assert rename(snapshot_of(document), offset, what.text) == []
        for new in ("", " ", "a\nb"):
            with pytest.raises(RenameRefused):
                rename(snapshot_of(document), offset, new)
        for new in ("new", "two words", "it's", 'a "b" c', "{x", "漢字", "\\", "a=b"):
            after = document.apply(rename(snapshot_of(document), offset, new))
            renamed = prepare_rename(
                snapshot_of(after), offset if offset < what.span.end else what.span.start
            )
            assert renamed.text == new


def check_completion(document: Document, offset: int) -> None:
    found = complete(snapshot_of(document), offset)
    for item in found.items:
        assert item.label
        start, end = item.edit.span
        assert 0 <= start <= offset <= end <= len(document.store)
        replaced = Span(start, end).of(document.text)
        assert "\n" not in replaced
        assert "\r" not in replaced
    for item in found.items[:3]:
        document.apply([item.edit])
        if item.topic is not None:
            assert plain(documentation(snapshot_of(document), item.topic))


def check_hierarchy(document: Document, offset: int) -> None:
    item = item_at(snapshot_of(document), offset)
    if item is None:
        return
    again = item_at(snapshot_of(document), item.placed.start_offset + item.selection.start)
    assert again == item
    for follow in (incoming, outgoing):
        for other in follow(snapshot_of(document), item):
            at = other.placed.start_offset + other.selection.start
            assert item_at(snapshot_of(document), at) == other


def check_whole(document: Document) -> None:
    """What is asked of a whole document."""
    text = document.text
    last_line = document.position_of(len(text)).line
    for fold in folding(snapshot_of(document)):
        assert 0 <= fold.start_line < fold.end_line <= last_line
    for node in outline(snapshot_of(document)):
        check_node(node)
    for placed, found in tokens(snapshot_of(document)):
        last = 0
        for token in found:
            assert last <= token.start < token.end <= placed.cell.length
            assert not {"\n", "\r"} & set(placed.cell.text[token.start : token.end])
            last = token.end
    for placed, link in links(snapshot_of(document)):
        assert link.span.of(placed.cell.text) == link.target
    for lens in lenses(snapshot_of(document)):
        assert say(snapshot_of(document), document.cell(lens.order), lens.what).title
    for hint in hints(snapshot_of(document), Span(0, len(text))):
        assert hint.label


def check_node(node: OutlineNode) -> None:
    assert node.name
    assert node.placed.start_offset + node.selection.end <= node.end[0].start_offset + node.end[1]
    for child in node.children:
        assert child.selection.start >= node.selection.start
        check_node(child)


@pytest.mark.parametrize("text", [CONVERSATION, SEMICOLONS], ids=["at", "semicolon"])
def test_everywhere_in_a_conversation(text: str) -> None:
    document = opened(text)
    check_whole(document)
    for offset in range(0, len(text) + 1, 2):
        ask_everything(document, offset)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_whatever_ends_a_line(newline: str) -> None:
    document = opened(CONVERSATION.replace("\n", newline))
    check_whole(document)
    for offset in range(0, len(document.text) + 1, 7):
        ask_everything(document, offset)


def test_while_it_is_being_typed() -> None:
    """At the end of everything typed so far, where the rest is not there yet."""
    for end in range(0, len(CONVERSATION), 5):
        document = opened(CONVERSATION[:end])
        check_whole(document)
        ask_everything(document, end)


@given(texts, st.integers(0, 400))
def test_on_anything(text: str, at: int) -> None:
    document = opened(text)
    check_whole(document)
    ask_everything(document, at % (len(text) + 1))


def test_nothing_walks_through_the_whole_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked at every move of the cursor, in files of any size."""
    document = opened(CONVERSATION)
    cells = Document.cells

    def walked(*_: object) -> None:
        raise AssertionError("the whole document is looked at")

    def walked_through(of: Document) -> Iterator[Placed]:
        # A message may be looked at as a file of its own.
        if of.cell_count > 1:
            walked()
        return cells(of)

    monkeypatch.setattr(Document, "cells", walked_through)
    monkeypatch.setattr(Document, "text", property(walked))
    monkeypatch.setattr(Index, "__iter__", walked)
    for offset in range(0, len(CONVERSATION) + 1, 3):
        hover(snapshot_of(document), offset)
        linked(snapshot_of(document), offset)
        highlights(snapshot_of(document), offset)
        definition(snapshot_of(document), offset)
        complete(snapshot_of(document), offset)
        selection_spans(snapshot_of(document), offset)
        list(cell_actions(snapshot_of(document), offset))
        list(hints(snapshot_of(document), Span(offset, offset)))
        as_content(snapshot_of(document), offset, "@x")
        item = item_at(snapshot_of(document), offset)
        if item is not None:
            list(incoming(snapshot_of(document), item))
            list(outgoing(snapshot_of(document), item))
        for row, command in language_of(document).commands().items():
            # These are about the file as a whole.
            if row in (CONVERT_DIALECT, CONVERT_TO):
                continue
            with suppress(RefusedError):
                change = command(Call(snapshot_of(document), offset, {"type": "tool"}))
                assert isinstance(change, CellChange)

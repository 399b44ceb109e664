"""Every feature at a position answers anywhere in ``agents.json``, whole or half-written."""

from __future__ import annotations

import itertools
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.completion import complete
from msgls.features.definition import definition
from msgls.features.folding import folding
from msgls.features.formatting import format_document
from msgls.features.highlight import highlights
from msgls.features.hover import hover
from msgls.features.links import links
from msgls.features.markup import markdown
from msgls.features.outline import OutlineNode, outline
from msgls.features.references import references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.features.selection import selection_spans
from msgls.features.tokens import tokens
from tests.features.agentsjson.support import HOST, MINIFIED, opened
from tests.snapshots import snapshot_of

PIECES = st.sampled_from(
    [
        *['{"agents": [', '{"name": "a"', '"path": "b"', '"metadata": {"bootMessage": {', '"', "{"],
        *['"availableTasks": [{"task": {"name": "t"', "}", "[", "]", ",", ":", " ", "\n", "\t"],
        *["\r\n", "true", "7", "\\", "🦊", "\ufeff", "na", '"message": "x"', '"meta": {'],
    ]
)
TEXTS = st.lists(PIECES, max_size=30).map("".join)


def ask_everything(document: Document, offset: int) -> None:
    text = document.text
    offset = document.offset_of(document.position_of(offset))
    found = hover(snapshot_of(document), offset)
    if found is not None:
        assert found.span.contains(offset)
        assert markdown(found.parts)
    jump = definition(snapshot_of(document), offset)
    for target in () if jump is None else jump.targets:
        assert target.around.covers(target.span)
    places = references(snapshot_of(document), offset)
    assert places == sorted(set(places))
    assert set(places) <= {found.span for found in highlights(snapshot_of(document), offset)}
    for item in complete(snapshot_of(document), offset).items:
        assert item.edit.span.contains(offset)
        assert not {"\n", "\r"} & set(item.edit.span.of(text))
        document.apply([item.edit])
    spans = selection_spans(snapshot_of(document), offset)
    assert all(larger.covers(smaller) for smaller, larger in itertools.pairwise(spans))
    with suppress(RenameRefused):
        what = prepare_rename(snapshot_of(document), offset)
        assert what.span.contains(offset)
        after = document.apply(rename(snapshot_of(document), offset, "new name"))
        assert prepare_rename(snapshot_of(after), what.span.start).text == "new name"


def check_node(node: OutlineNode) -> None:
    assert node.name.strip()
    assert node.selection.start <= node.selection.end <= node.end[1]
    for child in node.children:
        check_node(child)


def check_whole(document: Document) -> None:
    for node in outline(snapshot_of(document)):
        check_node(node)
    for placed, link in links(snapshot_of(document)):
        assert link.span.of(placed.cell.text) == link.target
    # An editor's service for JSON does those.
    assert folding(snapshot_of(document)) == []
    assert format_document(snapshot_of(document)) == []
    assert list(tokens(snapshot_of(document))) == []


@pytest.mark.parametrize("text", [HOST, MINIFIED, HOST.replace("\n", "\r\n"), "\ufeff" + MINIFIED])
def test_everywhere(text: str) -> None:
    document = opened(text)
    check_whole(document)
    for offset in range(0, len(text) + 1, 3):
        ask_everything(document, offset)


def test_while_it_is_being_typed() -> None:
    for end in range(0, len(HOST), 7):
        document = opened(HOST[:end])
        check_whole(document)
        ask_everything(document, end)


@given(TEXTS, st.integers(0, 400))
def test_on_anything(text: str, at: int) -> None:
    document = opened(text)
    check_whole(document)
    ask_everything(document, at % (len(text) + 1))

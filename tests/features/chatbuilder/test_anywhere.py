"""Every feature answers anywhere, on whole messages and on half-written ones."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.actions import cell_actions
from msgls.features.commands import Call, RefusedError
from msgls.features.completion import complete
from msgls.features.definition import definition
from msgls.features.folding import folding
from msgls.features.formatting import format_document
from msgls.features.highlight import highlights
from msgls.features.hover import hover
from msgls.features.language import language_of
from msgls.features.lenses import lenses, say
from msgls.features.links import links
from msgls.features.markup import markdown
from msgls.features.outline import OutlineNode, outline
from msgls.features.pasting import as_content
from msgls.features.references import elsewhere, references
from msgls.features.selection import selection_spans
from msgls.features.tokens import tokens
from msgls.formats.chatbuilder import CHATBUILDER
from tests.features.chatbuilder.support import FOLDER, UUID, around
from tests.snapshots import snapshot_of

PIECES = [
    ";",
    "; ",
    "role",
    ": ",
    "user",
    "Version: 1.0.0",
    "Version",
    "Block-UUID: ",
    UUID,
    UUID[:20],
    "msgls: ignore C",
    "\n",
    "\n\n\n",
    "\r\n",
    "\r",
    "\\```",
    "```py",
    "# ",
    "===\n",
    "[a](b.md)",
    "\ufeff",
    "🦊",
    "\t",
]
SURROUNDINGS = around(["1.md", "2.md", "3.md"], {("Block-UUID", UUID): (f"{FOLDER}/3.md",)})


def ask_at(document: Document, offset: int) -> None:
    """All features that are asked at a place."""
    length = len(document.store)
    found = hover(snapshot_of(document, SURROUNDINGS), offset)
    if found is not None:
        assert found.span.contains(offset)
        assert markdown(found.parts)
    for item in complete(snapshot_of(document), offset).items:
        assert item.edit.span.contains(offset)
        assert "\n" not in document.store.slice(item.edit.span)
    definition(snapshot_of(document, SURROUNDINGS), offset)
    elsewhere(snapshot_of(document, SURROUNDINGS), offset, True)
    places = [place.span for place in highlights(snapshot_of(document), offset)]
    assert places == sorted(places)
    assert set(references(snapshot_of(document, SURROUNDINGS), offset, True)) <= set(places)
    spans = selection_spans(snapshot_of(document), offset)
    assert spans[-1] == (0, length)
    assert all(wide.covers(narrow) for narrow, wide in pairwise(spans))
    assert as_content(snapshot_of(document), offset, "x") == "x"
    actions = [
        action.command for action in cell_actions(snapshot_of(document, SURROUNDINGS), offset)
    ]
    assert ("msgls.message.goToPrevious" in actions) == bool(length)


def ask_all(document: Document) -> None:
    """All features that are asked of a whole document."""
    for fold in folding(snapshot_of(document)):
        assert 0 <= fold.start_line < fold.end_line < document.store.line_count
    for cell in tokens(snapshot_of(document)):
        ends = 0
        for token in cell.tokens:
            assert ends <= token.start < token.end <= cell.placed.cell.length
            ends = token.end
    for placed, link in links(snapshot_of(document)):
        assert link.span.of(placed.cell.text) == link.target
    for lens in lenses(snapshot_of(document, SURROUNDINGS)):
        assert say(snapshot_of(document, SURROUNDINGS), document.cell(lens.order), lens.what).title
    waiting = outline(snapshot_of(document))
    while waiting:
        waiting += check_node(waiting.pop())
    after = document.apply(format_document(snapshot_of(document)))
    assert format_document(snapshot_of(after)) == []
    for command in language_of(document).commands().values():
        with suppress(RefusedError):
            command(Call(snapshot_of(document, SURROUNDINGS), 0, {"target": "markdown"}))


def check_node(node: OutlineNode) -> list[OutlineNode]:
    """A node holds what is selected of it, and what is below it."""
    start = node.placed.start_offset + node.selection.start
    end = node.end[0].start_offset + node.end[1]
    assert start <= node.placed.start_offset + node.selection.end <= end
    for child in node.children:
        assert start <= child.placed.start_offset + child.selection.start
        assert child.end[0].start_offset + child.end[1] <= end
    return node.children


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.floats(0, 1))
def test_every_feature_answers_anywhere(pieces: list[str], place: float) -> None:
    document = Document.open(f"{FOLDER}/2.md", "".join(pieces), CHATBUILDER)
    # No client can stand between the two characters of a line break.
    offset = document.offset_of(document.position_of(int(place * len(document.store))))
    ask_all(document)
    ask_at(document, offset)

"""Every feature answers at every place of every format, in whole files and in half-written ones.

What holds of all formats is said once; ``SAMPLES`` says what is asked, and where formats differ.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.document.index import Index
from msgls.document.snapshot import Snapshot, Surroundings
from msgls.features.actions import cell_actions
from msgls.features.command_table import CONVERT_DIALECT, CONVERT_TO
from msgls.features.commands import Call, CellChange, InvalidArgument, RefusedError
from msgls.features.completion import complete, documentation
from msgls.features.definition import definition
from msgls.features.folding import folding
from msgls.features.hierarchy import incoming, item_at, outgoing
from msgls.features.highlight import highlights
from msgls.features.hints import hints
from msgls.features.hover import hover
from msgls.features.language import language_of
from msgls.features.lenses import lens_text, lenses
from msgls.features.linked import linked
from msgls.features.links import links
from msgls.features.markup import markdown, plain
from msgls.features.msgmd import snippets
from msgls.features.outline import OutlineNode, outline
from msgls.features.references import elsewhere, references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.features.selection import selection_spans
from msgls.features.tokens import tokens
from msgls.formats.jsoncursor import spot_at
from msgls.text.spans import Span
from msgls.text.work import done
from tests.document.tracked import JSON_FILES, SIMPLE_TEXT_FILES
from tests.features.agentsjson import support as agentsjson
from tests.features.chatbuilder import support as chatbuilder
from tests.features.facts import assert_facts_follow
from tests.features.msgjson import sample as msgjson
from tests.features.msgmd import sample as msgmd
from tests.features.stf import sample as stf
from tests.snapshots import snapshot_of


class Sample(NamedTuple):
    """A file with one of everything, what others of its kind are made of, and what it allows."""

    path: str
    text: str
    pieces: Sequence[str]
    names: Sequence[str] = ()
    """What anything in it may be renamed to, and is called afterwards."""
    no_names: Sequence[str] = ()
    """What nothing in it may be renamed to."""
    surroundings: Surroundings | None = None

    def open(self, text: str | None = None) -> Document:
        return Document.open(self.path, self.text if text is None else text)


_MSGMD_PIECES = (
    *("# %%", "# %%% ", "[^", "]", "]: [", "a1", ".", "9f3d", '="', "history=", "---\n", "```"),
    *("\n", "\r\n", "  ", "agents:\n", "- name: x\n", "<!-- msgls: ignore M", "\ufeff", "🦊"),
    *("\\", "`"),
)
_AGENTS_PIECES = (
    *('{"agents": [', '{"name": "a"', '"path": "b"', '"metadata": {"bootMessage": {', '"', "{"),
    *('"availableTasks": [{"task": {"name": "t"', "}", "[", "]", ",", ":", " ", "\n", "\t"),
    *("\r\n", "true", "7", "\\", "🦊", "\ufeff", "na", '"message": "x"', '"meta": {'),
)
_CHATBUILDER_PIECES = (
    *(";", "; ", "role", ": ", "user", "Version: 1.0.0", "Version", "Block-UUID: "),
    *(chatbuilder.UUID, chatbuilder.UUID[:20], "msgls: ignore C", "\n", "\n\n\n", "\r\n", "\r"),
    *("\\```", "```py", "# ", "===\n", "[a](b.md)", "\ufeff", "🦊", "\t"),
)
_SECTION = "---\nmessage_section: true\n---\n\n# Discussion\n\n" + msgmd.CONVERSATION[250:]
_STF_NAMES = ("new", "two words", "it's", 'a "b" c', "{x", "漢字", "\\", "a=b")
_NO_NAMES = ("", " ", "a\nb")
_FOLDER = chatbuilder.around(
    ["1.md", "2.md", "3.md"], {("Block-UUID", chatbuilder.UUID): (f"{chatbuilder.FOLDER}/3.md",)}
)

SAMPLES = {
    "msgmd": Sample(msgmd.PATH, msgmd.CONVERSATION, _MSGMD_PIECES, (), ("", "a\nb")),
    "section": Sample("notes.md", _SECTION, _MSGMD_PIECES, (), ("", "a\nb")),
    "stf": Sample("a.stf", stf.CONVERSATION, SIMPLE_TEXT_FILES.fragments, _STF_NAMES, _NO_NAMES),
    "stf with semicolons": Sample(
        "a.stf", stf.SEMICOLONS, SIMPLE_TEXT_FILES.fragments, _STF_NAMES, _NO_NAMES
    ),
    "chatbuilder": Sample(
        f"{chatbuilder.FOLDER}/2.md", chatbuilder.MESSAGE, _CHATBUILDER_PIECES, surroundings=_FOLDER
    ),
    "agentsjson": Sample(agentsjson.PATH, agentsjson.HOST, _AGENTS_PIECES, ("new name",)),
    "agentsjson, minified": Sample(
        agentsjson.PATH, agentsjson.MINIFIED, _AGENTS_PIECES, ("new name",)
    ),
    **{
        name: Sample(f"/chats/{name}", text, JSON_FILES.fragments, ("new", 'a "b"', "漢字", "\\"))
        for name, text in msgjson.FILES.items()
    },
}
EVERY = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)


# -- what holds of an answer ------------------------------------------------------------------


def ask_at(sample: Sample, document: Document, offset: int) -> None:
    """Ask all features at one place, and check what must hold of every answer."""
    # No client can stand between the two characters of a line break.
    offset = document.offset_of(document.position_of(offset))
    snapshot = snapshot_of(document, sample.surroundings)
    text = document.text
    found = hover(snapshot, offset)
    if found is not None:
        # At its end the cursor follows a bracket or a quote, and the name is still meant.
        assert found.span.start - 1 <= offset <= found.span.end + 1 <= len(text) + 1
        assert markdown(found.parts)
        assert plain(found.parts).encode("utf-8")
    jump = definition(snapshot, offset)
    for target in () if jump is None else jump.targets:
        assert target.around.covers(target.span)
        assert target.span.end <= len(text)
    elsewhere(snapshot, offset, True)
    spans = references(snapshot, offset)
    assert spans == sorted(set(spans))
    assert [shown.span for shown in highlights(snapshot, offset)] == spans
    both = linked(snapshot, offset)
    if both is not None:
        assert len({span.of(text) for span in both.spans}) == 1
        assert any(span.contains(offset) for span in both.spans)
    check_rename(sample, snapshot, offset)
    check_completion(snapshot, offset)
    check_hierarchy(snapshot, offset)
    selected = selection_spans(snapshot, offset)
    assert selected[0].contains(offset)
    for smaller, larger in pairwise(selected):
        assert larger.covers(smaller)
        assert larger != smaller
    assert selected[-1] == (0, len(text))
    language_of(document).as_content(snapshot, offset, "@user\n;end\n# %% x[^a]\n")
    titles = [action.title for action in cell_actions(snapshot, offset)]
    assert len(titles) == len(set(titles))


def check_rename(sample: Sample, snapshot: Snapshot, offset: int) -> None:
    document = snapshot.document
    with suppress(RenameRefused):
        what = prepare_rename(snapshot, offset)
        if document.format.name == "msgjson":
            # At its key the value is meant.
            assert json.loads(f'"{what.span.of(document.text)}"') == what.text
        else:
            assert what.span.start - 2 <= offset <= what.span.end + 1
        assert rename(snapshot, offset, what.text) == []
        for new in sample.no_names:
            with pytest.raises(RenameRefused):
                rename(snapshot, offset, new)
        for new in sample.names:
            after = document.apply(rename(snapshot, offset, new))
            place = offset if offset < what.span.end else what.span.start
            assert prepare_rename(snapshot_of(after, sample.surroundings), place).text == new
        # Refused or not, what comes of it can be applied.
        for new in ("new", "a1", "1", "x.y"):
            with suppress(RenameRefused):
                document.apply(rename(snapshot, offset, new))


def check_completion(snapshot: Snapshot, offset: int) -> None:
    document = snapshot.document
    found = complete(snapshot, offset).items
    for item in found:
        assert item.label
        assert item.edit.span.contains(offset)
        assert item.edit.span.end <= len(document.store)
        assert not {"\n", "\r"} & set(item.edit.span.of(document.text))
    for item in found[:3]:
        document.apply([item.edit])
        if item.topic is not None:
            plain(documentation(snapshot, item.topic))


def check_hierarchy(snapshot: Snapshot, offset: int) -> None:
    item = item_at(snapshot, offset)
    if item is None:
        return
    assert item_at(snapshot, item.placed.start_offset + item.span.start) == item
    for follow in (incoming, outgoing):
        for other in follow(snapshot, item):
            at = other.placed.start_offset + other.span.start
            assert item_at(snapshot, at) == other


def ask_all(sample: Sample, document: Document) -> None:
    """Ask all features of a whole document, and check what must hold of every answer."""
    assert_facts_follow(document)
    snapshot = snapshot_of(document, sample.surroundings)
    ends: list[int] = []
    folds = folding(snapshot)
    assert folds == sorted(folds, key=lambda fold: (fold.start_line, -fold.end_line))
    for fold in folds:
        assert 0 <= fold.start_line < fold.end_line < document.store.line_count
        while ends and ends[-1] < fold.start_line:
            ends.pop()
        assert not ends or fold.end_line <= ends[-1]
        ends.append(fold.end_line)
    for placed, found in tokens(snapshot):
        last = 0
        for token in found:
            assert last <= token.start < token.end <= placed.cell.length
            assert not {"\n", "\r"} & set(placed.cell.text[token.start : token.end])
            last = token.end
    for placed, link in links(snapshot):
        assert 0 <= link.span.start <= link.span.end <= placed.cell.length
    for lens in lenses(snapshot):
        assert lens_text(snapshot, document.cell(lens.label), lens.what).title
    assert all(hint.label for hint in hints(snapshot, Span(0, len(document.store))))
    waiting = outline(snapshot)
    nests = document.format.name not in ("agentsjson", "msgjson")
    while waiting:
        waiting += check_node(waiting.pop(), len(document.store), nests)
    after = document.apply(done(language_of(document).format_document(snapshot)))
    assert done(language_of(after).format_document(snapshot_of(after, sample.surroundings))) == []


def check_node(node: OutlineNode, length: int, nests: bool) -> list[OutlineNode]:
    """A node holds what is selected of it, and what is below it."""
    start = node.placed.start_offset + node.selection.start
    end = node.end[0].start_offset + node.end[1]
    assert node.name.strip()
    assert 0 <= start <= node.placed.start_offset + node.selection.end <= end <= length
    # In JSON that is broken, what belongs together may stand apart: a run that begins twice.
    for child in node.children if nests else ():
        assert start <= child.placed.start_offset + child.selection.start
        assert child.end[0].start_offset + child.end[1] <= end
    return node.children


def check_commands(sample: Sample, document: Document, offset: int) -> None:
    snapshot = snapshot_of(document, sample.surroundings)
    for command in language_of(document).commands().values():
        with suppress(RefusedError, InvalidArgument):
            change = command(Call(snapshot, offset, {"target": "markdown", "type": "tool"}))
            if isinstance(change, CellChange) and change.cursor is not None:
                after = document.apply(change.edits)
                assert 0 <= change.cursor <= len(after.store)


# -- where it is asked ------------------------------------------------------------------------


@EVERY
def test_everywhere_in_a_whole_file(sample: Sample) -> None:
    document = sample.open()
    ask_all(sample, document)
    for offset in range(0, len(sample.text) + 1, 3):
        ask_at(sample, document, offset)


@EVERY
@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_whatever_ends_a_line(sample: Sample, newline: str) -> None:
    document = sample.open("\ufeff" + sample.text.replace("\n", newline))
    ask_all(sample, document)
    for offset in range(0, len(document.text) + 1, 13):
        ask_at(sample, document, offset)


@EVERY
def test_while_it_is_being_typed(sample: Sample) -> None:
    """At the end of everything typed so far, where the rest is not there yet."""
    for end in range(0, len(sample.text), 17):
        document = sample.open(sample.text[:end])
        ask_all(sample, document)
        ask_at(sample, document, end)


@EVERY
@given(data=st.data())
def test_on_anything(sample: Sample, data: st.DataObject) -> None:
    drawn = "".join(data.draw(st.lists(st.sampled_from(sample.pieces), max_size=20)))
    at = data.draw(st.integers(0, len(sample.text)))
    text, offset = data.draw(
        st.sampled_from(
            [(sample.text[:at] + drawn + sample.text[at:], at + len(drawn)), (drawn, at)]
        )
    )
    document = sample.open(text)
    offset = min(offset, len(text))
    ask_all(sample, document)
    ask_at(sample, document, offset)
    check_commands(sample, document, offset)


def test_in_a_plain_file_nothing_is_said() -> None:
    text = "# %% x[^a]\n\n[^a]: [markdown]\n"
    snapshot = snapshot_of(Document.open("notes.md", text))
    for offset in range(len(text) + 1):
        assert hover(snapshot, offset) is None
        assert not complete(snapshot, offset).items
        assert not references(snapshot, offset)


def test_an_editor_does_the_rest_for_agents() -> None:
    """Its service for JSON folds, formats and colours."""
    for text in (agentsjson.HOST, agentsjson.MINIFIED):
        snapshot = snapshot_of(agentsjson.opened(text))
        assert folding(snapshot) == []
        assert done(language_of(snapshot.document).format_document(snapshot)) == []
        assert list(tokens(snapshot)) == []


def test_messages_of_a_folder_follow_each_other() -> None:
    document = SAMPLES["chatbuilder"].open()
    offered = [action.command for action in cell_actions(snapshot_of(document, _FOLDER), 0)]
    assert "msgls.message.goToPrevious" in offered


@pytest.mark.parametrize("name", ["msgmd", "stf"])
def test_nothing_walks_through_the_whole_document(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked at every move of the cursor, in files of any size."""
    sample = SAMPLES[name]
    document = sample.open()
    snapshot = snapshot_of(document)
    cells = Document.cells

    def walked(*_: object) -> NoReturn:
        raise AssertionError("the whole document is looked at")

    def cells_of(of: Document) -> object:
        # A message may be looked at as a file of its own.
        return walked() if of.cell_count > 1 else cells(of)

    monkeypatch.setattr(Document, "cells", cells_of)
    monkeypatch.setattr(Document, "text", property(walked))
    monkeypatch.setattr(Index, "__iter__", walked)
    # The names of all agents may: they are kept until the index changes.
    monkeypatch.setattr(snippets, "agent_names", lambda *_: ["helper"])
    asked: list[Callable[[Snapshot, int], object]] = [hover, linked, highlights, complete]
    for offset in range(0, len(sample.text) + 1, 3):
        for ask in asked:
            ask(snapshot, offset)
        if name == "stf":
            ask_more(snapshot, offset)


def ask_more(snapshot: Snapshot, offset: int) -> None:
    """What need not look at more than a message of the Simple Text Format."""
    definition(snapshot, offset)
    selection_spans(snapshot, offset)
    list(cell_actions(snapshot, offset))
    list(hints(snapshot, Span(offset, offset)))
    language_of(snapshot.document).as_content(snapshot, offset, "@x")
    item = item_at(snapshot, offset)
    if item is not None:
        list(incoming(snapshot, item))
        list(outgoing(snapshot, item))
    for row, command in language_of(snapshot.document).commands().items():
        # These are about the file as a whole.
        if row in (CONVERT_DIALECT, CONVERT_TO):
            continue
        with suppress(RefusedError):
            assert isinstance(command(Call(snapshot, offset, {"type": "tool"})), CellChange)


@given(st.text(alphabet='{}[]":, \n\\ak1\r\t', max_size=40), st.data())
def test_a_spot_of_json_holds_its_place(source: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(source)))
    spot = spot_at(source, at)
    assert spot.span.contains(at)
    assert "\n" not in spot.span.of(source)

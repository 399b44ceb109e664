"""The view that follows the typing: equal to a fresh one, and a map in both directions."""

import random
from typing import Any

import pytest

from msgls.conversation import model_view
from msgls.conversation.blocks import Block, cell_block
from msgls.conversation.model_view import ModelView
from msgls.document.document import Document
from msgls.text.lines import PIECE_LIMIT
from msgls.text.spans import Edit, Span
from msgls.text.tokens import ESTIMATE
from tests.conversation.corpus import CORPUS, MESSAGE_FILE, STF_AT
from tests.conversation.test_view import SECTION
from tests.document.tracked import fresh_document, limits

FRAGMENTS = (
    "x",
    "\n",
    "\n\n",
    "# %% [^q1]\n",
    "# %%% [^a1]\n",
    "\n\n## %%% [^c1.3]\n\n[^c1.3]: [python] status=success\n\nstdout> 1\n\n",
    "[^q1]: [markdown] history=exclude\n",
    " history=summary",
    ' summary="s"',
    " virtual=1",
    " reset=1",
    '[^q1]: [markdown] definition="agent" name="python"\n',
    "```\n",
    "\\# %% no\n",
    "---\n",
    "# Talk\n",
    "# Other\n",
    "message_section: Talk\n",
    "  python: {models: [a]}\n",
    "    system_prompt: Be long.\n",
    "é😀\r\n",
)


def placed_blocks(view: ModelView) -> list[tuple[int, Block]]:
    offset, found = 0, []
    for block in view.store.tree:
        found.append((offset, block))
        offset += len(block.text)
    return found


def check(view: ModelView) -> None:
    """It shows what a fresh one shows, in the same blocks, and maps as that does."""
    document = view.document
    fresh = ModelView(fresh_document(document.path, document.text), ESTIMATE)
    assert view.text == fresh.text
    assert view.tokens == ModelView(document, ESTIMATE).tokens
    assert [b.segments for _, b in placed_blocks(view)] == [
        b.segments for _, b in placed_blocks(fresh)
    ]
    check_maps(view)


def check_maps(view: ModelView) -> None:
    for start, block in placed_blocks(view):
        for segment in block.segments:
            for inside in {*segment.view} | {(segment.view.start + segment.view.end) // 2}:
                if inside >= segment.view.end:
                    continue
                there = view.source_of(start + inside)
                assert there is not None
                back = view.view_of(there.offset)
                if segment.exact:
                    assert back == start + inside
                    assert view.text[back] == view.document.store.slice(
                        Span(there.offset, there.offset + 1)
                    )


@pytest.mark.parametrize("piece", [PIECE_LIMIT, 64], ids=["usual pieces", "small pieces"])
@pytest.mark.parametrize("seed", range(12))
def test_any_edits_give_what_a_fresh_view_gives(seed: int, piece: int) -> None:
    chance = random.Random(seed)
    path, text = chance.choice(
        [("a.msg.md", MESSAGE_FILE), ("a.md", SECTION), ("a.msg.md", ""), ("a.stf", STF_AT)]
    )
    with limits(piece=piece, crumb=16):
        document = Document.open(path, text)
        view = ModelView(document, ESTIMATE)
        check(view)
        for _ in range(25):
            length = len(document.store)
            start = chance.randint(0, length)
            end = min(length, start + chance.choice([0, 0, 0, 1, 5, 60]))
            document = document.edit(Span(start, end), chance.choice(FRAGMENTS))
            view.update(document)
            check(view)


def test_several_edits_at_once() -> None:
    document = Document.open("a.msg.md", MESSAGE_FILE)
    view = ModelView(document, ESTIMATE)
    at = [MESSAGE_FILE.index(word) for word in ("What is", "I look", "At length")]
    view.update(document.apply([Edit(Span(offset, offset), "Well: ") for offset in at]))
    check(view)
    assert view.text.count("Well: ") == 2


def test_typing_in_a_cell_makes_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(*arguments: Any) -> Block:
        block = cell_block(*arguments)
        made.append(block.label)
        return block

    text = "".join([f"# %% [^m{n}]\n\n[^m{n}]: [markdown]\n\nText {n}.\n\n" for n in range(300)])
    document = Document.open("a.msg.md", text)
    view = ModelView(document, ESTIMATE)
    before = view.store
    monkeypatch.setattr(model_view, "cell_block", counted)
    at = text.index("Text 150")
    document = document.edit(Span(at, at), "My ")
    view.update(document)
    assert len(made) == 1
    assert "My Text 150." in view.text
    assert "My" not in before.text


def test_a_definition_elsewhere_hides_its_cell() -> None:
    text = "# %% [^a]\n\nA.\n\n# %% [^b]\n\nB.\n\n[^a]: [markdown]\n[^b]: [markdown]\n"
    document = Document.open("a.msg.md", text)
    view = ModelView(document, ESTIMATE)
    at = text.index("[^a]: [markdown]") + len("[^a]: [markdown]")
    document = document.edit(Span(at, at), " history=exclude")
    view.update(document)
    assert view.text == "## user · b\n\nB.\n\n"
    assert view.why_hidden(2) == "history=exclude"
    assert view.view_of(2) is None
    assert view.shown_span(2) is None


def test_a_reset_moves_the_horizon() -> None:
    text = "# %% [^a]\n\nA.\n\n# %%% [^r]\n\n[^r]: [bot]\n\nR.\n\n# %% [^b]\n\nB.\n"
    document = Document.open("a.msg.md", text)
    view = ModelView(document, ESTIMATE)
    at = text.index("[bot]") + len("[bot]")
    document = document.edit(Span(at, at), " reset=1")
    view.update(document)
    assert view.text == "## user · b\n\nB.\n\n"
    assert view.why_hidden(text.index("R.")) == "it resets the context"
    document = document.edit(Span(at, at + len(" reset=1")), "")
    view.update(document)
    check(view)
    assert view.text.startswith("## user · a")


def test_the_cursor_finds_its_message() -> None:
    document = Document.open("a.msg.md", MESSAGE_FILE)
    view = ModelView(document, ESTIMATE)
    at = MESSAGE_FILE.index("look it up")
    shown = view.view_of(at)
    assert shown is not None
    assert view.text.startswith("look it up", shown)
    span = view.shown_span(at)
    assert span is not None
    assert span.of(view.text) == "## assistant · a1 · writer\n\nI look it up."
    back = view.source_of(shown)
    assert back is not None
    assert back.offset == at
    assert back.span.of(MESSAGE_FILE).startswith("# %%% An answer[^a1]")


def test_an_escape_is_not_shown_and_is_mapped_over() -> None:
    text = "# %% [^a]\n\n[^a]: [markdown]\n\n\\# %% no cell\n"
    view = ModelView(Document.open("a.msg.md", text), ESTIMATE)
    assert view.text == "## user · a\n\n# %% no cell\n\n"
    there = view.source_of(view.text.index("# %% no"))
    assert there is not None
    assert there.offset == text.index("\\#") + 1


def test_the_prompt_is_mapped_to_the_frontmatter() -> None:
    view = ModelView(Document.open("a.msg.md", MESSAGE_FILE), ESTIMATE)
    assert view.text.startswith("## system · prompt of writer\n\nBe brief.\n\n")
    there = view.source_of(view.text.index("Be brief"))
    assert there is not None
    assert there.span.of(MESSAGE_FILE) == "Be brief."
    assert view.view_of(there.offset) is not None
    assert view.why_hidden(there.offset) == ""


@pytest.mark.parametrize("name", [name for name, (file, _) in CORPUS.items() if "." in file[-6:]])
def test_maps_hold_in_every_format(name: str) -> None:
    file, text = CORPUS[name]
    document = Document.open(file, text)
    if document.format.name != "plain":
        check_maps(ModelView(document, ESTIMATE))


def test_an_empty_document_shows_nothing() -> None:
    view = ModelView(Document.open("a.msg.md", ""), ESTIMATE)
    assert view.text == ""
    assert view.source_of(0) is None
    assert view.view_of(0) is None
    assert view.why_hidden(0) == ""

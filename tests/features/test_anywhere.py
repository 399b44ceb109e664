"""Every feature at a position answers anywhere, on whole files and on half-written ones."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.document.index import Index
from msgls.features.completion import complete, documentation
from msgls.features.definition import definition
from msgls.features.highlight import highlights
from msgls.features.hover import hover
from msgls.features.linked import linked
from msgls.features.markup import markdown, plain
from msgls.features.msgmd import snippets
from msgls.features.references import references
from msgls.features.rename import RenameRefused, prepare_rename, rename
from msgls.text.spans import Span
from tests.features.sample import CONVERSATION, opened
from tests.snapshots import snapshot_of

PIECES = [
    "# %%",
    "# %%% ",
    "[^",
    "]",
    "]: [",
    "a1",
    ".",
    "9f3d",
    '="',
    "history=",
    "---\n",
    "```",
    "\n",
    "\r\n",
    "  ",
    "agents:\n",
    "- name: x\n",
    "<!-- msgls: ignore M",
    "\ufeff",
    "🦊",
    "\\",
    "`",
]


def ask_everything(document: Document, offset: int) -> None:
    """Ask all features at one place, and check what must hold of every answer."""
    text = document.text
    # No client can stand between the two characters of a line break.
    offset = document.offset_of(document.position_of(offset))
    found = hover(snapshot_of(document), offset)
    if found is not None:
        assert 0 <= found.span.start <= found.span.end <= len(text)
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
        first, second = both.spans
        assert first.of(text) == second.of(text)
        assert any(span.contains(offset) for span in both.spans)
    check_rename(document, offset)
    check_completion(document, offset)


def refused(document: Document, offset: int, new: str) -> str:
    """Rename, and the reason why not."""
    try:
        document.apply(rename(snapshot_of(document), offset, new))
    except RenameRefused as refusal:
        return str(refusal.phrase)
    return ""


def check_rename(document: Document, offset: int) -> None:
    with suppress(RenameRefused):
        what = prepare_rename(snapshot_of(document), offset)
        # At its end the cursor stands behind a bracket or a quote, and the name is still meant.
        assert what.span.start - 2 <= offset <= what.span.end + 1
        assert rename(snapshot_of(document), offset, what.text) == []
        for new in ("new", "a1", "1", "x.y"):
            refused(document, offset, new)
        assert refused(document, offset, "")
        assert refused(document, offset, "a\nb")


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
            plain(documentation(snapshot_of(document), item.topic))


def test_everywhere_in_a_conversation() -> None:
    document = opened()
    for offset in range(0, len(CONVERSATION) + 1, 2):
        ask_everything(document, offset)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_whatever_ends_a_line(newline: str) -> None:
    document = opened(CONVERSATION.replace("\n", newline))
    for offset in range(0, len(document.text) + 1, 3):
        ask_everything(document, offset)


def test_while_it_is_being_typed() -> None:
    """At the end of everything typed so far, where the rest is not there yet."""
    for end in range(0, len(CONVERSATION), 5):
        ask_everything(opened(CONVERSATION[:end]), end)


def test_nothing_walks_through_the_whole_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked at every move of the cursor, in files of any size."""
    document = opened(CONVERSATION)

    def walked(*_: object) -> None:
        raise AssertionError("the whole document is looked at")

    monkeypatch.setattr(Document, "cells", walked)
    monkeypatch.setattr(Document, "text", property(walked))
    monkeypatch.setattr(Index, "__iter__", walked)
    # The names of all agents may: they are kept until the index changes.
    monkeypatch.setattr(snippets, "agent_names", lambda *_: ["helper"])
    for offset in range(0, len(CONVERSATION) + 1, 3):
        hover(snapshot_of(document), offset)
        linked(snapshot_of(document), offset)
        highlights(snapshot_of(document), offset)
        complete(snapshot_of(document), offset)


def test_in_a_plain_file_nothing_is_said() -> None:
    text = "# %% x[^a]\n\n[^a]: [markdown]\n"
    document = Document.open("notes.md", text)
    for offset in range(len(text) + 1):
        assert hover(snapshot_of(document), offset) is None
        assert not complete(snapshot_of(document), offset).items
        assert not references(snapshot_of(document), offset)


def test_in_an_activated_plain_file() -> None:
    text = "---\nmessage_section: true\n---\n\n# Discussion\n\n" + CONVERSATION[250:]
    document = Document.open("notes.md", text)
    for offset in range(0, len(text) + 1, 7):
        ask_everything(document, offset)


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.randoms(use_true_random=False))
def test_on_anything(pieces: list[str], chance: random.Random) -> None:
    text = "".join(pieces)
    if chance.random() < 0.5:
        at = chance.randrange(len(CONVERSATION))
        text = CONVERSATION[:at] + text + CONVERSATION[at : at + 300]
        offset = at + len("".join(pieces)) - chance.randrange(2)
    else:
        offset = chance.randrange(len(text) + 1)
    ask_everything(opened(text), max(offset, 0))

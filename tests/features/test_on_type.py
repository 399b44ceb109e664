"""What is completed while somebody types: the text right after the key, and after the edit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from msgls.document.document import Document
from msgls.features.on_type import on_type
from tests.document.tracked import FRAGMENTS
from tests.notation import table, unmark


def typed(source: str, character: str, path: str = "chat.msg.md") -> str:
    marked = unmark(source)
    document = Document.open(path, marked.text)
    return document.apply(on_type(document, marked.cursor, character)).text


@table(
    "before, after",
    {
        "the second one": ("# %%¦", "# %% "),
        "in another depth": ("words\n\n### %%¦\nmore\n", "words\n\n### %% \nmore\n"),
        "the third one": ("# %% %¦", "# %%% "),
        "the third one at once": ("# %%%¦\n", "# %%% \n"),
        "before an id": ("# %%¦[^1]\n", "# %% [^1]\n"),
        "before a title": ("# %%¦title\n", "# %% title\n"),
        "behind a byte-order mark": ("\ufeff# %%¦", "\ufeff# %% "),
        "before a blank": ("# %%¦ title\n", "# %% title\n"),
        "before another one": ("# %%¦%\n", "# %%%\n"),
        "the fourth one": ("# %%%%¦\n", "# %%%%\n"),
        "the first one": ("# %¦\n", "# %\n"),
        "in a title": ("# %% 100 %¦\n", "# %% 100 %\n"),
        "in a title that begins so": ("# %% %¦ of it\n", "# %% % of it\n"),
        "in words": ("100 %%¦\n", "100 %%\n"),
        "in a fence": ("```\n# %%¦\n```\n", "```\n# %%\n```\n"),
    },
)
def test_percent(before: str, after: str) -> None:
    assert typed(before, "%") == after


RUN = "# %% [^c]\n\n[^c]: [code]\n\n# %%% [^c.1]\n\n[^c.1]: [python] status=success\n\n"


@table(
    "before, after",
    {
        "goes on": ("stdout> a\n¦\nmore\n", "stdout> a\nstdout> \nmore\n"),
        "with what it is": ("stderr> a\n¦", "stderr> a\nstderr> "),
        "in the middle of a line": ("stdout> a\n¦b\n", "stdout> a\nstdout> b\n"),
        "right behind the prefix": ("stdout> \n¦b\n", "stdout> \nstdout> b\n"),
        "an indented line": ("stdout> a\n  ¦\n", "stdout> a\nstdout> \n"),
        "ends on an empty one": ("stdout> a\nstdout> \n¦\n", "stdout> a\n\n"),
        "with these line breaks": ("stdout> a\r\n¦", "stdout> a\r\nstdout> "),
        "before another one": ("stdout> a\n¦stdout> b\n", "stdout> a\nstdout> b\n"),
        "no prefix": ("words\n¦", "words\n"),
    },
)
def test_enter(before: str, after: str) -> None:
    assert typed(RUN + before, "\n") == RUN + after


def test_enter_elsewhere_does_nothing() -> None:
    message = "# %% [^1]\n\nstdout> a\n"
    assert typed(message + "¦", "\n") == message
    assert typed("¦", "\n") == ""


def test_other_files_and_other_keys_are_left_alone() -> None:
    assert typed("# %%¦", "%", "notes.md") == "# %%"
    assert typed("# %%¦", "}") == "# %%"


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join), st.floats(0, 1))
def test_nothing_is_lost_anywhere(text: str, place: float) -> None:
    document = Document.open("chat.msg.md", text)
    for character in "%\n":
        edits = on_type(document, int(place * len(text)), character)
        assert len(edits) <= 1
        for edit in edits:
            gone = edit.span.of(text)
            assert gone.strip(" \t\r\n%") in ("", "stdout>", "stderr>")

"""Text that is to be content: what is doubled where, and messages at the end of a file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgls.features.appending import CannotAppend, append_cell, check_agent
from msgls.features.language import language_of
from msgls.text.spans import Edit, Span
from tests.features.stf.sample import opened, said, texts
from tests.notation import table, unmark
from tests.snapshots import snapshot_of

PASTED = {
    "a line": ("@user\n¦", "@ai\nx\n", "@@ai\nx\n"),
    "more lines": ("@user\n¦", "x\n@ai\r\n@@y\r@", "x\n@@ai\r\n@@@y\r@@"),
    "the other prefix": ("@user\n¦", ";ai\n", ";ai\n"),
    "in the other dialect": (";user\n¦", ";ai\n@x\n", ";;ai\n@x\n"),
    "in the middle of a line": ("@user\nx ¦\n", "@ai\n@sys\n", "@ai\n@@sys\n"),
    "in a block": ("@raw\n¦\n@end\n", "@end\n", "@@end\n"),
    "in a comment": ("@/*\n¦\n@*/\n", "@user\n@ */\n", "@user\n@@ */\n"),
    "in an empty file": ("¦", "x\n;ai\n@user\n", "x\n;;ai\n@user\n"),
    "after the mark": ("\ufeff¦", "@ai", "@@ai"),
    "nothing to do": ("@user\n¦", "a @b\n @c\n", "a @b\n @c\n"),
}


@table("source, text, expected", PASTED)
def test_what_is_doubled(source: str, text: str, expected: str) -> None:
    marked = unmark(source)
    snapshot = snapshot_of(opened(marked.text))
    pasted = language_of(snapshot.document).as_content(snapshot, marked.cursor, text)
    assert pasted == expected


@given(texts)
def test_what_is_pasted_is_what_is_said(text: str) -> None:
    # A mark at the start of a line, or a break of another kind, is not kept by any content.
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    document = opened("@user\n")
    pasted = language_of(document).as_content(snapshot_of(document), 6, text)
    after = document.edit(Span(6, 6), pasted)
    assert said(after) == [("user", text)]


APPENDED = {
    "a message": ("@ai\nHi\n", "Ho", None, "@ai\nHi\n@user\nHo\n"),
    "an answer": ("@user\nHi", "Ho\n\n", "my guide", '@user\nHi\n@ai name="my guide"\nHo\n'),
    "what looks like a command": (";ai\n", "a\n;user\n@x", None, ";ai\n;user\na\n;;user\n@x\n"),
    "to an empty file": ("", "Hi", None, "@user\nHi\n"),
    "nothing": ("@ai\n", "", None, "@ai\n@user\n"),
    "another line break": ("@ai\r\nHi", "a\nb", None, "@ai\r\nHi\r\n@user\r\na\r\nb\r\n"),
}


@table("text, content, agent, after", APPENDED)
def test_a_message_is_added(text: str, content: str, agent: str | None, after: str) -> None:
    document = opened(text)
    edit = append_cell(snapshot_of(document), content, agent)
    assert isinstance(edit, Edit)
    assert document.apply([edit]).text == after


@given(texts, st.text("ab@; \n", max_size=20))
def test_what_is_added_is_what_is_said(text: str, content: str) -> None:
    document = opened(text)
    before = said(document)
    try:
        after = document.apply([append_cell(snapshot_of(document), content)])
    except CannotAppend:
        return
    assert said(after) == [*before, ("user", content.strip("\n"))]


def test_why_not() -> None:
    with pytest.raises(CannotAppend, match="the comment that opens on line 2 is not closed"):
        append_cell(snapshot_of(opened("@ai\n@/*\n")), "Hi")
    for name in ("", "a\nb"):
        with pytest.raises(CannotAppend, match="is not a valid agent name"):
            check_agent(snapshot_of(opened("")), name)

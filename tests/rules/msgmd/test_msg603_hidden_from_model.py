"""MSG603: cells that the model does not see."""

from __future__ import annotations

import pytest

from msgls.rules.registry import BY_CODE
from tests.rules.support import expect, expect_follows, expect_nothing, fixes

CODE = "MSG603"
SEEN = "# %% Q[^q]\n\n[^q]: [markdown]\n\nWords.\n\n"


def cell(more: str, cell_id: str = "a") -> str:
    return f"# %%% A[^{cell_id}]\n\n[^{cell_id}]: [x] {more}\n\nWords."


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("«" + cell("history=none") + "»\n\n", "`history=none`"),
        ("«" + cell('history="0"') + "»\n\n" + SEEN, "`history=0`"),
        (SEEN + "«" + cell("virtual=1 history=include") + "»", "it is virtual"),
        ("«" + cell("reset=1") + "»\n\n" + SEEN, "it resets the context"),
        (
            ("🙂猫\n\n«" + cell("history=exclude") + "»\n\n").replace("\n", "\r\n") + SEEN,
            "`history=exclude`",
        ),
        ("«" + cell("history=hidden") + "»\n\n" + SEEN, "`history=hidden`"),
        (
            '«# %% D[^d]\n\n[^d]: [markdown] definition="agent" name="al"\n\nWords.»\n\n' + SEEN,
            "it defines an agent",
        ),
        # Half-written: nothing but the two lines yet.
        ("«# %% Q[^q]\n[^q]: [raw] history=false»", "`history=false`"),
        # The definition stands elsewhere.
        ("«# %% Q[^q]»\n\n# %% R\n\n[^q]: [raw] history=none\n", "`history=none`"),
    ],
)
def test_the_whole_cell_is_marked(marked: str, message: str) -> None:
    expect(CODE, marked, "the model does not see this cell: " + message)


def test_what_stands_before_a_reset() -> None:
    expect(
        CODE,
        "«# %% Q»\n\n«" + cell("boot=1 virtual=1 reset=1") + "»\n\n" + SEEN,
        "the model does not see this cell: it is before the last reset",
        "the model does not see this cell: it is virtual",
    )


def test_what_stands_outside_the_section() -> None:
    source = "---\nmessage_section: true\n---\n\n«# %% Q»\n\n# Discussion\n\n" + SEEN
    text = "the model does not see this cell: it is outside the section"
    expect(CODE, source, text, path="notes.md")


def test_editors_fade_it() -> None:
    assert BY_CODE[CODE].unnecessary


@pytest.mark.parametrize(
    ("source", "path"),
    [
        (SEEN, "chat.msg.md"),
        (cell("history=include"), "chat.msg.md"),
        (cell("history=summary"), "chat.msg.md"),
        # Only `virtual` hides what an agent starts with.
        (cell("boot=1"), "chat.msg.md"),
        (cell("history=yes virtual=0 reset=0 boot=0"), "chat.msg.md"),
        ("Preamble.\n\n" + SEEN, "chat.msg.md"),
        # Without the heading, one problem is enough.
        ("---\nmessage_section: true\n---\n\n" + SEEN, "notes.md"),
    ],
)
def test_nothing_is_found(source: str, path: str) -> None:
    expect_nothing(CODE, source, path=path)


@pytest.mark.parametrize("more", ["history=none", "virtual=1", "boot=1 virtual=1", "reset=1"])
def test_what_is_hidden_has_no_fix(more: str) -> None:
    """Un-hiding is a command: a quick fix of a hint would be taken without a look."""
    assert fixes(CODE, cell(more) + "\n\n" + SEEN) == []
    assert not BY_CODE[CODE].may_have_fix


def test_it_follows_other_cells() -> None:
    counts = expect_follows(
        CODE,
        SEEN + "# %% R[^r]\n\nWords.\n\n" + cell("reset=0") + "\n",
        ("reset=0", "reset=1"),
        ("Words.", "More words."),
        ("reset=1", "history=none"),
        ("# %% R[^r]\n", "# %% R[^r]\n\n[^r]: [raw] reset=1\n"),
    )
    assert counts == [0, 3, 3, 1, 3]


def test_it_follows_the_section() -> None:
    counts = expect_follows(
        CODE,
        "---\nmessage_section: true\n---\n\n# Notes\n\n# %% A\n\n# Discussion\n\n# %% B\n",
        ("# Discussion", "# Discussio"),
        ("# Discussio", "# Discussion"),
        ("message_section: true", "message_section: notes"),
        path="notes.md",
    )
    assert counts == [1, 0, 1, 0]

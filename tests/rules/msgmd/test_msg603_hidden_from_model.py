"""MSG603: cells that the model does not see."""

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


CALL = '# %%% [^a.n1]\n\n[^a.n1]: [tool] name="f"{}\n\n<f/>'
RESULT = "# %%% [^a.n1.1]\n\n[^a.n1.1]: [tool] status=success{}\n\nDone."


@pytest.mark.parametrize("own", ["", " history=include", " history=summary", " history=none"])
@pytest.mark.parametrize("more", ["history=none", "virtual=1", "history=hidden"])
def test_calls_and_results_are_hidden_along_with_their_answer(more: str, own: str) -> None:
    hidden = f"«{CALL.format(own)}»\n\n«{RESULT.format(own)}»\n"
    reason = "`history=" + more.removeprefix("history=") + "`"
    expect(
        CODE,
        f"«{cell(more)}»\n\n{hidden}",
        "the model does not see this cell: " + ("it is virtual" if "=1" in more else reason),
        *["the model does not see this cell: it belongs to a hidden cell"] * 2,
    )


def test_results_are_hidden_along_with_their_call() -> None:
    expect(
        CODE,
        f"{cell('')}\n\n«{CALL.format(' history=0')}»\n\n«{RESULT.format('')}»\n",
        "the model does not see this cell: `history=0`",
        "the model does not see this cell: it belongs to a hidden cell",
    )


def test_of_two_answers_with_one_id_the_nearest_above_counts() -> None:
    hidden, part = f"«{cell('history=0')}»\n\n", CALL.format("") + "\n\n"
    texts = ["`history=0`", "it belongs to a hidden cell"]
    messages = ["the model does not see this cell: " + text for text in texts]
    expect(CODE, cell("") + "\n\n" + hidden + f"«{part.strip()}»\n", *messages)
    expect(CODE, hidden + cell("") + "\n\n" + part, messages[0])
    # Where none stands above, it is the first below.
    expect(CODE, f"«{part.strip()}»\n\n" + hidden, *reversed(messages))


def test_it_follows_the_answer_of_a_call() -> None:
    counts = expect_follows(
        CODE,
        f"{cell('')}\n\n{CALL.format('')}\n\n{RESULT.format('')}\n\n{SEEN}",
        ("[x] ", "[x] history=none"),
        ("history=none", "history=summary"),
        ("history=summary", "virtual=1"),
        # The answer has another id, which hides its calls as well, then its own again.
        ("# %%% A[^a]", "# %%% A[^b]"),
        ("# %%% A[^b]", "# %%% A[^a]"),
        # Its definition goes elsewhere.
        ("[^a]: [x] virtual=1\n", "\n"),
        ("Done.\n", "Done.\n\n[^a]: [x] history=0\n"),
        ("[^a]: [x] history=0", "[^a]: [x]"),
        ('name="f"', 'name="f" history=none'),
        # Another cell of that id comes between.
        ("# %%% [^a.n1.1]", "# %%% [^a.n1]\n\n[^a.n1]: [tool] name=g\n\n# %%% [^a.n1.1]"),
    )
    assert counts == [0, 3, 0, 3, 3, 3, 0, 3, 0, 2, 1]


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
        (f"{cell('history=summary')}\n\n{CALL.format('')}\n\n{RESULT.format('')}", "chat.msg.md"),
        # A run is not part of its code: it is a message of its own.
        ("# %% [^c]\n\n[^c]: [code]\n\n# %%% [^c.1]\n\n[^c.1]: [python]\n\n1", "chat.msg.md"),
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


@pytest.mark.parametrize(
    "definition", ["\\[^a\\]: \\[bot\\] {}", "[^a]: [bot {}", "[^a]: {}", "[^a: [bot] {}"]
)
def test_a_definition_that_cannot_be_read_hides_its_cell_and_its_calls(definition: str) -> None:
    call = '# %%% [^a.n]\n\n[^a.n]: [tool] name="f"\n\n<f/>\n\n# %%% [^a.n.1]\n\nDone\n'
    before = "# %% [^q]\n\n[^q]: [markdown]\n\nHi\n\n"
    source = f"{before}# %%% [^a]\n\n{definition.format('x=1')}\n\nYes\n\n{call}"
    counts = expect_follows(
        CODE,
        source,
        ("x=1", "history=exclude"),
        ("history=exclude", "virtual=1"),
        ("virtual=1", "reset=1"),
        ("reset=1", "history=include"),
    )
    assert counts == [0, 3, 3, 2, 0]


@pytest.mark.parametrize("definition", ["\\[^a\\]: \\[bot\\] {}", "[^a]: [bot {}", "[^a: [bot] {}"])
def test_such_a_definition_hides_its_cell_from_the_end_of_the_file_too(definition: str) -> None:
    call = '# %%% [^a.n]\n\n[^a.n]: [tool] name="f"\n\n<f/>\n\n# %%% [^a.n.1]\n\nDone\n'
    after = f"\n# %% [^q]\n\n[^q]: [markdown]\n\nHi\n\n{definition.format('x=1')}\n"
    counts = expect_follows(
        CODE,
        f"# %%% [^a]\n\nYes\n\n{call}{after}",
        ("x=1", "history=exclude"),
        ("history=exclude", "virtual=1"),
        ("virtual=1", "reset=1"),
        ("reset=1", "history=include"),
        ("history=include", "history=none"),
        ("# %%% [^a]\n", "# %%% [^a]\n\n[^a]: [bot]\n"),
    )
    assert counts == [0, 3, 3, 1, 0, 3, 0]


def test_a_footnote_elsewhere_hides_nothing() -> None:
    expect_nothing(CODE, "# %% [^a]\n\nHi\n\n# %% [^b]\n\n[^a]: see history=none\n")

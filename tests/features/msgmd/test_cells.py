"""What can be done with cells: before and after, with the cursor, and what must stay."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from msgls.conversation.readers import read_document
from msgls.document.document import Document
from msgls.features.commands import CellChange, RefusedError
from msgls.features.msgmd.cells import (
    belongs,
    delete_cell,
    duplicate_cell,
    insert_cell,
    merge_with_next,
    move_cell,
    split_cell,
)
from msgls.formats.msgmd.meaning import meaning_of
from msgls.formats.msgmd.section import Section, section_of
from msgls.syntax.cells import CellKind
from tests.features.msgmd.sample import CONVERSATION
from tests.formats.msgmd.made_up import message_files
from tests.notation import table, unmark

NONCE = "0123abcd"
NEW_CELLS = ("message", "output", "call", "result", "run")

Command = Callable[[Document, int], CellChange]


@pytest.fixture(autouse=True)
def _one_nonce(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda length: NONCE)


def done(command: Command, source: str, path: str = "chat.msg.md") -> str:
    """The text after a command at the cursor, with the cursor's new place."""
    marked = unmark(source)
    document = Document.open(path, marked.text)
    change = command(document, marked.cursor)
    text = document.apply(change.edits).text
    assert change.cursor is not None
    return f"{text[: change.cursor]}¦{text[change.cursor :]}"


def refused(command: Command, source: str, path: str = "chat.msg.md") -> str:
    """Why a command refuses at the cursor."""
    marked = unmark(source)
    with pytest.raises(RefusedError) as refusal:
        command(Document.open(path, marked.text), marked.cursor)
    return str(refusal.value)


def inserting(what: str, above: bool = False) -> Command:
    return lambda document, offset: insert_cell(document, offset, what, above)


def up(document: Document, offset: int) -> CellChange:
    return move_cell(document, offset, up=True)


def down(document: Document, offset: int) -> CellChange:
    return move_cell(document, offset, up=False)


M1 = "# %% One[^m1]\n\n[^m1]: [markdown]\n\nHi\n\n"
M2 = "# %% Two[^m2]\n\n[^m2]: [raw]\n\nYo\n"
A1 = "# %%% [^a1]\n\n[^a1]: [helper]\n\nLook.\n\n"
CALL = '# %%% [^a1.x]\n\n[^a1.x]: [tool] name="t"\n\n<t/>\n\n'
RESULT = '# %%% [^a1.x.1]\n\n[^a1.x.1]: [tool] status="success"\n\nok\n\n'
CODE = "## %% [^c1]\n\n[^c1]: [code]\n\n```ruby\n1\n```\n\n"
RUN = '## %%% [^c1.1]\n\n[^c1.1]: [ruby] status="success"\n\nstdout> 1\n\n'
NEW_CALL = f'# %%% [^a1.{NONCE}]\n\n[^a1.{NONCE}]: [tool] name="¦tool"\n\n<tool>\n\n</tool>\n\n'


def at(cell: str, word: str = "]: [") -> str:
    """A cell with the cursor in it."""
    return cell.replace(word, word[:1] + "¦" + word[1:], 1)


@table(
    "what, above, before, after",
    {
        "a message below": (
            "message",
            False,
            at(M1) + M2,
            M1 + "# %% [^m3]\n\n[^m3]: [markdown]\n\n¦\n\n" + M2,
        ),
        "a message above": (
            "message",
            True,
            M1 + at(M2),
            M1 + "# %% [^m3]\n\n[^m3]: [markdown]\n\n¦\n\n" + M2,
        ),
        "above the first one": (
            "message",
            True,
            at(M1),
            "# %% [^m2]\n\n[^m2]: [markdown]\n\n¦\n\n" + M1,
        ),
        "at the end of the file": (
            "message",
            False,
            M1 + at(M2),
            M1 + M2 + "\n# %% [^m3]\n\n[^m3]: [markdown]\n\n¦\n",
        ),
        "where the last line has no break": (
            "message",
            False,
            "# %% [^m1]\n\nH¦i",
            "# %% [^m1]\n\nHi\n\n# %% [^m2]\n\n[^m2]: [markdown]\n\n¦\n",
        ),
        "into an empty file": ("message", False, "¦", "# %% [^m1]\n\n[^m1]: [markdown]\n\n¦\n"),
        "after the preamble": (
            "message",
            True,
            "Wo¦rds.\n" + M1,
            "Words.\n\n# %% [^m2]\n\n[^m2]: [markdown]\n\n¦\n\n" + M1,
        ),
        "in the depth of the one here": (
            "message",
            False,
            "### %% [^q7]¦\n",
            "### %% [^q7]\n\n### %% [^q8]\n\n[^q8]: [markdown]\n\n¦\n",
        ),
        "with the line breaks of the file": (
            "message",
            False,
            "# %% [^m1]\r\n\r\nH¦i\r\n# %% [^m2]\r\n",
            (
                "# %% [^m1]\r\n\r\nHi\r\n\r\n# %% [^m3]\r\n\r\n[^m3]: [markdown]\r\n\r\n¦\r\n\r\n"
                "# %% [^m2]\r\n"
            ),
        ),
        "after a byte-order mark": (
            "message",
            True,
            "\ufeff# %% [^m1]¦\n",
            "\ufeff# %% [^m2]\n\n[^m2]: [markdown]\n\n¦\n\n# %% [^m1]\n",
        ),
        "an output, by whoever answered": (
            "output",
            False,
            A1 + at(M1),
            A1 + M1 + "# %%% [^a2]\n\n[^a2]: [helper]\n\n¦\n",
        ),
        "an output, by the default agent": (
            "output",
            False,
            "---\nagents: {one: {}, two: {}}\ndefault_agent: two\n---\n\n" + at(M1),
            "---\nagents: {one: {}, two: {}}\ndefault_agent: two\n---\n\n"
            + M1
            + "# %%% [^a1]\n\n[^a1]: [two]\n\n¦\n",
        ),
        "below means after the children": (
            "message",
            False,
            at(A1) + CALL + RESULT + M1,
            A1 + CALL + RESULT + "# %% [^m2]\n\n[^m2]: [markdown]\n\n¦\n\n" + M1,
        ),
        "a call of an answer": (
            "call",
            False,
            at(A1) + CALL + RESULT + M1,
            # One deeper than its answer.
            A1 + CALL + RESULT + "#" + NEW_CALL + M1,
        ),
        "a call beside another": (
            "call",
            True,
            A1 + CALL + at(RESULT) + M1,
            A1 + NEW_CALL + CALL + RESULT + M1,
        ),
        "a result of a call": (
            "result",
            False,
            A1 + at(CALL) + M1,
            A1 + CALL + '# %%% [^a1.x.1]\n\n[^a1.x.1]: [tool] status="success"\n\n¦\n\n' + M1,
        ),
        "a result beside another": (
            "result",
            False,
            A1 + CALL + at(RESULT),
            A1 + CALL + RESULT + '# %%% [^a1.x.2]\n\n[^a1.x.2]: [tool] status="success"\n\n¦\n',
        ),
        "a run of code": (
            "run",
            False,
            at(CODE) + RUN + M1,
            CODE + RUN + '## %%% [^c1.2]\n\n[^c1.2]: [ruby] status="success"\n\nstdout> ¦\n\n' + M1,
        ),
    },
)
def test_inserting(what: str, above: bool, before: str, after: str) -> None:
    assert done(inserting(what, above), before) == after


def test_of_a_new_call_the_name_is_selected_and_stands_in_its_tags() -> None:
    document = Document.open("chat.msg.md", A1)
    change = insert_cell(document, 0, "call")
    text = document.apply(change.edits).text
    assert text[change.cursor : change.selected_to] == "tool"
    assert [text[place - 1 : place + 5] for place in change.repeated_at] == ["<tool>", "/tool>"]
    assert change.next_stop is not None
    assert text[: change.next_stop].endswith("<tool>\n")
    assert text[change.next_stop :].startswith("\n</tool>\n")


@table(
    "what, above, source, reason",
    {
        "an open fence": (
            "message",
            False,
            "# %% [^m1]¦\n\n```\nopen\n",
            "the fence that opens on line 3 is not closed",
        ),
        "an open frontmatter": ("message", False, "---\na: 1¦\n", "the frontmatter is not closed"),
        "a call of a message": (
            "call",
            False,
            at(M1),
            "only an agent's answer with an id can call a tool",
        ),
        "a call above its answer": (
            "call",
            True,
            at(A1),
            "a tool call must follow the answer that makes it",
        ),
        "a result of an answer": (
            "result",
            False,
            at(A1),
            "only a tool call with an id has results",
        ),
        "a result above another": (
            "result",
            True,
            A1 + CALL + at(RESULT),
            "results and runs are numbered in order: a new one must come last",
        ),
        "a run of a message": ("run", False, at(M1), "only a code cell with an id can be run"),
        "a child of nothing": (
            "result",
            False,
            "Words¦.\n" + M1,
            "put the cursor in the cell that it belongs to",
        ),
    },
)
def test_what_cannot_be_inserted(what: str, above: bool, source: str, reason: str) -> None:
    assert refused(inserting(what, above), source) == reason


HEAD = "---\nmessage_section: Talk\n---\n\n# %% [^m0]\n\nbefore\n\n# Talk\n\n"
OUTSIDE = "this cell is outside of the section that holds the conversation"


def test_in_a_plain_file_cells_go_into_the_section() -> None:
    new = "# %% [^m3]\n\n[^m3]: [markdown]\n\n¦\n\n"
    # What stands in a cell is never cut off, whatever its headings look like.
    tail = "# Other\n\nWords\n"
    source = HEAD + M1 + at(M2) + "\n" + tail
    after = HEAD + M1 + M2 + "\n" + tail + "\n" + new.removesuffix("\n")
    assert done(inserting("message"), source, "a.md") == after
    first = HEAD.replace("# Talk", "# ¦Talk")
    new = new.replace("m3", "m2")
    assert done(inserting("message"), first + M1, "a.md") == HEAD + new + M1
    outside = HEAD.replace("before", "bef¦ore")
    assert refused(inserting("message", above=True), outside + M1, "a.md") == OUTSIDE
    missing = "---\nmessage_section: Talk\n---\n\n" + at(M1)
    assert refused(inserting("message"), missing, "a.md") == "the section `Talk` is missing"


def test_in_a_plain_file_the_section_stays_whole() -> None:
    assert refused(up, HEAD + at(M1), "a.md") == "this is the first cell of the section"
    assert refused(down, HEAD.replace("before", "bef¦ore") + M1, "a.md") == OUTSIDE
    tail = "# Other\n\nWords\n"
    moved = HEAD + M2 + "\n" + tail + "\n" + at(M1).removesuffix("\n")
    assert done(down, HEAD + at(M1) + M2 + "\n" + tail, "a.md") == moved
    assert done(delete_cell, HEAD + at(M1) + tail, "a.md") == HEAD + "¦"
    kept = HEAD.replace("# %% [^m0]\n\nbefore\n\n", "¦")
    assert done(delete_cell, HEAD.replace("before", "bef¦ore"), "a.md") == kept


def test_the_section_is_looked_for_once_however_many_cells_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[Document] = []

    def counted(document: Document) -> Section | None:
        looked.append(document)
        return section_of(document)

    monkeypatch.setattr("msgls.features.msgmd.cells.section_of", counted)
    runs = [f"# %%% [^m1.{number}]\n\nstdout> 1\n\n" for number in range(20)]
    assert done(delete_cell, HEAD + at(M1) + "".join(runs), "a.md") == HEAD + "¦"
    assert len(looked) == 1


@table(
    "before, after",
    {
        "a message": (
            "# %% T[^m1]\n\n[^m1]: [raw] role=system a=1\n\nOne\n\nT¦wo\n",
            (
                "# %% T[^m1]\n\n[^m1]: [raw] role=system a=1\n\nOne\n\n"
                '# %% [^m2]\n\n[^m2]: [raw] role="system"\n\n¦Two\n'
            ),
        ),
        "an answer, on the line itself": (
            "## %%% [^a1]\n\n[^a1]: [helper] reasoning=1\n\nOne\nT¦wo\n",
            (
                "## %%% [^a1]\n\n[^a1]: [helper] reasoning=1\n\nOne\n\n"
                "## %%% [^a2]\n\n[^a2]: [helper] reasoning=1\n\n¦Two\n"
            ),
        ),
        "on a blank line": (
            "# %% [^m1]\n\nOne\n¦\n\n    Two\n",
            "# %% [^m1]\n\nOne\n\n# %% [^m2]\n\n[^m2]: [markdown]\n\n¦    Two\n",
        ),
        "at the end": (
            "# %% [^m1]\n\nOne\n¦",
            "# %% [^m1]\n\nOne\n\n# %% [^m2]\n\n[^m2]: [markdown]\n\n¦",
        ),
        "inside of code": (
            "# %% [^c1]\n\n[^c1]: [code]\n\nWhy\n\n  ~~~py x\n  a\n\n  b¦\n  ~~~\n",
            (
                "# %% [^c1]\n\n[^c1]: [code]\n\nWhy\n\n  ~~~py x\n  a\n\n  ~~~\n\n"
                "# %% [^c2]\n\n[^c2]: [code]\n\n  ~~~py x\n¦  b\n  ~~~\n"
            ),
        ),
        "before code": (
            "# %% [^c1]\n\n[^c1]: [code]\n\nWhy\n\n`¦``py\na\n```\n",
            "# %% [^c1]\n\n[^c1]: [code]\n\nWhy\n\n# %% [^c2]\n\n[^c2]: [code]\n\n¦```py\na\n```\n",
        ),
        "with the line breaks of the file": (
            "# %% [^m1]\r\n\r\nOne\r\n\r\nT¦wo\r\n",
            "# %% [^m1]\r\n\r\nOne\r\n\r\n# %% [^m2]\r\n\r\n[^m2]: [markdown]\r\n\r\n¦Two\r\n",
        ),
    },
)
def test_splitting(before: str, after: str) -> None:
    assert done(split_cell, before) == after


@table(
    "marks, half",
    {
        "excluded": ("history=none", "history=exclude"),
        "virtual": ("boot=1 virtual=1", "virtual=1"),
        "a summary stands for both": ('history=summary summary="s"', "history=exclude"),
        "the first paragraph, too": ("history=summary", "history=exclude"),
        "a reset hides its cell": ("reset=1", "history=exclude"),
        "nearly an attribute": ("history: none", "history=exclude"),
    },
)
def test_both_halves_are_as_hidden_as_the_whole(marks: str, half: str) -> None:
    before = f"# %%% [^a1]\n\n[^a1]: [bot] {marks}\n\nOne\n\nT¦wo\n"
    new = f"# %%% [^a2]\n\n[^a2]: [bot] {half}\n\n¦Two\n"
    assert done(split_cell, before) == before.replace("T¦wo\n", new)


@table(
    "source, reason",
    {
        "the header": ("# %¦% [^m1]\n\nHi\n", "put the cursor below the header and the definition"),
        "the definition": (at(M1), "put the cursor below the header and the definition"),
        "a call": (A1 + at(CALL, "<t/>"), "the cell is a tool call, which cannot be split"),
        "an open fence": (
            "# %% [^m1]\n\n```\na¦\n",
            "the cursor is in a fenced block that is not closed",
        ),
        "a list": (
            "# %% [^m1]\n\n- ```\n  a¦\n  ```\n",
            "the cursor is in a fenced block of a list",
        ),
        "the preamble": ("Wo¦rds\n", "there is no cell here"),
    },
)
def test_what_cannot_be_split(source: str, reason: str) -> None:
    assert refused(split_cell, source) == reason


@table(
    "before, after",
    {
        "two messages": (at(M1) + M2, M1 + "¦Yo\n"),
        "no blank line between": ("# %% ¦A\nOne\n# %% B\n    Two", "# %% A\nOne\n\n¦    Two"),
        "nothing in the next": (at(M1) + "# %% B\n\n\n" + M2, M1 + "¦" + M2),
        "a definition elsewhere": (
            "[^m2]: [raw]\n\n# %% A[^m1]¦\n\nOne\n\n# %% B[^m2]\n\nTwo\n",
            "\n# %% A[^m1]\n\nOne\n\n¦Two\n",
        ),
        "two results": (
            A1 + CALL + at(RESULT) + RESULT.replace("x.1", "x.2").replace("ok", "more"),
            A1 + CALL + RESULT + "¦more\n\n",
        ),
    },
)
def test_merging(before: str, after: str) -> None:
    assert done(merge_with_next, before) == after


UNLIKE = "the model does not see the two cells in the same way"


@table(
    "source, reason",
    {
        "the last one": (M1 + at(M2), "there is no cell after this one"),
        "two kinds": (at(M1) + A1, "a message and an output cannot be merged"),
        "two roles": (
            at(M1) + M2.replace("[raw]", "[raw] role=system"),
            "the two messages have different roles",
        ),
        "its call": (at(A1) + CALL, "an answer and a tool call cannot be merged"),
        "one that is hidden": (at(M1) + M2.replace("[raw]", "[raw] history=exclude"), UNLIKE),
        "one that is summarized": (at(M1) + M2.replace("[raw]", "[raw] history=summary"), UNLIKE),
        "one that resets": (at(A1) + A1.replace("]: [helper]", "]: [helper] reset=1"), UNLIKE),
        "two agents": (
            at(A1) + A1.replace("a1", "a2").replace("helper", "other"),
            "the two answers are from different agents",
        ),
        "a parent": (at(M1) + CODE + RUN, "other cells belong to `c1`"),
    },
)
def test_what_cannot_be_merged(source: str, reason: str) -> None:
    assert refused(merge_with_next, source) == reason


@table(
    "before, after",
    {
        "down": (at(M1) + M2, M2 + "\n" + at(M1)[:-1]),
        "past a block": (at(M1) + A1 + CALL + RESULT, A1 + CALL + RESULT + at(M1)),
        "with its children": (at(A1) + CALL + RESULT + M1, M1 + at(A1) + CALL + RESULT),
        "a call past another": (
            A1 + at(CALL) + RESULT + CALL.replace(".x", ".y") + M1,
            A1 + CALL.replace(".x", ".y") + at(CALL) + RESULT + M1,
        ),
        "after a byte-order mark": ("\ufeff# %% A¦\n\n# %% B\n", "\ufeff# %% B\n\n# %% A¦\n"),
        "without a break at the end": ("# %% A¦\n\n# %% B", "# %% B\n\n# %% A¦"),
    },
)
def test_moving_down_and_up_again(before: str, after: str) -> None:
    assert done(down, before) == after
    assert done(up, after) == before


@table(
    "command, source, reason",
    {
        "the first one": (up, "Words\n\n" + at(M1), "this is the first cell"),
        "the very first one": (up, at(M1), "this is the first cell"),
        "the last one": (down, M1 + at(A1) + CALL, "this is the last cell"),
        "above its parent": (up, A1 + at(CALL), "this cell belongs to the one above it"),
        "an open fence": (
            up,
            M1 + "# %% [^m9]¦\n\n```\nopen\n",
            "the fence that opens on line 9 is not closed",
        ),
    },
)
def test_what_cannot_be_moved(command: Command, source: str, reason: str) -> None:
    assert refused(command, source) == reason


@table(
    "before, after",
    {
        "a message": (at(M1) + M2, M1 + "¦" + M1.replace("m1", "m3") + M2),
        "with what refers to it": (
            "# %% [^m1]¦\n\n[^m1]: [raw] a=1\n\nsee [^m1]\n",
            (
                "# %% [^m1]\n\n[^m1]: [raw] a=1\n\nsee [^m1]\n\n"
                "¦# %% [^m2]\n\n[^m2]: [raw] a=1\n\nsee [^m2]\n"
            ),
        ),
        "a call": (
            A1 + at(CALL) + RESULT + M1,
            A1 + CALL + RESULT + "¦" + CALL.replace("a1.x", f"a1.{NONCE}") + M1,
        ),
        "a result, after the others": (
            A1 + CALL + at(RESULT) + RESULT.replace("x.1", "x.2"),
            A1
            + CALL
            + RESULT
            + RESULT.replace("x.1", "x.2")
            + "¦"
            + RESULT.replace("x.1", "x.3")[:-1],
        ),
        "a definition elsewhere, and those of others": (
            "# %% [^m1]\n\nOne\n\n# %% [^m2]¦\n\nTwo\n\n[^m1]: [raw]\n[^m2]: [raw] a=1\n",
            (
                "# %% [^m1]\n\nOne\n\n# %% [^m2]\n\nTwo\n\n[^m1]: [raw]\n[^m2]: [raw] a=1\n\n"
                "¦# %% [^m3]\n\n[^m3]: [raw] a=1\n\nTwo\n"
            ),
        ),
        "no id": ("# %% A¦\n\nHi\n", "# %% A\n\nHi\n\n¦# %% A\n\nHi\n"),
        "with the line breaks of the file": (
            "# %% [^m1]¦\r\n\r\nHi\r\n",
            "# %% [^m1]\r\n\r\nHi\r\n\r\n¦# %% [^m2]\r\n\r\nHi\r\n",
        ),
    },
)
def test_duplicating(before: str, after: str) -> None:
    assert done(duplicate_cell, before) == after


LATER = '# %% [^t]\n\n[^t]: [markdown] definition="agent" name="critic"\n'


def test_an_answer_is_not_one_of_an_agent_that_is_defined_further_down() -> None:
    """The name that stands in needs a registration there, as there are other agents."""
    question = "# %% [^q]\n\n[^q]: [markdown]\n\nHi¦\n\n"
    head = "---\nagents:\n  assistant: {}\n---\n\n"
    answer = "# %%% [^a1]\n\n[^a1]: [assistant]\n\n¦\n\n"
    found = done(inserting("output"), question + LATER)
    assert found == head + question.replace("¦", "") + answer + LATER
    below = answer.replace("assistant", "critic").rstrip("\n") + "\n"
    assert done(inserting("output"), LATER + "\n" + question.rstrip("\n") + "\n") == (
        LATER + "\n" + question.replace("¦", "") + below
    )


def test_what_defines_an_agent_is_not_duplicated() -> None:
    before = '# %% [^t]¦\n\n[^t]: [markdown] definition="agent" name="critic"\n'
    assert refused(duplicate_cell, before).startswith("the cell defines an agent")


@table(
    "before, after",
    {
        "one": (M1 + at(A1) + M2, M1 + "¦" + M2),
        "the only one": (at(M1), "¦"),
        "after a byte-order mark": ("\ufeff# %% A¦\n", "\ufeff¦"),
        "with its definition elsewhere": ("[^m1]: [raw]\n\n# %% [^m1]¦\n\nHi\n\n" + M2, "\n¦" + M2),
        "without the definitions of others": (
            "# %% [^m1]\n\nOne\n\n# %% [^m2]¦\n\nTwo\n\n[^m1]: [raw]\n[^m2]: [raw]\n",
            "# %% [^m1]\n\nOne\n\n¦[^m1]: [raw]\n\n",
        ),
        "an open fence": (M1 + "# %% [^m2]¦\n\n```\nopen\n", M1 + "¦"),
        "an answer with its calls and results": (M1 + at(A1) + CALL + RESULT + M2, M1 + "¦" + M2),
        "a call with its result, and not its answer": (A1 + at(CALL) + RESULT + M1, A1 + "¦" + M1),
        "a result alone": (A1 + CALL + at(RESULT) + M1, A1 + CALL + "¦" + M1),
        "code with its runs": (M1 + at(CODE) + RUN + M2, M1 + "¦" + M2),
        "a result after another call": (
            A1 + at(CALL) + CALL.replace(".x", ".y") + RESULT + M1,
            A1 + "¦" + CALL.replace(".x", ".y") + M1,
        ),
        "children before their parent, and the cursor after": (
            M1 + CALL + M2 + at(A1) + RESULT,
            M1 + M2 + "¦",
        ),
        "definitions of the children elsewhere": (
            (
                "# %%% [^a1]¦\n\n[^a1]: [x]\n\n# %%% [^a1.b]\n\n# %% [^m1]\n\n"
                "[^a1.b]: [tool]\n[^m1]: [raw]\n"
            ),
            "¦# %% [^m1]\n\n[^m1]: [raw]\n",
        ),
        "definitions of the children in each other": (
            (
                "# %%% [^a1]¦\n\n# %%% [^a1.b]\n\n[^a1]: [x]\n[^a1.b]: [tool]\n[^m1]: [raw]\n\n"
                "# %% [^m1]\n"
            ),
            "¦[^m1]: [raw]\n\n# %% [^m1]\n",
        ),
        "one of two with the id, and what follows it": (
            A1 + CALL + M1 + at(A1) + CALL + M2,
            A1 + CALL + M1 + "¦" + M2,
        ),
        "a message stays, whatever its id is like": (
            at(M1) + M2.replace("m2", "m1.b"),
            "¦" + M2.replace("m2", "m1.b"),
        ),
        "what only looks like a child": (
            at(M1) + A1.replace("a1", "m11.b"),
            "¦" + A1.replace("a1", "m11.b"),
        ),
    },
)
def test_deleting(before: str, after: str) -> None:
    assert done(delete_cell, before) == after


@pytest.mark.parametrize("line", ["\\[^x\\]: [raw] history=none", "[^x: [raw] virtual=1"])
def test_deleting_a_cell_leaves_what_hides_another_one(line: str) -> None:
    before = f"# %% [^x]\n\nsecret\n\n{at(M1)}{line}\n"
    assert line in done(delete_cell, before)
    plain = "\\[^y\\]: [raw] history=none"
    assert plain not in done(delete_cell, before + plain + "\n")


# -- what must stay -----------------------------------------------------------------------


def ids(document: Document) -> list[str]:
    return [placed.cell.id for placed in document.cells() if placed.cell.id]


def messages(document: Document) -> list[object]:
    return [message.model_dump() for message in read_document(document).messages]


def contents(document: Document) -> list[str]:
    return [placed.cell.text.rstrip(" \t\r\n") for placed in document.cells()]


@pytest.mark.parametrize("what", NEW_CELLS)
def test_a_new_cell_is_one_more_and_changes_nothing_else(what: str) -> None:
    document = Document.open("chat.msg.md", CONVERSATION)
    before = messages(document)
    inserted = 0
    for placed in document.cells():
        try:
            change = insert_cell(document, placed.start_offset + 2, what)
        except RefusedError:
            continue
        inserted += 1
        after = document.apply(change.edits)
        assert change.cursor is not None
        new = after.cell_at_offset(change.cursor)
        assert new is not None
        assert new.cell.id not in ids(document)
        assert sorted([*ids(document), new.cell.id or ""]) == sorted(ids(after))
        left = delete_cell(after, change.cursor)
        assert messages(after.apply(left.edits)) == before
    assert inserted


_PLACES = st.floats(0, 1, exclude_max=True)


@given(message_files(), _PLACES, st.sampled_from(NEW_CELLS), st.booleans())
@example(
    'text\n# %% [^1]\n\n[^1]: [markdown] definition="agent" name="bot"\n', 0.0, "output", False
)
def test_inserting_anywhere_adds_one_cell(text: str, place: float, what: str, above: bool) -> None:
    document = Document.open("chat.msg.md", text)
    try:
        change = insert_cell(document, int(place * (len(text) + 1)), what, above)
    except RefusedError:
        return
    after = document.apply(change.edits)
    assert change.cursor is not None
    new = after.cell_at_offset(change.cursor)
    assert new is not None
    assert new.cell.id
    assert new.cell.home is not None
    assert new.cell.home.id.text == new.cell.id
    assert not document.entries("header", new.cell.id)
    others = [p.cell.text for p in after.cells() if p.label != new.label]
    if len(change.edits) > 1:
        # The agent of the new cell is registered, because none could answer there.
        others[0] = others[0].removeprefix(change.edits[0].text)
    kept = [cell.rstrip(" \t\r\n") for cell in others if cell.strip(" \t\r\n\ufeff")]
    was = [cell for cell in contents(document) if cell.strip(" \t\r\n\ufeff")]
    assert sorted(kept) == sorted(was) or text.startswith("\ufeff")


@given(message_files(), _PLACES, st.sampled_from([up, down, split_cell, merge_with_next]))
def test_no_words_are_lost(text: str, place: float, command: Command) -> None:
    document = Document.open("chat.msg.md", text)
    try:
        change = command(document, int(place * (len(text) + 1)))
    except RefusedError:
        return
    after = document.apply(change.edits)
    assert change.cursor is not None
    assert 0 <= change.cursor <= len(after.text)

    def words(of: Document) -> list[str]:
        lines = of.text.replace("\r", "\n").split("\n")
        return sorted(line for line in lines if line.strip(" \t\ufeff") and "[^" not in line)

    lost = set(words(document)) - set(words(after))
    assert not [line for line in lost if not line.startswith(("#", "\ufeff"))]


@st.composite
def conversations(draw: st.DrawFn) -> str:
    """Sound files: children right after their parents, in order."""
    pieces = ["Words.\n\n"] if draw(st.booleans()) else []
    for number in range(draw(st.integers(2, 5))):
        kind = draw(st.sampled_from("mac"))
        if kind == "m":
            pieces.append(M1.replace("m1", f"m{number}"))
            continue
        family = [A1, CALL, RESULT, CALL.replace(".x", ".y")] if kind == "a" else [CODE, RUN]
        family = family[: draw(st.integers(1, len(family)))]
        root = "a1" if kind == "a" else "c1"
        pieces += [cell.replace(root, f"{kind}{number}") for cell in family]
    text = "".join(pieces)
    return draw(st.sampled_from([text, text.rstrip("\n"), text.replace("\n", "\r\n")]))


@given(conversations(), _PLACES)
def test_down_and_up_again_gives_the_same_cells(text: str, place: float) -> None:
    document = Document.open("chat.msg.md", text)
    try:
        change = down(document, int(place * len(text)))
    except RefusedError:
        return
    moved = document.apply(change.edits)
    assert sorted(ids(moved)) == sorted(ids(document))
    assert ids(moved) != ids(document)
    assert change.cursor is not None
    back = up(moved, change.cursor)
    assert contents(moved.apply(back.edits)) == contents(document)
    assert back.cursor is not None
    same = document.cell_at_offset(int(place * len(text)))
    again = moved.apply(back.edits).cell_at_offset(back.cursor)
    assert same is not None
    assert again is not None
    assert same.cell.id == again.cell.id


@given(conversations(), _PLACES)
def test_a_copy_is_one_more_message_cell(text: str, place: float) -> None:
    document = Document.open("chat.msg.md", text)
    offset = int(place * len(text))
    placed = document.cell_at_offset(offset)
    assert placed is not None
    if placed.cell.kind is CellKind.PREAMBLE:
        return
    change = duplicate_cell(document, offset)
    after = document.apply(change.edits)
    assert len(set(ids(after))) == len(ids(after)) == len(ids(document)) + 1
    assert change.cursor is not None
    deleted = delete_cell(after, change.cursor)
    assert contents(after.apply(deleted.edits)) == contents(document)


@given(message_files(), _PLACES, st.sampled_from([up, down]))
def test_moving_only_changes_the_order(text: str, place: float, command: Command) -> None:
    document = Document.open("chat.msg.md", text)
    try:
        change = command(document, int(place * (len(text) + 1)))
    except RefusedError:
        return
    after = document.apply(change.edits)
    assert sorted(contents(after)) == sorted(contents(document)) or text.startswith("\ufeff")
    assert sorted(ids(after)) == sorted(ids(document))


@given(conversations(), _PLACES)
def test_two_halves_can_be_put_together_again(text: str, place: float) -> None:
    document = Document.open("chat.msg.md", text)
    offset = int(place * len(text))
    try:
        change = split_cell(document, offset)
    except RefusedError:
        return
    cut = document.apply(change.edits)
    assert cut.cell_count == document.cell_count + 1
    assert change.cursor is not None
    half = cut.cell_at_offset(change.cursor)
    if "```" in text[offset - 20 : offset + 20] or half is None:
        return
    whole = cut.apply(merge_with_next(cut, half.start_offset - 1).edits)
    assert [re.sub(r"\s+", " ", cell) for cell in contents(whole)] == [
        re.sub(r"\s+", " ", cell) for cell in contents(document)
    ]


@given(message_files(), _PLACES)
def test_deleting_leaves_the_others_as_they_are(text: str, place: float) -> None:
    document = Document.open("chat.msg.md", text)
    if len(set(ids(document))) < len(ids(document)):
        return
    offset = int(place * (len(text) + 1))
    placed = document.cell_at_offset(offset)
    try:
        change = delete_cell(document, offset)
    except RefusedError:
        return

    def values(of: Document) -> dict[str, object]:
        meanings = [meaning_of(of, cell) for cell in of.cells() if cell.cell.id]
        return {
            m.cell.id or "": m.definition
            and (m.type, [(pair.key, pair.value) for pair in m.definition.attributes])
            for m in meanings
        }

    assert placed is not None
    gone = {placed.cell.id or ""}
    gone |= {
        child.cell.id or ""
        for child in document.cells()
        if belongs(child, placed) and child.cell.kind is CellKind.OUTPUT
    }
    left = {name: value for name, value in values(document).items() if name not in gone}
    assert values(document.apply(change.edits)) == left


# -- parallel calls -----------------------------------------------------------------------


def test_a_result_goes_after_those_that_its_call_has() -> None:
    """Two calls, their results after both: `a.x.2` must not stand before `a.x.1`."""
    answer = "# %%% [^a]\n\n[^a]: [gpt]\n\n"
    calls = "".join(
        f'# %%% [^a.{nonce}]\n\n[^a.{nonce}]: [tool] name="ls"\n\n<ls/>\n\n' for nonce in "xy"
    )
    results = "".join(
        f'# %%% [^a.{nonce}.1]\n\n[^a.{nonce}.1]: [tool] status="success"\n\n1\n\n'
        for nonce in "xy"
    )
    new = '# %%% [^a.x.2]\n\n[^a.x.2]: [tool] status="success"\n\n¦\n\n'
    first, second = results[: len(results) // 2], results[len(results) // 2 :]
    for source in (
        answer + calls.replace("[^a.x]:", "[^a.x¦]:") + results,
        answer + calls + results.replace("a.x.1]:", "a.x.1¦]:"),
    ):
        after = done(inserting("result"), source)
        assert after == answer + calls + first + new + second

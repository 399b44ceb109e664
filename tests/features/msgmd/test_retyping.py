"""What a cell says of itself, changed: before and after."""

from collections.abc import Callable

import pytest

from msgls.conversation.cell_visibility import hidden_cells
from msgls.document.document import Document
from msgls.features.commands import CellChange, RefusedError
from msgls.features.msgmd.actions import history_actions
from msgls.features.msgmd.retyping import change_type, renumber, set_history, set_history_of_all
from msgls.formats.msgmd.meaning import meaning_of
from tests.notation import table, unmark

Command = Callable[[Document, int], CellChange]

CALL = '# %%% [^a1]\n\n[^a1]: [bot]\n\n# %%% [^a1.x]\n\n[^a1.x]: [tool] name="t"\n\n<t/>\n\n'
CODE = "# %% [^c]\n\n[^c]: [code]\n\n```py\n1\n```\n\n"


def done(command: Command, source: str) -> str:
    marked = unmark(source)
    document = Document.open("chat.msg.md", marked.text)
    return document.apply(command(document, marked.cursor).edits).text


def refused(command: Command, source: str) -> str:
    marked = unmark(source)
    with pytest.raises(RefusedError) as refusal:
        command(Document.open("chat.msg.md", marked.text), marked.cursor)
    return str(refusal.value)


def to(kind: str) -> Command:
    return lambda document, offset: change_type(document, offset, kind)


def history(value: str) -> Command:
    return lambda document, offset: set_history(document, offset, value)


@table(
    "kind, before, after",
    {
        "a message": ("code", "# %% [^1]¦\n\n[^1]: [raw] a=1\n", "# %% [^1]\n\n[^1]: [code] a=1\n"),
        "an answer now": ("bot", "## %% T[^1]¦\n\n[^1]: [raw]\n", "## %%% T[^1]\n\n[^1]: [bot]\n"),
        "a message now": ("raw", "# %%% [^1]¦\n\n[^1]: [bot]\n", "# %% [^1]\n\n[^1]: [raw]\n"),
        "a definition elsewhere": (
            "raw",
            "[^1]: [code]\n\n# %% [^1]¦\n\nHi\n",
            "[^1]: [raw]\n\n# %% [^1]\n\nHi\n",
        ),
        "no definition": ("raw", "# %% [^1]¦\n\nHi\n", "# %% [^1]\n\n[^1]: [raw]\n\nHi\n"),
        "no id": ("raw", "# %% T¦\nHi\n", "# %% T[^m1]\n\n[^m1]: [raw]\n\nHi\n"),
        "no id, and an answer": ("bot", "# %%¦\r\n", "# %%% [^m1]\r\n\r\n[^m1]: [bot]\r\n"),
    },
)
def test_changing_the_type(kind: str, before: str, after: str) -> None:
    assert done(to(kind), before) == after


@table(
    "kind, source, reason",
    {
        "the same": ("raw", "# %% [^1]¦\n\n[^1]: [raw]\n", "the cell is already of type `raw`"),
        "no name": ("a]b", "# %% [^1]¦\n", "`a]b` is not a valid agent name"),
        "a child": ("raw", CALL + "¦", "the id `a1.x` makes the cell part of another one"),
        "no child": (
            "tool",
            "# %%% [^1]¦\n",
            "a tool call needs an id that names the answer it belongs to",
        ),
        "a parent": ("raw", "¦" + CALL, "other cells belong to `a1`"),
        "code that ran": ("raw", "¦" + CODE + "# %%% [^c.1]\n", "other cells belong to `c`"),
        "no cell": ("raw", "wo¦rds\n", "there is no cell here"),
        "an empty id": (
            "raw",
            "# %% [^]¦\n",
            "the cell's id is empty, so it cannot have a definition",
        ),
    },
)
def test_types_that_cannot_be(kind: str, source: str, reason: str) -> None:
    assert refused(to(kind), source) == reason


@table(
    "value, before, after",
    {
        "a new one": (
            "exclude",
            "# %% [^1]¦\n\n[^1]: [raw] a=1\n",
            "# %% [^1]\n\n[^1]: [raw] history=exclude a=1\n",
        ),
        "another one": (
            "summary",
            "# %% [^1]¦\n\n[^1]: [raw] history='none' a=1\n",
            "# %% [^1]\n\n[^1]: [raw] history=summary a=1\n",
        ),
        "the default": (
            "include",
            "# %% [^1]¦\n\n[^1]: [raw] history=none a=1\n",
            "# %% [^1]\n\n[^1]: [raw] a=1\n",
        ),
        "the default, said twice": (
            "include",
            "# %% [^1]¦\n\n[^1]: [raw] history=0 history=none\n",
            "# %% [^1]\n\n[^1]: [raw] history=0 history=include\n",
        ),
        "elsewhere": (
            "exclude",
            "[^1]: [raw]\n\n# %% [^1]¦\n",
            "[^1]: [raw] history=exclude\n\n# %% [^1]\n",
        ),
        "no definition": (
            "exclude",
            "# %% T¦\n\nHi\n",
            "# %% T[^m1]\n\n[^m1]: [markdown] history=exclude\n\nHi\n",
        ),
        "no definition of an answer": (
            "exclude",
            "---\nagents: {bot: {}}\n---\n\n# %%% [^1]¦\n",
            "---\nagents: {bot: {}}\n---\n\n# %%% [^1]\n\n[^1]: [bot] history=exclude\n",
        ),
    },
)
def test_setting_the_history(value: str, before: str, after: str) -> None:
    assert done(history(value), before) == after


@table(
    "value, source, reason",
    {
        "the same": (
            "exclude",
            "# %% [^1]¦\n\n[^1]: [raw] history=exclude\n",
            "`history` is `exclude` already",
        ),
        "the default": ("include", "# %% [^1]¦\n\n[^1]: [raw]\n", "the cell is already included"),
        "the default, undefined": ("include", "# %% [^1]¦\n", "the cell is already included"),
        "no value": ("maybe", "# %% [^1]¦\n", "`history` cannot be `maybe`"),
    },
)
def test_histories_that_cannot_be(value: str, source: str, reason: str) -> None:
    assert refused(history(value), source) == reason


def test_renumbering() -> None:
    runs = "# %%% [^c.{}]\n\n[^c.{}]: [py] status=success\n\n# %%% [^c.{}]\n\nsee [^c.{}]\n"
    runs += "\n[^c.{}]: [py]\n"
    before, after = runs.format(7, 7, 3, 3, 3), runs.format(7, 7, 8, 8, 8)
    assert done(renumber, "¦" + CODE + before) == CODE + after
    assert done(renumber, CODE + "¦" + before) == CODE + after
    assert refused(renumber, "¦" + CODE + after) == "the numbers are already right"
    # Execution counts of a notebook grow, and may skip.
    counts = CODE + runs.format(3, 3, 7, 7, 7)
    assert refused(renumber, "¦" + counts) == "the numbers are already right"
    result = "# %%% [^a1.x.{}]\n\n[^a1.x.{}]: [tool]\n"
    assert done(renumber, CALL + "¦" + result.format(9, 9)) == CALL + result.format(1, 1)


def test_only_children_are_numbered() -> None:
    reason = "only the results of a tool call and the runs of code are numbered"
    assert refused(renumber, "¦" + CALL) == reason
    assert refused(renumber, "# %% [^1]¦\n") == reason


_ANSWER = "# %%% [^a]¦\n\n[^a]: [bot]{0}\n\nHi\n\n"
_CALL = "## %%% [^a.x]\n\n[^a.x]: [tool]{0} name=t\n\n<t/>\n\n"
_RESULT = "## %%% [^a.x.1]\n\n[^a.x.1]: [tool]{0} status=success\n\nok\n\n"


def test_calls_and_results_go_along_with_their_answer() -> None:
    answer = _ANSWER + _CALL + _RESULT + "# %% [^m]\n\n[^m]: [raw]\n\nBye\n"
    seen, unseen = answer.format(""), answer.format(" history=exclude")
    assert done(history("exclude"), seen) == unseen.replace("¦", "")
    assert done(history("include"), unseen) == seen.replace("¦", "")
    # What the model does not see is folded, and nothing else.
    document = Document.open("chat.msg.md", unseen.replace("¦", ""))
    assert [placed.cell.id for placed in hidden_cells(document)] == ["a", "a.x", "a.x.1"]


def test_what_is_said_of_the_answer_alone_hides_its_calls_and_results() -> None:
    parts = (_CALL + _RESULT).format("")
    unseen = _ANSWER.format(" history=none") + parts
    document = Document.open("chat.msg.md", unseen.replace("¦", ""))
    assert [placed.cell.id for placed in hidden_cells(document)] == ["a", "a.x", "a.x.1"]
    assert done(history("include"), unseen) == _ANSWER.format("").replace("¦", "") + parts
    would_not = "this would not change what the model sees"
    assert refused(history("exclude"), unseen) == would_not
    # Nothing that is said of the call alone changes what is seen of it.
    own = _ANSWER.format(" virtual=1").replace("¦", "")
    own += _CALL.format(" history=none").replace("x]\n", "x]¦\n", 1) + _RESULT.format("")
    assert refused(history("include"), own) == would_not
    call = document.cell_number(1)
    assert list(history_actions(document, meaning_of(document, call))) == []


def test_a_result_goes_along_with_its_call_and_the_answer_stays() -> None:
    answer = _ANSWER.format("").replace("¦", "")
    before = answer + _CALL.format("").replace("x]\n", "x]¦\n", 1) + _RESULT.format("")
    after = answer + (_CALL + _RESULT).format(" history=exclude")
    assert done(history("exclude"), before) == after


# -- history of many --------------------------------------------------------------------------

SEVERAL = "# %% A\n\n# %% B[^m1]\n\n[^m1]: [raw] history=summary\n\n# %%% [^]\n\n# %% C\n"

RESET = """\
# %% [^1]

[^1]: [raw]

# %%% [^2]

[^2]: [bot] reset=1

# %% [^3]

[^3]: [raw]
"""


@table(
    "value, before, after",
    {
        "all but those that cannot": (
            "exclude",
            SEVERAL,
            SEVERAL.replace("A\n", "A[^m2]\n\n[^m2]: [markdown] history=exclude\n")
            .replace("summary", "exclude")
            .replace("C\n", "C[^m3]\n\n[^m3]: [markdown] history=exclude\n"),
        ),
        "only where it changes something": (
            "include",
            SEVERAL,
            SEVERAL.replace(" history=summary", ""),
        ),
        "not what is hidden for another reason": (
            "exclude",
            RESET,
            f"{RESET.rstrip()} history=exclude\n",
        ),
        "nothing that is excluded is shown in part": (
            "summary",
            "# %% [^1]\n\n[^1]: [raw] history=none\n\nHi\n\n# %% [^2]\n\n[^2]: [raw]\n",
            (
                "# %% [^1]\n\n[^1]: [raw] history=none\n\nHi\n\n"
                "# %% [^2]\n\n[^2]: [raw] history=summary\n"
            ),
        ),
        "one definition of two cells": (
            "summary",
            "# %% [^1]\n\n# %% [^1]\n\n[^1]: [raw]\n",
            "# %% [^1]\n\n# %% [^1]\n\n[^1]: [raw] history=summary\n",
        ),
    },
)
def test_the_history_of_many(value: str, before: str, after: str) -> None:
    document = Document.open("chat.msg.md", before)
    change = set_history_of_all(document, 0, len(before), value)
    assert document.apply(change.edits).text == after


def test_where_nothing_would_change() -> None:
    document = Document.open("chat.msg.md", "Words.\n\n# %% [^1]\n\n# %% [^2]\n")
    with pytest.raises(RefusedError, match="would not change what the model sees"):
        set_history_of_all(document, 0, len(document.store), "include")


@pytest.mark.parametrize(("kind", "meant"), [("markdwon", "markdown"), ("cod", "code")])
def test_a_type_that_is_misspelt_makes_no_output_of_a_message(kind: str, meant: str) -> None:
    document = Document.open("chat.msg.md", "# %% [^m1]\n\n[^m1]: [markdown]\n")
    with pytest.raises(RefusedError, match=f"unknown type `{kind}`: did you mean `{meant}`"):
        change_type(document, 0, kind)
    # Unless somebody of that name is registered.
    assert change_type(document.with_agents(frozenset({kind})), 0, kind).edits
